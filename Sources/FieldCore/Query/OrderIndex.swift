/// The records of a snapshot in the order of a value, as slots.
///
/// It returns the records of a range of values and those with the smallest and greatest in O(log n) plus the result,
/// counts a range in O(log n), and orders any set of slots. It takes 8 bytes per record, and 4 bytes per distinct value
/// in addition to the values. An order of something else than a value, such as that of names that aren't needed
/// themselves, is one of `Never`, in which no record has a value.
///
/// The base covers all records of an earlier snapshot. Beside it are the places in the base that no longer hold, and
/// the entries of the records that have changed, both in order, so that a traversal merges them as it goes.
@usableFromInline
package struct OrderIndex<Value: Comparable & Hashable & Sendable>: Sendable {
  /// The entries of a snapshot.
  @usableFromInline
  struct Base: Sendable {
    /// The slots by value. Those without a value come last.
    @usableFromInline
    let slots: [Int32]
    /// The distinct values, ascending.
    @usableFromInline
    let values: [Value]
    /// The place in ``slots`` of the first record with each value, and at the end, of the first without one.
    @usableFromInline
    let starts: [Int32]
    /// The place of each slot in ``slots``; -1 for holes.
    @usableFromInline
    let ranks: [Int32]

    @inlinable
    init(slots: [Int32], values: [Value], starts: [Int32], slotLimit: Int) {
      var ranks = [Int32](repeating: -1, count: slotLimit)
      for rank in slots.indices { ranks[Int(slots[rank])] = Int32(truncatingIfNeeded: rank) }
      (self.slots, self.values, self.starts, self.ranks) = (slots, values, starts, ranks)
    }

    /// The number of records with a value.
    @inlinable
    var valuedCount: Int { Int(starts[values.count]) }

    /// Returns the place of a slot, or -1 if there is none.
    @inlinable
    func rank(of slot: Int32) -> Int { Int(slot) < ranks.count ? Int(ranks[Int(slot)]) : -1 }

    /// Returns the places of a range of the distinct values.
    @inlinable
    func places(of values: Range<Int>) -> Range<Int> {
      Int(starts[values.lowerBound])..<Int(starts[values.upperBound])
    }

    /// Returns the places of a value; an empty range where they would be if there are none.
    @inlinable
    func places(of value: Value) -> Range<Int> {
      let index = values.partitioningIndex { $0 >= value }
      let isThere = index < values.count && values[index] == value
      return places(of: index..<(isThere ? index + 1 : index))
    }
  }

  @usableFromInline
  let base: Base
  /// The places in the base that no longer hold, ascending.
  @usableFromInline
  var dropped: [Int32] = []
  /// The slots of the records that aren't in the base or have changed, in order.
  @usableFromInline
  var slots: [Int32] = []
  /// The place in the base before which each of them comes.
  @usableFromInline
  var places: [Int32] = []
  /// The values of the first of them. The others have none.
  @usableFromInline
  var values: [Value] = []

  @inlinable
  init(base: Base) { self.base = base }

  /// Creates the order of a snapshot, in O(n log n).
  ///
  /// - Parameters:
  ///   - ties: All slots in the order of those with equal values, or without one. Defaults to the order of the slots.
  ///   - stored: A closure that reads the value from a record's stored form. Defaults to decoding the record.
  ///   - value: A closure that returns the value of a record.
  @inlinable
  package init<Record: StoredRecord>(
    of snapshot: Snapshot<Record>, ties: [Int32]? = nil,
    stored: ((inout RecordReader) throws -> Value?)? = nil, by value: (Record) -> Value?
  ) {
    var entries: [(value: Value, tie: Int32)] = []
    entries.reserveCapacity(snapshot.count)
    var others: [Int32] = []
    func add(_ value: Value?, _ tie: Int) {
      let tie = Int32(truncatingIfNeeded: tie)
      if let value, value == value { entries.append((value, tie)) } else { others.append(tie) }
    }
    if let ties {
      var values = [Value?](repeating: nil, count: snapshot.slotLimit)
      snapshot.scan(value, stored: stored) { values[$0] = $1 }
      for (tie, slot) in ties.enumerated() { add(values[Int(slot)], tie) }
    } else {
      snapshot.scan(value, stored: stored) { add($1, $0) }
    }
    entries.sort { $0.value == $1.value ? $0.tie < $1.tie : $0.value < $1.value }
    var (slots, starts, values) = ([] as [Int32], [] as [Int32], [] as [Value])
    slots.reserveCapacity(snapshot.count)
    for entry in entries {
      if values.last != entry.value {
        starts.append(Int32(truncatingIfNeeded: slots.count))
        values.append(entry.value)
      }
      slots.append(entry.tie)
    }
    starts.append(Int32(truncatingIfNeeded: slots.count))
    slots += others
    if let ties { slots = slots.map { ties[Int($0)] } }
    base = Base(slots: slots, values: values, starts: starts, slotLimit: snapshot.slotLimit)
  }
}

extension OrderIndex<Never> {
  /// Creates an order of slots.
  package init(slots: [Int32], slotLimit: Int) {
    self.init(base: Base(slots: slots, values: [], starts: [0], slotLimit: slotLimit))
  }
}
