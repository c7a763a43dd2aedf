public import FieldFoundation

// What the records of several kits are made of. It is inlined there, as the single values are.

extension RecordWriter {
  /// Writes a date to the bit.
  @inlinable
  package mutating func write(_ date: Date) { write(date.timeIntervalSinceReferenceDate) }

  /// Writes a date or its absence.
  @inlinable
  package mutating func write(_ date: Date?) { write(date?.timeIntervalSinceReferenceDate) }

  /// Writes how many elements there are, and each with `body`.
  @inlinable
  package mutating func write<Element>(
    _ elements: [Element], _ body: (inout RecordWriter, Element) -> Void
  ) {
    write(UInt64(elements.count))
    for element in elements { body(&self, element) }
  }
}

extension RecordReader {
  /// Reads a date.
  @inlinable
  package mutating func date() throws -> Date {
    Date(timeIntervalSinceReferenceDate: try double())
  }

  /// Reads a date or its absence.
  @inlinable
  package mutating func optionalDate() throws -> Date? {
    try optionalDouble().map(Date.init(timeIntervalSinceReferenceDate:))
  }

  /// Reads as many elements as there are, each with `body`; each takes a byte at least.
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
