/// Values by slot that an index has beside its base, because they have changed since.
@usableFromInline
package struct SlotOverlay<Value: Sendable>: Sendable {
  /// The slots, ascending.
  @usableFromInline
  var slots: [Int32] = []
  /// Their values.
  @usableFromInline
  var values: [Value] = []

  @inlinable
  init() {}

  /// Returns the values after changes, in O(changes) and a copy of these values.
  ///
  /// - Parameters:
  ///   - changed: The slots that have changed, ascending.
  ///   - value: A closure that returns the value of a slot, given the one here; `nil` if there is none.
  @inlinable
  func updated(at changed: [Int32], _ value: (Int32, _ known: Value?) -> Value?) -> Self {
    var next = Self()
    var place = 0
    for slot in changed {
      while place < slots.count, slots[place] < slot {
        next.append(slots[place], values[place])
        place += 1
      }
      var known: Value?
      if place < slots.count, slots[place] == slot {
        known = values[place]
        place += 1
      }
      if let value = value(slot, known) { next.append(slot, value) }
    }
    next.slots += slots[place...]
    next.values += values[place...]
    return next
  }

  /// Returns the value of a slot, or `nil` if it has none here.
  func value(at slot: Int32) -> Value? {
    let place = slots.partitioningIndex { $0 >= slot }
    return place < slots.count && slots[place] == slot ? values[place] : nil
  }

  @inlinable
  mutating func append(_ slot: Int32, _ value: Value) {
    slots.append(slot)
    values.append(value)
  }
}
