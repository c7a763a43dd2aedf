/// The records of a snapshot in one order, as slots.
///
/// It finds the records of a range of values, and lists any set of slots in its order, without
/// looking at a record. It takes 8 to 16 bytes per record.
@usableFromInline
package struct SlotOrder: Sendable {
  @usableFromInline
  package let slots: [Int32]
  /// The place of each slot in ``slots``; -1 for holes.
  private let ranks: [Int32]
  /// The values of the first slots, ascending, and negative if the order is descending. The slots
  /// without a value come after them.
  private let values: [Double]
  private let isDescending: Bool

  @usableFromInline
  init(slots: [Int32], slotLimit: Int, values: [Double], isDescending: Bool) {
    self.slots = slots
    self.values = values
    self.isDescending = isDescending
    var ranks = [Int32](repeating: -1, count: slotLimit)
    for (rank, slot) in slots.enumerated() { ranks[Int(slot)] = Int32(rank) }
    self.ranks = ranks
  }

  /// Creates the order of a key.
  ///
  /// - Parameters:
  ///   - key: A closure that returns the key of a record, of which no two are equal.
  ///   - stored: A closure that reads the key from a record's stored form.
  ///   - precedes: A closure that returns whether one key comes before another.
  @inlinable
  package init<Record: StoredRecord, Key>(
    of snapshot: Snapshot<Record>, key: (Record) -> Key,
    stored: ((inout RecordReader) throws -> Key)? = nil, precedes: (Key, Key) -> Bool
  ) {
    var entries: [(key: Key, slot: Int32)] = []
    entries.reserveCapacity(snapshot.count)
    snapshot.scan(key, stored: stored) { entries.append(($1, Int32($0))) }
    entries.sort { precedes($0.key, $1.key) }
    self.init(
      slots: entries.map(\.slot), slotLimit: snapshot.slotLimit, values: [], isDescending: false)
  }

  /// Creates the order of a value, in which records without a value are last.
  ///
  /// The result is `nil` if a value is no number, because such a value has no place.
  ///
  /// - Parameters:
  ///   - ties: An order of the same snapshot, which decides between equal values.
  ///   - stored: A closure that reads the value from a record's stored form.
  ///   - value: A closure that returns the value of a record.
  @inlinable
  package init?<Record: StoredRecord>(
    of snapshot: Snapshot<Record>, ties: SlotOrder, descending isDescending: Bool,
    stored: ((inout RecordReader) throws -> Double?)? = nil, by value: (Record) -> Double?
  ) {
    var values = [Double?](repeating: nil, count: snapshot.slotLimit)
    snapshot.scan(value, stored: stored) { values[$0] = $1 }
    var entries: [(value: Double, tie: Int32)] = []
    var others: [Int32] = []
    for (tie, slot) in ties.slots.enumerated() {
      switch values[Int(slot)] {
      case let value?:
        if value.isNaN { return nil }
        entries.append((isDescending ? -value : value, Int32(tie)))
      case nil:
        others.append(slot)
      }
    }
    entries.sort { $0.value == $1.value ? $0.tie < $1.tie : $0.value < $1.value }
    self.init(
      slots: entries.map { ties.slots[Int($0.tie)] } + others, slotLimit: snapshot.slotLimit,
      values: entries.map(\.value), isDescending: isDescending)
  }

  /// Returns the slots whose values lie in a range, in order, or `nil` if a bound is no number.
  package func slots(in range: ValueRange<Double>) -> ArraySlice<Int32>? {
    var (lower, upper) = (range.lower, range.upper)
    if lower?.isNaN == true || upper?.isNaN == true { return nil }
    if isDescending { (lower, upper) = (upper.map { -$0 }, lower.map { -$0 }) }
    // The bounds are included here, so the caller tests a bound that isn't.
    let start = lower.map { lower in values.partitioningIndex { $0 >= lower } } ?? 0
    let end = upper.map { upper in values.partitioningIndex { $0 > upper } } ?? values.count
    return slots[start..<max(start, end)]
  }

  /// Returns those of the given slots that the order knows, in its order.
  package func sorted(_ found: some Sequence<Int32>) -> [Int32] {
    var bits = [UInt64](repeating: 0, count: slots.count / 64 + 1)
    var count = 0
    for slot in found where Int(slot) < ranks.count {
      let rank = Int(ranks[Int(slot)])
      guard rank >= 0 else { continue }
      bits[rank >> 6] |= 1 << UInt64(rank & 63)
      count += 1
    }
    var sorted: [Int32] = []
    sorted.reserveCapacity(count)
    for (index, word) in bits.enumerated() {
      var rest = word
      while rest != 0 {
        sorted.append(slots[index << 6 + rest.trailingZeroBitCount])
        rest &= rest - 1
      }
    }
    return sorted
  }
}
