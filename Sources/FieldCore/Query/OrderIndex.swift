/// The records of a snapshot in the order of a value, as slots.
///
/// It returns the records of a range of values and those with the smallest and greatest in O(log n) plus the result,
/// and counts a range in O(log n). It takes 8 bytes per record in addition to the values.
///
/// The base covers all records of an earlier snapshot. Beside it are the places in the base that no longer hold, and
/// the entries of the records that have changed, both in order, so that a traversal merges them as it goes.
@usableFromInline
package struct OrderIndex<Value: Comparable & Hashable & Sendable>: Sendable {
  /// The entries of a snapshot.
  @usableFromInline
  struct Base: Sendable {
    /// The slots by value, with equal values in the order of the slots. Those without a value come last.
    @usableFromInline
    let slots: [Int32]
    /// The values of the first slots, ascending.
    @usableFromInline
    let values: [Value]
    /// The place of each slot in ``slots``; -1 for holes.
    @usableFromInline
    let ranks: [Int32]

    @inlinable
    init(slots: [Int32], values: [Value], slotLimit: Int) {
      var ranks = [Int32](repeating: -1, count: slotLimit)
      for rank in slots.indices { ranks[Int(slots[rank])] = Int32(truncatingIfNeeded: rank) }
      (self.slots, self.values, self.ranks) = (slots, values, ranks)
    }
  }

  @usableFromInline
  let base: Base
  /// The places in the base that no longer hold, ascending.
  @usableFromInline
  var dropped: [Int32] = []
  /// The values and slots of the records that aren't in the base or have changed, in order.
  @usableFromInline
  var values: [Value] = []
  @usableFromInline
  var slots: [Int32] = []
  /// The slots of those without a value, ascending.
  @usableFromInline
  var others: [Int32] = []

  @inlinable
  init(base: Base) { self.base = base }

  /// Creates the order of a snapshot, in O(n log n).
  @inlinable
  package init<Record: StoredRecord>(
    of snapshot: Snapshot<Record>, by value: (Record) -> Value?
  ) {
    var entries: [(value: Value, slot: Int32)] = []
    entries.reserveCapacity(snapshot.count)
    var others: [Int32] = []
    snapshot.scan(value) { slot, value in
      if let value, value == value {
        entries.append((value, Int32(truncatingIfNeeded: slot)))
      } else {
        others.append(Int32(truncatingIfNeeded: slot))
      }
    }
    entries.sort { Self.precedes($0.value, $0.slot, $1.value, $1.slot) }
    var slots: [Int32] = []
    slots.reserveCapacity(snapshot.count)
    for entry in entries { slots.append(entry.slot) }
    slots += others
    base = Base(slots: slots, values: entries.map { $0.value }, slotLimit: snapshot.slotLimit)
  }

  @inlinable
  @inline(__always)
  static func precedes(_ left: Value, _ leftSlot: Int32, _ right: Value, _ rightSlot: Int32) -> Bool
  {
    left == right ? leftSlot < rightSlot : left < right
  }

  // MARK: Queries

  /// The entries in a range of values, in the base and beside it.
  @usableFromInline
  struct Entries {
    @usableFromInline
    var base: Range<Int>
    @usableFromInline
    var added: Range<Int>

    @inlinable
    init(base: Range<Int>, added: Range<Int>) { (self.base, self.added) = (base, added) }
  }

  /// All entries with a value.
  @inlinable
  var all: Entries { Entries(base: base.values.indices, added: values.indices) }

  /// Returns the entries in a range, none if a bound doesn't equal itself.
  @inlinable
  func entries(in range: ValueRange<Value>) -> Entries {
    Entries(
      base: Self.indices(in: range, of: base.values), added: Self.indices(in: range, of: values))
  }

  @inlinable
  static func indices(in range: ValueRange<Value>, of values: [Value]) -> Range<Int> {
    guard range.isOrdered else { return 0..<0 }
    let start = range.lower.map { lower in values.partitioningIndex { $0 >= lower } } ?? 0
    let end = range.upper.map { upper in
      values.partitioningIndex { range.includesUpper ? $0 > upper : $0 >= upper }
    }
    return start..<max(start, end ?? values.count)
  }

  /// Returns the number of records in a range, in O(log n).
  @inlinable
  package func count(in range: ValueRange<Value>) -> Int {
    let entries = entries(in: range)
    let gone =
      dropped.partitioningIndex { $0 >= entries.base.upperBound }
      - dropped.partitioningIndex { $0 >= entries.base.lowerBound }
    return entries.base.count - gone + entries.added.count
  }

  /// Returns the first slots of a range that a closure accepts, in order, or of all records, those without a value last.
  @inlinable
  package func slots(
    in range: ValueRange<Value>?, _ order: ValueOrder, limit: Int,
    where isIncluded: (Int32) -> Bool = { _ in true }
  ) -> [Int32] {
    guard limit > 0 else { return [] }
    var found: [Int32] = []
    func take(_ slot: Int32) -> Bool {
      if isIncluded(slot) { found.append(slot) }
      return found.count < limit
    }
    let entries = range.map { self.entries(in: $0) } ?? all
    let goesOn =
      order == .ascending
      ? forEachAscending(entries) { _, slot in take(slot) }
      : forEachDescending(entries) { _, slot in take(slot) }
    if goesOn, range == nil { forEachOther(take) }
    return found
  }
}

extension ValueRange {
  /// A Boolean value that indicates whether the bounds have a place in the order of the values, unlike NaN.
  @inlinable
  var isOrdered: Bool {
    if let lower, lower != lower { return false }
    if let upper, upper != upper { return false }
    return true
  }

  /// Returns a Boolean value that indicates whether a value and both bounds have a place in the order, and the range
  /// contains the value.
  @inlinable
  func containsInOrder(_ value: Value) -> Bool { value == value && isOrdered && contains(value) }
}
