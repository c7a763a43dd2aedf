internal import FieldCore

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension RecordWriter {
  mutating func write(_ date: Date) { write(date.timeIntervalSinceReferenceDate) }

  mutating func write(_ date: Date?) { write(date?.timeIntervalSinceReferenceDate) }

  mutating func write<Element>(
    _ elements: [Element], _ body: (inout RecordWriter, Element) -> Void
  ) {
    write(UInt64(elements.count))
    for element in elements { body(&self, element) }
  }
}

extension RecordReader {
  mutating func date() throws -> Date { Date(timeIntervalSinceReferenceDate: try double()) }

  mutating func optionalDate() throws -> Date? {
    try optionalDouble().map(Date.init(timeIntervalSinceReferenceDate:))
  }

  mutating func array<Element>(
    _ body: (inout RecordReader) throws -> Element
  ) throws -> [Element] {
    let count = try count()
    var elements: [Element] = []
    elements.reserveCapacity(count)
    for _ in 0..<count { elements.append(try body(&self)) }
    return elements
  }
}
