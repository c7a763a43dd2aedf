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
