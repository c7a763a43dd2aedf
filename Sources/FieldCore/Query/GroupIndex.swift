/// The records of a snapshot grouped by a value, as slots.
///
/// It returns and counts the records with a value in O(1) plus the result. It takes 8 bytes per record, and the
/// distinct values.
///
/// The base covers all records of an earlier snapshot. Beside it are the slots that have changed with their groups.
@usableFromInline
package struct GroupIndex<Value: Hashable & Sendable>: Sendable {
  /// The groups of a snapshot.
  @usableFromInline
  struct Base: Sendable {
    /// The slots by group, ascending within each.
    @usableFromInline
    let slots: [Int32]
    /// The start of each group in ``slots``, and the end of the last.
    @usableFromInline
    let starts: [Int32]
    /// The group of each slot; -1 for holes, and for values that don't equal themselves.
    @usableFromInline
    let groups: [Int32]
    /// The group of each value.
    @usableFromInline
    let numbers: [Value: Int32]

    /// Sorts slots by their group, in O(n).
    @inlinable
    init(groups: [Int32], numbers: [Value: Int32]) {
      let count = numbers.count
      var starts = [Int32](repeating: 0, count: count + 1)
      for group in groups where group >= 0 { starts[Int(group) + 1] += 1 }
      for group in 0..<count { starts[group + 1] += starts[group] }
      var next = starts
      var slots = [Int32](repeating: 0, count: Int(starts[count]))
      for slot in groups.indices where groups[slot] >= 0 {
        let group = Int(groups[slot])
        slots[Int(next[group])] = Int32(truncatingIfNeeded: slot)
        next[group] += 1
      }
      (self.slots, self.starts, self.groups, self.numbers) = (slots, starts, groups, numbers)
    }

    @inlinable
    func slots(of group: Int32) -> ArraySlice<Int32> {
      guard Int(group) < starts.count - 1 else { return [] }
      return slots[Int(starts[Int(group)])..<Int(starts[Int(group) + 1])]
    }

    @inlinable
    func group(of slot: Int32) -> Int32 { Int(slot) < groups.count ? groups[Int(slot)] : -1 }
  }

  @usableFromInline
  let base: Base
  /// The groups of the values that have been added since the base.
  @usableFromInline
  var numbers: [Value: Int32] = [:]
  /// The groups that differ from the base; -1 for none.
  @usableFromInline
  var changed = SlotOverlay<Int32>()

  @inlinable
  init(base: Base) { self.base = base }

  /// Creates the groups of a snapshot, in O(n).
  @inlinable
  package init<Record: StoredRecord>(of snapshot: Snapshot<Record>, by value: (Record) -> Value) {
    var numbers: [Value: Int32] = [:]
    var groups = [Int32](repeating: -1, count: snapshot.slotLimit)
    snapshot.scan(value) { slot, value in
      groups[slot] = Self.group(of: value, known: [:], &numbers)
    }
    self.init(base: Base(groups: groups, numbers: numbers))
  }

  /// Returns the group of a value, a new one if there is none, or -1 for a value that doesn't equal itself.
  @inlinable
  static func group(
    of value: Value, known: [Value: Int32], _ added: inout [Value: Int32]
  ) -> Int32 {
    // Values such as NaN have equal hashes and would all be compared with each other.
    guard value == value else { return -1 }
    if let group = known[value] ?? added[value] { return group }
    let group = Int32(truncatingIfNeeded: known.count + added.count)
    added[value] = group
    return group
  }

  /// Returns the group of a value, or `nil` if no record has had it.
  @inlinable
  func group(of value: Value) -> Int32? { base.numbers[value] ?? numbers[value] }

  // MARK: Queries

  /// Returns the number of records with a value.
  @inlinable
  package func count(of value: Value) -> Int {
    guard let group = group(of: value) else { return 0 }
    var count = base.slots(of: group).count
    for (slot, now) in zip(changed.slots, changed.values) {
      if base.group(of: slot) == group { count -= 1 }
      if now == group { count += 1 }
    }
    return count
  }

  /// Returns the slots of the first records with a value, ascending.
  @inlinable
  package func slots(of value: Value, limit: Int = .max) -> [Int32] {
    guard limit > 0, let group = group(of: value) else { return [] }
    var found: [Int32] = []
    var place = 0
    func takeChanged(upTo slot: Int32) {
      while place < changed.slots.count, changed.slots[place] < slot {
        if changed.values[place] == group, found.count < limit {
          found.append(changed.slots[place])
        }
        place += 1
      }
    }
    for slot in base.slots(of: group) {
      takeChanged(upTo: slot)
      if found.count == limit { return found }
      if place == changed.slots.count || changed.slots[place] != slot { found.append(slot) }
    }
    takeChanged(upTo: .max)
    return found
  }

  // MARK: Changes

  /// Returns the groups after changes, in O(changes) and a copy of what has changed since the base.
  @inlinable
  package func updated<Record: StoredRecord>(
    by changes: SlotChanges<Record>, value: (Record) -> Value
  ) -> Self {
    var next = self
    next.changed = changed.updated(at: changes.slots) { slot, _ in
      let group =
        changes.record(at: slot).map { record in
          Self.group(of: value(record), known: base.numbers, &next.numbers)
        } ?? -1
      return base.group(of: slot) == group ? nil : group
    }
    let limit = Swift.max(64, base.slots.count / 64)
    guard next.changed.slots.count > limit || next.numbers.count > limit else { return next }
    return next.rebased(slotLimit: changes.after.slotLimit)
  }

  /// Returns the same groups with nothing beside their base, in O(n), without the values that no record has.
  @inlinable
  func rebased(slotLimit: Int) -> Self {
    var groups = base.groups
    if groups.count < slotLimit {
      groups += repeatElement(-1, count: slotLimit - groups.count)
    }
    for (slot, group) in zip(changed.slots, changed.values) { groups[Int(slot)] = group }
    var isUsed = [Bool](repeating: false, count: base.numbers.count + numbers.count)
    for group in groups where group >= 0 { isUsed[Int(group)] = true }
    var newGroups = [Int32](repeating: -1, count: isUsed.count)
    var used: [Value: Int32] = [:]
    used.reserveCapacity(isUsed.count)
    for known in [base.numbers, numbers] {
      for (value, group) in known where isUsed[Int(group)] {
        newGroups[Int(group)] = Int32(truncatingIfNeeded: used.count)
        used[value] = newGroups[Int(group)]
      }
    }
    for slot in groups.indices where groups[slot] >= 0 {
      groups[slot] = newGroups[Int(groups[slot])]
    }
    return Self(base: Base(groups: groups, numbers: used))
  }
}

// MARK: - Storing

extension GroupIndex {
  /// Returns the form of the groups of a field that is declared in a place.
  @usableFromInline
  static func form<Record: StoredRecord>(
    _ place: Int, _ path: AnyKeyPath, by value: @escaping @Sendable (Record) -> Value
  ) -> IndexForm<Record, Self> {
    IndexForm(name: "field\(place)", declaration: path.stableDescription(in: Record.self)) {
      index, limit, bytes in
      index.write(slotLimit: limit, to: &bytes)
    } read: { reader, limit in
      Self(from: &reader, slotLimit: limit)
    } agrees: { index, slot, record in
      index.agrees(slot, record.map(value))
    } samples: {
      $0.samples
    }
  }

  private func write(slotLimit: Int, to bytes: inout [UInt8]) -> Bool {
    let isBaseOnly = changed.slots.isEmpty && numbers.isEmpty
    let base = isBaseOnly ? base : rebased(slotLimit: slotLimit).base
    bytes.append(numbers: base.groups)
    let ordered = base.numbers.sorted { $0.value < $1.value }
    return bytes.append(values: ordered.map(\.key))
  }

  private init?(from reader: inout SectionReader, slotLimit: Int) {
    guard let groups = reader.numbers(Int32.self), groups.count <= slotLimit,
      let values = reader.values(Value.self),
      groups.allSatisfy({ $0 >= -1 && Int($0) < values.count })
    else { return nil }
    var numbers: [Value: Int32] = [:]
    numbers.reserveCapacity(values.count)
    for (number, value) in values.enumerated() {
      guard numbers.updateValue(Int32(truncatingIfNeeded: number), forKey: value) == nil else {
        return nil
      }
    }
    self.init(base: Base(groups: groups, numbers: numbers))
  }

  private func agrees(_ slot: Int32, _ value: Value?) -> Bool {
    guard let value, value == value else { return base.group(of: slot) < 0 }
    return base.numbers[value] == base.group(of: slot)
  }

  /// The first slots of some groups.
  private var samples: [Int32] {
    let count = base.starts.count - 1
    guard count > 0 else { return [] }
    return (0...16).compactMap {
      base.slots(of: Int32(truncatingIfNeeded: $0 * (count - 1) / 16)).first
    }
  }
}
