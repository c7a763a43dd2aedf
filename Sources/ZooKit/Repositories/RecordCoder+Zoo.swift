internal import FieldCore

// Values that the zoo's records have in common.

extension RecordCoder {
  mutating func link(_ link: inout ZooLink?) throws {
    var text = link?.rawText
    try self.text(&text)
    guard Self.isReading else { return }
    link = try text.map { text in
      guard let valid = ZooLink(text) else {
        throw FieldError(.damaged, "\"\(text)\" isn't a web address.")
      }
      return valid
    }
  }

  mutating func places(_ places: inout [Coordinate]) throws {
    try list(&places, of: Coordinate(latitude: 0, longitude: 0)) { try $0.place(&$1) }
  }

  mutating func media(_ media: inout [ZooMedia]) throws {
    try list(&media, of: ZooMedia(number: 0, link: nil)) { coder, entry in
      try coder.number(&entry.number)
      try coder.link(&entry.link)
      try coder.text(&entry.caption)
    }
  }

  mutating func day(_ day: inout CalendarDay?) throws {
    var isThere = day != nil
    try flag(&isThere)
    guard isThere else { return day = nil }
    var (year, month, number) = (day?.year ?? 1, day?.month ?? 1, day?.day ?? 1)
    try self.number(&year)
    try self.number(&month)
    try self.number(&number)
    if Self.isReading { day = try CalendarDay(year: year, month: month, day: number) }
  }

  /// Writes or reads texts by column, in the same order for equal texts.
  mutating func texts(_ texts: inout [String: String]) throws {
    var pairs = texts.sorted { $0.key < $1.key }
    try list(&pairs, of: ("", "")) { coder, pair in
      try coder.sharedText(&pair.key)
      try coder.text(&pair.value)
    }
    if Self.isReading { texts = Dictionary(pairs) { $1 } }
  }
}
