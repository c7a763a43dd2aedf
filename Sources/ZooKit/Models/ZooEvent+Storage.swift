public import FieldCore

extension ZooEvent: StoredRecord {
  /// Writes the event; repeated texts are written once per store.
  public func write(to writer: inout RecordWriter) throws {
    writer.write(id.rawValue)
    writer.write(title)
    var event = self
    try event.exchange(with: &writer)
  }

  /// Creates an event by reading what ``write(to:)`` wrote.
  public init(reading reader: inout RecordReader) throws {
    self.init(id: ID(rawValue: try reader.string()), title: try reader.string())
    try exchange(with: &reader)
  }

  private mutating func exchange(with coder: inout some RecordCoder) throws {
    try coder.sharedText(&category)
    try coder.text(&summary)
    try coder.sharedText(&brief)
    try coder.day(&start)
    try coder.day(&end)
    try coder.sharedText(&timeText)
    try coder.sharedText(&location)
    try coder.places(&places)
    try coder.name(&positionIssue)
    try coder.day(&publishedFrom)
    try coder.day(&publishedUntil)
    try coder.sharedText(&keywords)
    var pictures = picture.map { [$0] } ?? []
    try coder.media(&pictures)
    picture = pictures.first
    try coder.link(&link)
    try coder.sharedText(&address)
    try coder.sharedText(&site)
    try coder.date(&importDate)
    try coder.number(&rowNumber)
    try coder.texts(&unreadable)
  }
}
