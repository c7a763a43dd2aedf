internal import FieldCore

/// A table of meteorites by numeric ID: an array lookup instead of a hash, for loops with millions
/// of lookups.
@usableFromInline
struct NumberTable: Sendable {
  @usableFromInline
  let meteorites: [Meteorite?]

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

/// The table of a snapshot's meteorites, made once looking them up without it has cost about as much.
@usableFromInline
final class NumberIndex: Sendable {
  @usableFromInline
  typealias Index = DerivedIndex<Meteorite, NumberTable>

  private let index: Amortized<Index>
  @usableFromInline
  let place: Once<Index>.Place

  init(of snapshot: Snapshot<Meteorite>, after earlier: NumberIndex?) {
    @Sendable func make(_ reused: Index?) -> Index {
      Index(of: snapshot, reusing: reused, build: NumberTable.init)
    }
    let reused = earlier?.index.madeValue
    index =
      reused.map { Amortized(made: make($0)) }
      ?? Amortized(after: snapshot.count / 16) { make(nil) }
    place = index.place
  }

  /// The meteorite with the given number, or `nil` if there is none, or the table doesn't contain it.
  @inlinable
  subscript(number: UInt64) -> Meteorite? {
    defer { extendLifetime(self) }
    guard let index = unsafe place.pointer, unsafe index.pointee.isUnchanged else { return nil }
    return unsafe index.pointee.base[number]
  }

  /// Records that a meteorite was looked up without the table.
  func countMiss() { _ = index.value(insteadOf: 1) }
}
