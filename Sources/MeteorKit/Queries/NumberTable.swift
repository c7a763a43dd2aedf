internal import FieldCore

/// A table of meteorites by numeric ID: an array lookup instead of a hash, for loops with millions
/// of lookups.
@usableFromInline
struct NumberTable: Sendable {
  @usableFromInline
  let meteorites: [Meteorite?]

  /// Creates an empty table.
  init() { meteorites = [] }

  /// Creates a table, skipping text IDs and numbers far beyond the others.
  init(of snapshot: Snapshot<Meteorite>) {
    let limit = UInt64(snapshot.count) * 8 + 1_024
    var meteorites: [Meteorite?] = []
    meteorites.reserveCapacity(snapshot.count)
    for meteorite in snapshot {
      guard case .number(let number) = meteorite.id.storage, number < limit else { continue }
      while meteorites.count <= Int(number) { meteorites.append(nil) }
      meteorites[Int(number)] = meteorite
    }
    self.meteorites = meteorites
  }

  /// The meteorite with the given number when the table was created, or `nil` if the table lacks
  /// it.
  @inlinable
  subscript(number: UInt64) -> Meteorite? {
    number < UInt64(meteorites.count) ? meteorites[Int(number)] : nil
  }
}
