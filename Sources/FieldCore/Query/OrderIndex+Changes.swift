extension OrderIndex {
  /// Returns the order after changes, in O(changes · log n) and a copy of what has changed since the base.
  ///
  /// - Parameters:
  ///   - ties: A closure that returns whether one record comes before another if both have equal values, or none. No
  ///     two are equal, and the result for two records with values depends on their IDs only. Defaults to the order of
  ///     the slots.
  ///   - value: A closure that returns the value of a record.
  @inlinable
  package func updated<Record: StoredRecord>(
    by changes: SlotChanges<Record>, ties: ((Record, Record) -> Bool)? = nil,
    value: (Record) -> Value?
  ) -> Self {
    var (stale, restored) = ([] as [Int32], [] as [Int32])
    var new: [(value: Value?, slot: Int32, record: Record)] = []
    for slot in changes.slots {
      let record = changes.record(at: slot)
      let value = record.flatMap(value).flatMap { $0 == $0 ? $0 : nil }
      let place = base.rank(of: slot)
      let rank = Int32(truncatingIfNeeded: place)
      var isInBase = false
      if record != nil, place >= 0 {
        // Entries beside the base may have been ordered without regard to places that don't hold.
        isInBase =
          value.map { base.places(of: $0).contains(place) && !(ties != nil && isDropped(rank)) }
          ?? (ties == nil && place >= base.valuedCount)
      }
      if place >= 0 {
        if isInBase { restored.append(rank) } else { stale.append(rank) }
      }
      if !isInBase, let record { new.append((value, slot, record)) }
    }
    if new.isEmpty, stale.isEmpty, isBaseOnly { return self }
    new.sort { left, right in
      Self.precedes(left.value, right.value)
        ?? (ties.map { $0(left.record, right.record) } ?? (left.slot < right.slot))
    }
    stale.sort()
    restored.sort()
    var next = OrderIndex(base: base)
    next.dropped = dropped.subtracting(sorted: restored).subtracting(sorted: stale)
      .merging(sorted: stale)
    next.slots.reserveCapacity(slots.count + new.count)
    next.places.reserveCapacity(slots.count + new.count)
    next.values.reserveCapacity(values.count + new.count)
    var place = 0
    func addNew(before old: (value: Value?, slot: Int32)?) {
      while place < new.count {
        let entry = new[place]
        if let old {
          let isFirst =
            Self.precedes(entry.value, old.value)
            ?? (ties.flatMap { ties in changes.record(at: old.slot).map { ties(entry.record, $0) } }
              ?? (entry.slot < old.slot))
          guard isFirst else { return }
        }
        next.append(
          entry.value, entry.slot, before: next.place(of: entry, in: changes, ties: ties))
        place += 1
      }
    }
    for old in slots.indices where !changes.slots.contains(sorted: slots[old]) {
      let value = old < values.count ? values[old] : nil
      addNew(before: (value, slots[old]))
      next.append(value, slots[old], before: Int(places[old]))
    }
    addNew(before: nil)
    return next.slots.count + next.dropped.count > Swift.max(64, base.slots.count / 32)
      ? next.rebased(slotLimit: changes.after.slotLimit) : next
  }

  @inlinable
  var isBaseOnly: Bool { dropped.isEmpty && slots.isEmpty }

  @inlinable
  func isDropped(_ rank: Int32) -> Bool { dropped.contains(sorted: rank) }

  /// Returns whether the first value comes first, or `nil` if they are equal.
  @inlinable
  static func precedes(_ left: Value?, _ right: Value?) -> Bool? {
    guard let left, let right else {
      return left == nil && right == nil ? nil : right == nil
    }
    return left == right ? nil : left < right
  }

  /// Returns the place in the base before which an entry comes.
  @inlinable
  func place<Record: StoredRecord>(
    of entry: (value: Value?, slot: Int32, record: Record), in changes: SlotChanges<Record>,
    ties: ((Record, Record) -> Bool)?
  ) -> Int {
    let range =
      entry.value.map { base.places(of: $0) } ?? base.valuedCount..<base.slots.count
    guard let ties else {
      return base.slots[range].partitioningIndex { $0 > entry.slot }
    }
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      var known = middle
      var record: Record?
      // A place that doesn't hold isn't in the order, and its record may be gone.
      while known < high {
        if !isDropped(Int32(truncatingIfNeeded: known)) {
          record = changes.record(at: base.slots[known])
        }
        if record != nil { break }
        known += 1
      }
      if let record, ties(record, entry.record) { low = known + 1 } else { high = middle }
    }
    return low
  }

  /// Adds an entry that comes after all others of its kind.
  @inlinable
  mutating func append(_ value: Value?, _ slot: Int32, before place: Int) {
    if let value { values.append(value) }
    slots.append(slot)
    // Where places don't hold, one entry may have been put before them, and another behind them.
    places.append(Swift.max(Int32(truncatingIfNeeded: place), places.last ?? 0))
  }

  /// Returns the same order with nothing beside its base, in O(n).
  @inlinable
  func rebased(slotLimit: Int) -> Self {
    var (slots, starts, values) = ([] as [Int32], [] as [Int32], [] as [Value])
    slots.reserveCapacity(base.slots.count + self.slots.count)
    starts.reserveCapacity(base.starts.count)
    values.reserveCapacity(base.values.count)
    var added = 0
    func add(_ places: Range<Int>, _ entries: Range<Int>) {
      forEach(at: places, entries) { slot in
        slots.append(slot)
        return true
      }
    }
    func add(_ value: Value, _ places: Range<Int>) {
      let start = slots.count
      var end = added
      while end < self.values.count, self.values[end] == value { end += 1 }
      add(places, added..<end)
      added = end
      guard slots.count > start else { return }
      starts.append(Int32(truncatingIfNeeded: start))
      values.append(value)
    }
    for index in base.values.indices {
      let places = base.places(of: index..<index + 1)
      while added < self.values.count, self.values[added] < base.values[index] {
        add(self.values[added], places.lowerBound..<places.lowerBound)
      }
      add(base.values[index], places)
    }
    while added < self.values.count {
      add(self.values[added], base.valuedCount..<base.valuedCount)
    }
    starts.append(Int32(truncatingIfNeeded: slots.count))
    add(base.valuedCount..<base.slots.count, self.values.count..<self.slots.count)
    return Self(base: Base(slots: slots, values: values, starts: starts, slotLimit: slotLimit))
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
