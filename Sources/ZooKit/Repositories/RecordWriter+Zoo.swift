internal import FieldCore

/// The storage format of the values that the zoo's records share.
extension RecordWriter {
  /// Writes a value of a small set by its name, or its absence.
  mutating func write(named value: (some RawRepresentable<String>)?) {
    write(interned: value?.rawValue)
  }

  mutating func write(_ link: ZooLink?) { write(link?.rawText) }

  mutating func write(_ places: [Coordinate]) {
    write(places) { writer, place in
      writer.write(place.latitude)
      writer.write(place.longitude)
    }
  }

  mutating func write(_ media: [ZooMedia]) {
    write(media) { writer, entry in
      writer.write(entry.number)
      writer.write(entry.link)
      writer.write(entry.caption)
    }
  }

  mutating func write(_ day: CalendarDay?) {
    write(optional: day) { writer, day in
      writer.write(day.year)
      writer.write(day.month)
      writer.write(day.day)
    }
  }

  /// Writes texts by column, in the same order for equal texts.
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
    guard let value = Value(rawValue: name) else { throw damaged("\(name) isn't a \(type)") }
    return value
  }

  mutating func optionalLink() throws -> ZooLink? {
    guard let text = try optionalString() else { return nil }
    guard let link = ZooLink(text) else { throw damaged("\"\(text)\" isn't a web address") }
    return link
  }

  mutating func places() throws -> [Coordinate] {
    try array { try Coordinate(latitude: $0.double(), longitude: $0.double()) }
  }

  mutating func media() throws -> [ZooMedia] {
    try array { reader in
      ZooMedia(
        number: try reader.int(), link: try reader.optionalLink(),
        caption: try reader.optionalString())
    }
  }

  mutating func optionalDay() throws -> CalendarDay? {
    try bool() ? try CalendarDay(year: int(), month: int(), day: int()) : nil
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
