internal import FieldCore
internal import FieldFoundation

/// Writes or reads the values of a record in turn, so that their order, which is the format, is in
/// one place for both. A writer changes no value.
protocol ZooCoder {
  mutating func text(_ text: inout String?) throws
  /// A text that many records have, which is written once per store.
  mutating func sharedText(_ text: inout String?) throws
  /// A value of a small set, by its name.
  mutating func name<Value: RawRepresentable<String>>(_ value: inout Value?) throws
  mutating func link(_ link: inout ZooLink?) throws
  mutating func places(_ places: inout [Coordinate]) throws
  mutating func media(_ media: inout [ZooMedia]) throws
  mutating func day(_ day: inout CalendarDay?) throws
  mutating func date(_ date: inout Date?) throws
  mutating func number(_ number: inout Int?) throws
  /// Texts by column, in the same order for equal texts.
  mutating func texts(_ texts: inout [String: String]) throws
}

extension RecordWriter: ZooCoder {
  mutating func text(_ text: inout String?) { write(text) }

  mutating func sharedText(_ text: inout String?) { write(interned: text) }

  mutating func name<Value: RawRepresentable<String>>(_ value: inout Value?) {
    write(interned: value?.rawValue)
  }

  mutating func link(_ link: inout ZooLink?) { write(link?.rawText) }

  mutating func places(_ places: inout [Coordinate]) {
    write(places) { writer, place in
      writer.write(place.latitude)
      writer.write(place.longitude)
    }
  }

  mutating func media(_ media: inout [ZooMedia]) {
    write(media) { writer, entry in
      writer.write(entry.number)
      writer.write(entry.link?.rawText)
      writer.write(entry.caption)
    }
  }

  mutating func day(_ day: inout CalendarDay?) {
    write(optional: day) { writer, day in
      writer.write(day.year)
      writer.write(day.month)
      writer.write(day.day)
    }
  }

  mutating func date(_ date: inout Date?) { write(date) }

  mutating func number(_ number: inout Int?) { write(number) }

  mutating func texts(_ texts: inout [String: String]) {
    write(UInt64(texts.count))
    for (column, text) in texts.sorted(by: { $0.key < $1.key }) {
      write(interned: column)
      write(text)
    }
  }
}

extension RecordReader: ZooCoder {
  mutating func text(_ text: inout String?) throws { text = try optionalString() }

  mutating func sharedText(_ text: inout String?) throws { text = try optionalInternedString() }

  mutating func name<Value: RawRepresentable<String>>(_ value: inout Value?) throws {
    guard let name = try optionalInternedString() else { return value = nil }
    guard let known = Value(rawValue: name) else { throw damaged("\(name) isn't a \(Value.self)") }
    value = known
  }

  mutating func link(_ link: inout ZooLink?) throws {
    guard let text = try optionalString() else { return link = nil }
    guard let valid = ZooLink(text) else { throw damaged("\"\(text)\" isn't a web address") }
    link = valid
  }

  mutating func places(_ places: inout [Coordinate]) throws {
    places = try array { try Coordinate(latitude: $0.double(), longitude: $0.double()) }
  }

  mutating func media(_ media: inout [ZooMedia]) throws {
    media = try array { reader in
      var entry = ZooMedia(number: try reader.int(), link: nil)
      try reader.link(&entry.link)
      try reader.text(&entry.caption)
      return entry
    }
  }

  mutating func day(_ day: inout CalendarDay?) throws {
    day = try bool() ? try CalendarDay(year: int(), month: int(), day: int()) : nil
  }

  mutating func date(_ date: inout Date?) throws { date = try optionalDate() }

  mutating func number(_ number: inout Int?) throws { number = try optionalInt() }

  mutating func texts(_ texts: inout [String: String]) throws {
    texts = [:]
    for _ in 0..<(try count()) {
      let column = try internedString()
      texts[column] = try string()
    }
  }
}
