internal import FieldCore

/// A table of meteorites by numeric ID: an array lookup instead of a hash, for loops with millions
/// of lookups.
@usableFromInline
struct NumberTable: Sendable {
  /// The meteorites of the snapshot that the table was created from.
  @usableFromInline
  let meteorites: [Meteorite?]
  /// A Boolean value that indicates whether none of them has changed since.
  @usableFromInline
  private(set) var isUnchanged = true
  /// The meteorites that have changed since, `nil` for those that were removed.
  private var changed: [UInt64: Meteorite?] = [:]

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

  /// The meteorite with the given number, or `nil` if there is none, or the table lacks it.
  @inlinable
  subscript(number: UInt64) -> Meteorite? {
    guard isUnchanged else { return current(number) }
    return number < UInt64(meteorites.count) ? meteorites[Int(number)] : nil
  }

  @usableFromInline
  func current(_ number: UInt64) -> Meteorite? {
    if let meteorite = changed[number] { return meteorite }
    return number < UInt64(meteorites.count) ? meteorites[Int(number)] : nil
  }

  /// Returns the table after changes, or `nil` if so many meteorites have changed that another should be created.
  func updated(by changes: SlotChanges<Meteorite>) -> Self? {
    var next = self
    for slot in changes.slots {
      for meteorite in [changes.earlierRecord(at: slot), changes.record(at: slot)] {
        guard let meteorite, case .number(let number) = meteorite.id.storage else { continue }
        next.changed.updateValue(changes.after[id: meteorite.id], forKey: number)
      }
    }
    next.isUnchanged = next.changed.isEmpty
    return next.changed.count > max(64, changes.after.count / 64) ? nil : next
  }
}
