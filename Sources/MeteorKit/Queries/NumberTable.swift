internal import FieldCore

/// Meteorites by the numbers of their ids: one look into an array instead of a hash, for loops that look
/// up by the million.
@usableFromInline
struct NumberTable: Sendable {
  @usableFromInline
  let meteorites: [Meteorite?]

  /// Makes an empty table.
  init() { meteorites = [] }

  /// Makes the table; ids that are texts, and numbers far beyond the others, have no place in it.
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

  /// The meteorite of this number when the table was made; nil may also mean that it has no place here.
  @inlinable
  subscript(number: UInt64) -> Meteorite? {
    number < UInt64(meteorites.count) ? meteorites[Int(number)] : nil
  }
}
