public import FieldFoundation

// Values that records of several kits have in common, inlined there like single values.

extension RecordWriter {
  /// Writes a date exactly.
  @inlinable
  package mutating func write(_ date: Date) { write(date.timeIntervalSinceReferenceDate) }

  @inlinable
  package mutating func write(_ date: Date?) { write(date?.timeIntervalSinceReferenceDate) }

  /// Writes the number of elements, and each element with `body`.
  @inlinable
  package mutating func write<Element>(
    _ elements: [Element], _ body: (inout RecordWriter, Element) -> Void
  ) {
    write(UInt64(elements.count))
    for element in elements { body(&self, element) }
  }
}

extension RecordReader {
  @inlinable
  package mutating func date() throws -> Date {
    Date(timeIntervalSinceReferenceDate: try double())
  }

  @inlinable
  package mutating func optionalDate() throws -> Date? {
    try optionalDouble().map(Date.init(timeIntervalSinceReferenceDate:))
  }

  /// Skips elements with `body`, after their number; each takes at least one byte.
  @inlinable
  package mutating func skipArray(_ body: (inout RecordReader) throws -> Void) throws {
    for _ in 0..<(try count()) { try body(&self) }
  }

  /// Reads elements with `body`, after their number; each takes at least one byte.
  @inlinable
  package mutating func array<Element>(
    _ body: (inout RecordReader) throws -> Element
  ) throws -> [Element] {
    let count = try count()
    var elements: [Element] = []
    elements.reserveCapacity(count)
    for _ in 0..<count { elements.append(try body(&self)) }
    return elements
  }
}
