internal import FieldCore

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension RecordWriter {
  mutating func write(_ date: Date) { write(date.timeIntervalSinceReferenceDate) }

  mutating func write(_ coordinate: Coordinate) {
    write(coordinate.latitude)
    write(coordinate.longitude)
  }

  mutating func write(_ duration: Duration) {
    write(duration.components.seconds)
    write(duration.components.attoseconds)
  }

  mutating func write<Element>(
    _ elements: [Element], _ body: (inout RecordWriter, Element) -> Void
  ) {
    write(UInt64(elements.count))
    for element in elements { body(&self, element) }
  }
}

extension RecordReader {
  mutating func date() throws -> Date { Date(timeIntervalSinceReferenceDate: try double()) }

  mutating func coordinate() throws -> Coordinate {
    let (latitude, longitude) = (try double(), try double())
    guard let coordinate = Coordinate(validLatitude: latitude, longitude: longitude) else {
      throw damaged("a coordinate of \(latitude), \(longitude)")
    }
    return coordinate
  }

  mutating func duration() throws -> Duration {
    let (seconds, attoseconds) = (try int64(), try int64())
    // The constructor adds the two, and may overflow when the bytes are not a writer's.
    guard seconds.magnitude < 1 << 50, attoseconds.magnitude < 1_000_000_000_000_000_000 else {
      throw damaged("a duration of \(seconds) seconds")
    }
    return Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
  }

  mutating func zone() throws -> FixedZone {
    let seconds = try int()
    do {
      return try FixedZone(secondsFromUTC: seconds)
    } catch {
      throw damaged("a zone \(seconds) seconds from UTC")
    }
  }

  mutating func optionalBlob() throws -> BlobID? {
    guard let text = try optionalString() else { return nil }
    guard let id = BlobID(hexadecimal: text) else { throw damaged("a blob of no id") }
    return id
  }

  mutating func optionalURL() throws -> URL? {
    guard let text = try optionalString() else { return nil }
    guard let url = URL(string: text) else { throw damaged("an address that is none") }
    return url
  }

  mutating func array<Element>(
    _ body: (inout RecordReader) throws -> Element
  ) throws -> [Element] {
    let count = try uint()
    // Every element takes a byte at least, so a greater count is no writer's.
    guard count <= UInt64(max(remainingCount, 0)) else { throw damaged("a list that is too long") }
    var elements: [Element] = []
    elements.reserveCapacity(Int(count))
    for _ in 0..<count { elements.append(try body(&self)) }
    return elements
  }
}
