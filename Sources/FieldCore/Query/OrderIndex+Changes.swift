extension OrderIndex {
  // MARK: Traversing

  /// Passes entries in ascending order until `body` returns `false`, and returns whether it never did.
  @inlinable
  @discardableResult
  func forEachAscending(_ entries: Entries, _ body: (Value, Int32) -> Bool) -> Bool {
    var (place, added) = (entries.base.lowerBound, entries.added.lowerBound)
    var gone = dropped.isEmpty ? 0 : dropped.partitioningIndex { $0 >= place }
    while true {
      while gone < dropped.count, Int(dropped[gone]) == place {
        (place, gone) = (place + 1, gone + 1)
      }
      let hasAdded = added < entries.added.upperBound
      if place < entries.base.upperBound,
        !hasAdded
          || Self.precedes(base.values[place], base.slots[place], values[added], slots[added])
      {
        guard body(base.values[place], base.slots[place]) else { return false }
        place += 1
      } else if hasAdded {
        guard body(values[added], slots[added]) else { return false }
        added += 1
      } else {
        return true
      }
    }
  }

  /// Passes entries in descending order, with those of equal values in the order of the slots, until `body` returns
  /// `false`, and returns whether it never did.
  @inlinable
  @discardableResult
  func forEachDescending(_ entries: Entries, _ body: (Value, Int32) -> Bool) -> Bool {
    var rest = entries
    while let greatest = Self.greater(base.values[rest.base].last, values[rest.added].last) {
      let run = Entries(
        base: Self.run(of: greatest, in: base.values, rest.base),
        added: Self.run(of: greatest, in: values, rest.added))
      guard forEachAscending(run, body) else { return false }
      rest.base = rest.base.lowerBound..<run.base.lowerBound
      rest.added = rest.added.lowerBound..<run.added.lowerBound
    }
    return true
  }

  /// Passes the slots of the records without a value in ascending order until `body` returns `false`.
  @inlinable
  func forEachOther(_ body: (Int32) -> Bool) {
    var (place, added) = (base.values.count, 0)
    var gone = dropped.partitioningIndex { $0 >= place }
    while true {
      while gone < dropped.count, Int(dropped[gone]) == place {
        (place, gone) = (place + 1, gone + 1)
      }
      if place < base.slots.count, added == others.count || base.slots[place] < others[added] {
        guard body(base.slots[place]) else { return }
        place += 1
      } else if added < others.count {
        guard body(others[added]) else { return }
        added += 1
      } else {
        return
      }
    }
  }

  @inlinable
  static func greater(_ left: Value?, _ right: Value?) -> Value? {
    guard let left, let right else { return left ?? right }
    return left < right ? right : left
  }

  /// Returns the indices of the values that equal one that none in the range exceeds.
  @inlinable
  static func run(of value: Value, in values: [Value], _ range: Range<Int>) -> Range<Int> {
    // Mostly, there is none or one.
    var start = range.upperBound
    if start > range.lowerBound, values[start - 1] == value { start -= 1 }
    if start < range.upperBound, start > range.lowerBound, values[start - 1] == value {
      start = values[range.lowerBound..<start].partitioningIndex { $0 >= value }
    }
    return start..<range.upperBound
  }

  // MARK: Changes

  /// Returns the order after changes, in O(changes · log changes) and a copy of what has changed since the base.
  @inlinable
  package func updated<Record: StoredRecord>(
    by changes: SlotChanges<Record>, value: (Record) -> Value?
  ) -> Self {
    var (stale, restored) = ([] as [Int32], [] as [Int32])
    var (new, newOthers) = ([] as [(value: Value, slot: Int32)], [] as [Int32])
    for slot in changes.slots {
      let record = changes.record(at: slot)
      let value = record.flatMap(value).flatMap { $0 == $0 ? $0 : nil }
      let rank = Int(slot) < base.ranks.count ? Int(base.ranks[Int(slot)]) : -1
      let isInBase: Bool
      if let value {
        isInBase = base.values.indices.contains(rank) && base.values[rank] == value
      } else {
        isInBase = record != nil && rank >= base.values.count
      }
      if rank >= 0 {
        if isInBase {
          restored.append(Int32(truncatingIfNeeded: rank))
        } else {
          stale.append(Int32(truncatingIfNeeded: rank))
        }
      }
      guard !isInBase else { continue }
      if let value { new.append((value, slot)) } else if record != nil { newOthers.append(slot) }
    }
    if new.isEmpty, newOthers.isEmpty, stale.isEmpty, isBaseOnly { return self }
    new.sort { Self.precedes($0.value, $0.slot, $1.value, $1.slot) }
    var next = OrderIndex(base: base)
    stale.sort()
    restored.sort()
    next.dropped = dropped.subtracting(sorted: restored).subtracting(sorted: stale)
      .merging(sorted: stale)
    next.others = others.subtracting(sorted: changes.slots).merging(sorted: newOthers)
    next.merge(values, slots, without: changes.slots, new)
    return next.slots.count + next.others.count + next.dropped.count
      > Swift.max(64, base.slots.count / 32)
      ? next.rebased(slotLimit: changes.after.slotLimit) : next
  }

  @inlinable
  var isBaseOnly: Bool { dropped.isEmpty && slots.isEmpty && others.isEmpty }

  /// Sets the entries beside the base to earlier ones, without those of some slots, and new ones.
  @inlinable
  mutating func merge(
    _ oldValues: [Value], _ oldSlots: [Int32], without changed: [Int32],
    _ new: [(value: Value, slot: Int32)]
  ) {
    values.reserveCapacity(oldValues.count + new.count)
    slots.reserveCapacity(oldValues.count + new.count)
    var next = 0
    func add(_ value: Value, _ slot: Int32) {
      values.append(value)
      slots.append(slot)
    }
    for place in oldSlots.indices where !changed.contains(sorted: oldSlots[place]) {
      let (value, slot) = (oldValues[place], oldSlots[place])
      while next < new.count, Self.precedes(new[next].value, new[next].slot, value, slot) {
        add(new[next].value, new[next].slot)
        next += 1
      }
      add(value, slot)
    }
    while next < new.count {
      add(new[next].value, new[next].slot)
      next += 1
    }
  }

  /// Returns the same order with nothing beside its base, in O(n).
  @inlinable
  func rebased(slotLimit: Int) -> Self {
    var (values, slots) = ([] as [Value], [] as [Int32])
    values.reserveCapacity(base.values.count + self.values.count)
    slots.reserveCapacity(base.slots.count + self.slots.count + others.count)
    forEachAscending(all) { value, slot in
      values.append(value)
      slots.append(slot)
      return true
    }
    forEachOther { slot in
      slots.append(slot)
      return true
    }
    return Self(base: Base(slots: slots, values: values, slotLimit: slotLimit))
  }
}

extension [Int32] {
  /// Returns whether an ascending array contains a number.
  @inlinable
  package func contains(sorted number: Int32) -> Bool {
    let place = partitioningIndex { $0 >= number }
    return place < count && self[place] == number
  }

  /// Returns the numbers of this ascending array that another doesn't contain.
  @inlinable
  package func subtracting(sorted other: [Int32]) -> [Int32] {
    guard !isEmpty, !other.isEmpty else { return self }
    var rest: [Int32] = []
    rest.reserveCapacity(count)
    var place = other.partitioningIndex { $0 >= self[0] }
    for number in self {
      while place < other.count, other[place] < number { place += 1 }
      if place == other.count || other[place] != number { rest.append(number) }
    }
    return rest
  }

  /// Returns the numbers of this ascending array and another, which has none of them, in order.
  @inlinable
  package func merging(sorted other: [Int32]) -> [Int32] {
    guard !other.isEmpty else { return self }
    guard !isEmpty else { return other }
    var merged: [Int32] = []
    merged.reserveCapacity(count + other.count)
    var place = 0
    for number in self {
      while place < other.count, other[place] < number {
        merged.append(other[place])
        place += 1
      }
      merged.append(number)
    }
    merged += other[place...]
    return merged
  }
}
