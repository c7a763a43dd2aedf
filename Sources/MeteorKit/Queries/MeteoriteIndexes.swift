internal import FieldCore

/// The indexes of a snapshot: built at the first question that needs them, and kept across small
/// changes.
final class MeteoriteIndexes: Sendable {
  typealias TextIndex = DerivedIndex<Meteorite, SubstringIndex>
  typealias PlaceIndex = DerivedIndex<Meteorite, SpatialIndex>

  private struct Built: Sendable {
    var text: TextIndex?
    var place: PlaceIndex?
  }

  private let snapshot: Snapshot<Meteorite>
  /// What the indexes of an earlier snapshot have built, to go on from.
  private let earlier: Built
  private let built = Lock(Built())

  init(of snapshot: Snapshot<Meteorite>, after earlier: MeteoriteIndexes? = nil) {
    self.snapshot = snapshot
    self.earlier =
      earlier.map { indexes in
        let built = indexes.built.withLock { $0 }
        return Built(
          text: built.text ?? indexes.earlier.text, place: built.place ?? indexes.earlier.place)
      } ?? Built()
  }

  /// The names, folded, by slot.
  var text: TextIndex {
    built.withLock { built in
      if let text = built.text { return text }
      let text = TextIndex(of: snapshot, reusing: earlier.text) { snapshot in
        SubstringIndex((0..<snapshot.slotLimit).lazy.map { snapshot.record(at: $0)?.name ?? "" })
      }
      built.text = text
      return text
    }
  }

  /// The positions, by slot; among equal distances, by id.
  var place: PlaceIndex {
    built.withLock { built in
      if let place = built.place { return place }
      let place = PlaceIndex(of: snapshot, reusing: earlier.place) { snapshot in
        var entries: [(id: Meteorite.ID, slot: Int32, coordinate: Coordinate)] = []
        for slot in 0..<snapshot.slotLimit {
          guard let meteorite = snapshot.record(at: slot), let coordinate = meteorite.coordinate
          else { continue }
          entries.append((meteorite.id, Int32(slot), coordinate))
        }
        entries.sort { $0.id < $1.id }
        return SpatialIndex(entries.map { (key: $0.slot, coordinate: $0.coordinate) })
      }
      built.place = place
      return place
    }
  }
}
