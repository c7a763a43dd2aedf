internal import FieldCore

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What the zoo's records have in common, as it is stored.
extension RecordWriter {
  /// Writes a value of which there are few by its name, or its absence.
  mutating func write(named value: (some RawRepresentable<String>)?) {
    write(interned: value?.rawValue)
  }

  mutating func write(_ link: ZooLink?) { write(link?.rawText) }

  mutating func write(_ places: [Coordinate]) {
    write(UInt64(places.count))
    for place in places {
      write(place.latitude)
      write(place.longitude)
    }
  }

  mutating func write(_ media: [ZooMedia]) {
    write(UInt64(media.count))
    for entry in media {
      write(entry.number)
      write(entry.link)
      write(entry.caption)
    }
  }

  mutating func write(_ day: CalendarDay?) {
    write(optional: day) { writer, day in
      writer.write(day.year)
      writer.write(day.month)
      writer.write(day.day)
    }
  }

  mutating func write(_ date: Date?) { write(date?.timeIntervalSinceReferenceDate) }

  /// Writes texts by column, in an order that equal texts have in common.
  mutating func write(_ texts: [String: String]) {
    write(UInt64(texts.count))
    for (column, text) in texts.sorted(by: { $0.key < $1.key }) {
      write(interned: column)
      write(text)
    }
  }
}

extension RecordReader {
  mutating func optionalNamed<Value: RawRepresentable<String>>(
    _ type: Value.Type = Value.self
  ) throws -> Value? {
    guard let name = try optionalInternedString() else { return nil }
    guard let value = Value(rawValue: name) else { throw damaged("\(name) is no \(type)") }
    return value
  }

  mutating func optionalLink() throws -> ZooLink? {
    guard let text = try optionalString() else { return nil }
    guard let link = ZooLink(text) else { throw damaged("\"\(text)\" is no web address") }
    return link
  }

  mutating func places() throws -> [Coordinate] {
    var places: [Coordinate] = []
    for _ in 0..<(try count()) {
      places.append(try Coordinate(latitude: double(), longitude: double()))
    }
    return places
  }

  mutating func media() throws -> [ZooMedia] {
    var media: [ZooMedia] = []
    for _ in 0..<(try count()) {
      media.append(
        ZooMedia(number: try int(), link: try optionalLink(), caption: try optionalString()))
    }
    return media
  }

  mutating func optionalDay() throws -> CalendarDay? {
    try bool() ? try CalendarDay(year: int(), month: int(), day: int()) : nil
  }

  mutating func optionalDate() throws -> Date? {
    try optionalDouble().map(Date.init(timeIntervalSinceReferenceDate:))
  }

  mutating func texts() throws -> [String: String] {
    var texts: [String: String] = [:]
    for _ in 0..<(try count()) {
      let column = try internedString()
      texts[column] = try string()
    }
    return texts
  }
}
