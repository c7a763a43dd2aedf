extension OrderIndex {
  /// Returns the form of the order of a field that is declared in a place.
  @usableFromInline
  static func form<Record: StoredRecord>(
    _ place: Int, _ path: AnyKeyPath, by value: @escaping @Sendable (Record) -> Value?
  ) -> IndexForm<Record, Self> {
    IndexForm(name: "field\(place)", declaration: path.stableDescription(in: Record.self)) {
      index, limit, bytes in
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
    return bytes.append(values: base.values)
  }

  private init?(from reader: inout SectionReader, slotLimit: Int) {
    guard let slots = reader.numbers(Int32.self), let values = reader.values(Value.self),
      values.count <= slots.count, slots.areDistinct(below: slotLimit)
    else { return nil }
    self.init(base: Base(slots: slots, values: values, slotLimit: slotLimit))
  }

  private func agrees(_ slot: Int32, isThere: Bool, _ value: Value?) -> Bool {
    let rank = Int(slot) < base.ranks.count ? Int(base.ranks[Int(slot)]) : -1
    guard isThere, rank >= 0 else { return !isThere && rank < 0 }
    guard let value, value == value else { return rank >= base.values.count }
    return rank < base.values.count && base.values[rank] == value
  }

  /// The slots of values from the smallest to the greatest.
  private var samples: [Int32] {
    let count = base.values.count
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
