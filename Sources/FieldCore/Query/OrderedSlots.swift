/// The records of a snapshot in one order, as slots: those of an earlier snapshot, and those that have changed since.
package struct OrderedSlots<Record: StoredRecord>: Sendable {
  /// The order of the earlier snapshot, or `nil` if its records have no such order.
  package let base: SlotOrder?
  /// The slots that have changed since, ascending.
  package private(set) var changed: [Int32] = []
  /// The slots of the changed records, in order.
  private var sorted: [Int32] = []
  private let precedes: @Sendable (Record, Record) -> Bool
  private let isOrderable: @Sendable (Record) -> Bool

  /// Creates the order of a snapshot.
  ///
  /// - Parameters:
  ///   - base: The order, or `nil` if there is none.
  ///   - isOrderable: A closure that returns whether a record has a place in the order. If one doesn't, the order is
  ///     built again.
  ///   - precedes: A closure that returns whether one record comes before another, of which no two are equal.
  package init(
    _ base: SlotOrder?, isOrderable: @escaping @Sendable (Record) -> Bool = { _ in true },
    precedes: @escaping @Sendable (Record, Record) -> Bool
  ) {
    self.base = base
    self.isOrderable = isOrderable
    self.precedes = precedes
  }

  /// Returns those of the base's slots whose records haven't changed.
  package func unchanged(_ slots: some Sequence<Int32>) -> [Int32] {
    slots.filter { !changed.contains(sorted: $0) }
  }

  /// Returns the first records of a query, in order.
  ///
  /// - Parameters:
  ///   - slots: The slots that the base found, in its order.
  ///   - admits: A closure that returns whether a record of these slots belongs to the result.
  ///   - admitsChanged: A closure that returns whether a changed record belongs to the result.
  package func first(
    _ count: Int, of slots: some Sequence<Int32>, in snapshot: Snapshot<Record>,
    where admits: (Record) -> Bool, changed admitsChanged: (Record) -> Bool
  ) -> [Record] {
    var known: [Record] = []
    for slot in slots {
      if known.count >= count { break }
      if !changed.isEmpty, changed.contains(sorted: slot) { continue }
      if let record = snapshot.record(at: Int(slot)), admits(record) { known.append(record) }
    }
    if sorted.isEmpty { return known }
    var first: [Record] = []
    var rest = known[...]
    for slot in sorted where first.count < count {
      guard let record = snapshot.record(at: Int(slot)), admitsChanged(record) else { continue }
      while first.count < count, let next = rest.first, precedes(next, record) {
        first.append(next)
        rest.removeFirst()
      }
      if first.count < count { first.append(record) }
    }
    return first + rest.prefix(max(0, count - first.count))
  }

  /// Returns the order after changes, or `nil` if another should be built.
  func updated(by changes: SlotChanges<Record>) -> Self? {
    var next = self
    next.changed = changed.subtracting(sorted: changes.slots).merging(sorted: changes.slots)
    guard next.changed.count <= max(64, changes.after.count / 64) else { return nil }
    guard base != nil else { return next }
    var new: [(slot: Int32, record: Record)] = []
    for slot in changes.slots {
      guard let record = changes.record(at: slot) else { continue }
      guard isOrderable(record) else { return nil }
      new.append((slot, record))
    }
    new.sort { precedes($0.record, $1.record) }
    next.sorted.removeAll { changes.slots.contains(sorted: $0) }
    var place = 0
    for (slot, record) in new {
      place = next.sorted[place...].partitioningIndex { other in
        changes.record(at: other).map { precedes(record, $0) } ?? true
      }
      next.sorted.insert(slot, at: place)
      place += 1
    }
    return next
  }
}
