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
