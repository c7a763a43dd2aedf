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
