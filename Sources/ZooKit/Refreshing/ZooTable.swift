internal import FieldCore
internal import FieldFoundation

/// A table of the zoo's data.
public enum ZooTable: String, CaseIterable, Codable, Sendable, Hashable {
  /// The animals (動物資料), with a row for every place where an animal is shown.
  case animals
  /// The areas (館區簡介).
  case areas
  /// The plants (植物資料), with a row for every place.
  case plants
  /// The events (行事曆), with a row for every day and activity.
  case events
}

extension ZooTable {
  /// The name of the table's entry in the checkpoint.
  var entry: String { "zoo.\(rawValue)" }

  /// How the rows are read. If anything but the columns changes, it gets the next number.
  ///
  /// Checkpoints name the columns of the second version by the number alone.
  var fingerprint: String {
    let reading = ZooRecord.fingerprint("zoo/2", columns: columns)
    let second =
      switch self {
      case .animals: "d08bc0de"
      case .areas: "49b4aeb"
      case .plants: "981a0bb8"
      case .events: "70e475da"
      }
    return reading == "zoo/2 \(second)" ? "zoo/2" : reading
  }

  /// Returns the table as a part of the zoo's refresh, stored by itself in one step with the order of its rows.
  ///
  /// - Parameter isMain: A Boolean value that indicates whether the table determines the zoo's age, and whether its failure fails the
  ///   refresh.
  func part(
    _ sources: [any RecordSource<ZooRecord>], isMain: Bool, repository: any ZooRepository,
    snapshotGuard: SnapshotGuard, clock: any FieldClock, policy: RefreshPolicy
  ) -> RefreshPart {
    var snapshotGuard = snapshotGuard
    // Events expire: those of last winter are no reason to reject today's.
    if self == .events { snapshotGuard.maximumRemovedFraction = 1 }
    let table = StoreTable<ZooRecord>(
      entry, determinesAge: isMain, contains: { $0.id.table == self && $0.id.key != nil },
      isReadable: { $0.id.table != self || $0.content != .unreadable },
      order: { ZooRecord(order: $0.compactMap(\.key), of: self) })
    return RefreshPart(
      sources: sources, named: rawValue, fingerprint: fingerprint, store: repository, table: table,
      snapshotGuard: snapshotGuard, clock: clock, policy: policy)
  }
}
