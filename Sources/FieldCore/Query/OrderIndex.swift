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

// MARK: - Changes

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

// MARK: - Finding

extension OrderIndex {
  // MARK: Queries

  /// The entries in a range of values: the distinct values of the base, and the entries beside it.
  @usableFromInline
  struct Entries {
    @usableFromInline
    var values: Range<Int>
    @usableFromInline
    var added: Range<Int>

    @inlinable
    init(values: Range<Int>, added: Range<Int>) { (self.values, self.added) = (values, added) }
  }

  /// All entries with a value.
  @inlinable
  var all: Entries { Entries(values: base.values.indices, added: values.indices) }

  /// Returns the entries in a range, none if a bound doesn't equal itself.
  @inlinable
  func entries(in range: ValueRange<Value>) -> Entries {
    Entries(
      values: Self.indices(in: range, of: base.values), added: Self.indices(in: range, of: values))
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
    let places = base.places(of: entries.values)
    let gone =
      dropped.partitioningIndex { $0 >= places.upperBound }
      - dropped.partitioningIndex { $0 >= places.lowerBound }
    return places.count - gone + entries.added.count
  }

  /// Returns the first slots of a range that a closure accepts, in order, or of all records, those without a value last.
  @inlinable
  package func slots(
    in range: ValueRange<Value>?, _ order: ValueOrder, limit: Int,
    where isIncluded: (Int32) -> Bool = { _ in true }
  ) -> [Int32] {
    guard limit > 0 else { return [] }
    var found: [Int32] = []
    forEach(in: range, order) { slot in
      if isIncluded(slot) { found.append(slot) }
      return found.count < limit
    }
    return found
  }

  /// Passes the slots of a range, in order, or of all records, those without a value last, until `body` returns `false`.
  @inlinable
  package func forEach(
    in range: ValueRange<Value>?, _ order: ValueOrder, _ body: (Int32) -> Bool
  ) {
    let entries = range.map { self.entries(in: $0) } ?? all
    let goesOn =
      order == .ascending
      ? forEach(at: base.places(of: entries.values), entries.added, body)
      : forEachDescending(entries, body)
    guard goesOn, range == nil else { return }
    forEach(at: base.valuedCount..<base.slots.count, values.count..<slots.count, body)
  }

  // MARK: Traversing

  /// Passes the slots at some places of the base, and those of entries beside it, in order until `body` returns
  /// `false`, and returns whether it never did.
  @inlinable
  @discardableResult
  func forEach(at places: Range<Int>, _ entries: Range<Int>, _ body: (Int32) -> Bool) -> Bool {
    if entries.isEmpty, dropped.isEmpty {
      for place in places where !body(base.slots[place]) { return false }
      return true
    }
    var (place, added) = (places.lowerBound, entries.lowerBound)
    var gone = dropped.partitioningIndex { $0 >= place }
    while true {
      while place < places.upperBound, gone < dropped.count, Int(dropped[gone]) == place {
        (place, gone) = (place + 1, gone + 1)
      }
      if added < entries.upperBound,
        place == places.upperBound || Int(self.places[added]) <= place
      {
        guard body(slots[added]) else { return false }
        added += 1
      } else if place < places.upperBound {
        guard body(base.slots[place]) else { return false }
        place += 1
      } else {
        return true
      }
    }
  }

  /// Passes entries in descending order, with those of equal values as in the ascending one, until `body` returns
  /// `false`, and returns whether it never did.
  @inlinable
  @discardableResult
  func forEachDescending(_ entries: Entries, _ body: (Int32) -> Bool) -> Bool {
    if entries.added.isEmpty, dropped.isEmpty {
      var end = Int(base.starts[entries.values.upperBound])
      for value in entries.values.reversed() {
        let start = Int(base.starts[value])
        for place in start..<end where !body(base.slots[place]) { return false }
        end = start
      }
      return true
    }
    var (value, added) = (entries.values.upperBound, entries.added.upperBound)
    while true {
      let hasKnown = value > entries.values.lowerBound
      var isKnown = hasKnown
      var first = added
      if added > entries.added.lowerBound {
        let new = values[added - 1]
        isKnown = hasKnown && !(base.values[value - 1] < new)
        if !hasKnown || !(new < base.values[value - 1]) {
          first = values[entries.added.lowerBound..<added].partitioningIndex { $0 >= new }
        }
      } else if !hasKnown {
        return true
      }
      let last = value
      if isKnown { value -= 1 }
      guard forEach(at: base.places(of: value..<last), first..<added, body) else { return false }
      added = first
    }
  }

  // MARK: Ordering

  /// Passes those of the given slots that the index contains, in order, with those without a value last, until `body`
  /// returns `false`.
  @inlinable
  package func forEach(
    among found: some Sequence<Int32>, _ order: ValueOrder, _ body: (Int32) -> Bool
  ) {
    let sorted = sorted(found)
    let valued = order == .ascending ? 0 : sorted.partitioningIndex { !hasValue($0) }
    var end = valued
    while end > 0 {
      let start = startOfRun(endingAt: end, of: sorted)
      for entry in sorted[start..<end] where !body(slot(of: entry)) { return }
      end = start
    }
    for entry in sorted[valued...] where !body(slot(of: entry)) { return }
  }

  /// Returns the entries of slots, in order: a place in the base, or the complement of an index beside it.
  @usableFromInline
  func sorted(_ found: some Sequence<Int32>) -> [Int32] {
    var bits = [UInt64](repeating: 0, count: base.slots.count / 64 + 1)
    var count = 0
    var added: [Int32] = []
    lazy var bySlot = slots.indices.sorted { slots[$0] < slots[$1] }
    for slot in found {
      let rank = base.rank(of: slot)
      if rank >= 0, dropped.isEmpty || !dropped.contains(sorted: Int32(truncatingIfNeeded: rank)) {
        bits[rank >> 6] |= 1 << UInt64(rank & 63)
        count += 1
      } else if !slots.isEmpty {
        let place = bySlot.partitioningIndex { slots[$0] >= slot }
        guard place < bySlot.count, slots[bySlot[place]] == slot else { continue }
        added.append(Int32(truncatingIfNeeded: bySlot[place]))
      }
    }
    added.sort()
    var sorted: [Int32] = []
    sorted.reserveCapacity(count + added.count)
    var next = 0
    for (index, word) in bits.enumerated() {
      var rest = word
      while rest != 0 {
        let place = Int32(truncatingIfNeeded: index << 6 + rest.trailingZeroBitCount)
        while next < added.count, places[Int(added[next])] <= place {
          sorted.append(~added[next])
          next += 1
        }
        sorted.append(place)
        rest &= rest - 1
      }
    }
    sorted += added[next...].map { ~$0 }
    return sorted
  }

  @inlinable
  func slot(of entry: Int32) -> Int32 {
    entry >= 0 ? base.slots[Int(entry)] : slots[Int(~entry)]
  }

  @inlinable
  func hasValue(_ entry: Int32) -> Bool {
    entry >= 0 ? Int(entry) < base.valuedCount : Int(~entry) < values.count
  }

  /// Returns the position of the first of the entries before a position that have the same value as the last of them.
  @inlinable
  func startOfRun(endingAt end: Int, of entries: [Int32]) -> Int {
    let last = entries[end - 1]
    let value =
      last >= 0
      ? base.values[base.starts.partitioningIndex { $0 > last } - 1] : values[Int(~last)]
    let places = base.places(of: value)
    var start = end - 1
    while start > 0 {
      let entry = entries[start - 1]
      let isEqual = entry >= 0 ? places.contains(Int(entry)) : values[Int(~entry)] == value
      guard isEqual else { break }
      start -= 1
    }
    return start
  }
}

extension ValueRange {
  /// A Boolean value that indicates whether the bounds have a place in the order of the values, unlike NaN.
  @inlinable
  package var isOrdered: Bool {
    if let lower, lower != lower { return false }
    if let upper, upper != upper { return false }
    return true
  }

  /// Returns a Boolean value that indicates whether a value and both bounds have a place in the order, and the range
  /// contains the value.
  @inlinable
  func containsInOrder(_ value: Value) -> Bool { value == value && isOrdered && contains(value) }
}

// MARK: - Storing

extension OrderIndex {
  /// Returns the form of the order of a field that is declared in a place.
  @usableFromInline
  static func form<Record: StoredRecord>(
    _ place: Int, _ path: AnyKeyPath, by value: @escaping @Sendable (Record) -> Value?
  ) -> IndexForm<Record, Self> {
    form("field\(place)", path.stableDescription(in: Record.self), by: value)
  }

  /// Returns the form of an order.
  ///
  /// - Parameters:
  ///   - name: The name of its section.
  ///   - declaration: A description of the order.
  ///   - value: A closure that returns the value of a record.
  package static func form<Record: StoredRecord>(
    _ name: String, _ declaration: String, by value: @escaping @Sendable (Record) -> Value?
  ) -> IndexForm<Record, Self> {
    IndexForm(name: name, declaration: declaration) { index, limit, bytes in
      index.write(slotLimit: limit, to: &bytes)
    } read: { reader, limit in
      Self(from: &reader, slotLimit: limit)
    } agrees: { index, slot, record in
      index.agrees(slot, isThere: record != nil, record.flatMap(value))
    } samples: {
      $0.samples
    }
  }

  private func write(slotLimit: Int, to bytes: inout [UInt8]) -> Bool {
    let base = isBaseOnly ? base : rebased(slotLimit: slotLimit).base
    bytes.append(numbers: base.slots)
    bytes.append(numbers: base.starts)
    return bytes.append(values: base.values)
  }

  private init?(from reader: inout SectionReader, slotLimit: Int) {
    guard let slots = reader.numbers(Int32.self), let starts = reader.numbers(Int32.self),
      let values = reader.values(Value.self), starts.count == values.count + 1, starts[0] == 0,
      Int(starts[values.count]) <= slots.count, zip(starts, starts.dropFirst()).allSatisfy(<),
      slots.areDistinct(below: slotLimit)
    else { return nil }
    self.init(base: Base(slots: slots, values: values, starts: starts, slotLimit: slotLimit))
  }

  private func agrees(_ slot: Int32, isThere: Bool, _ value: Value?) -> Bool {
    let place = base.rank(of: slot)
    guard isThere, place >= 0 else { return !isThere && place < 0 }
    guard let value, value == value else { return place >= base.valuedCount }
    return base.places(of: value).contains(place)
  }

  /// The slots of values from the smallest to the greatest.
  private var samples: [Int32] {
    let count = base.valuedCount
    guard count > 0 else { return [] }
    return (0...16).map { base.slots[$0 * (count - 1) / 16] }
  }
}

extension [Int32] {
  /// Returns a Boolean value that indicates whether the numbers are slots below a limit, and each occurs once.
  func areDistinct(below limit: Int) -> Bool {
    guard count <= limit else { return false }
    var isThere = [Bool](repeating: false, count: limit)
    for slot in self {
      guard slot >= 0, Int(slot) < limit, !isThere[Int(slot)] else { return false }
      isThere[Int(slot)] = true
    }
    return true
  }
}
