public import FieldCore

extension Plant: StoredRecord {
  /// Writes the plant; repeated texts are written once per store.
  public func write(to writer: inout RecordWriter) throws {
    writer.write(id.rawValue)
    writer.write(name)
    var plant = self
    try plant.exchange(with: &writer)
  }

  /// Creates a plant by reading what ``write(to:)`` wrote.
  public init(reading reader: inout RecordReader) throws {
    self.init(id: ID(rawValue: try reader.string()), name: try reader.string())
    try exchange(with: &reader)
  }

  private mutating func exchange(with coder: inout some RecordCoder) throws {
    try coder.text(&englishName)
    try coder.text(&latinName)
    try coder.text(&alternativeNamesText)
    try coder.sharedText(&family)
    try coder.sharedText(&genus)
    try coder.text(&brief)
    try coder.text(&feature)
    try coder.text(&uses)
    try coder.text(&summary)
    try coder.text(&keywords)
    try coder.sharedText(&locationText)
    try coder.places(&places)
    try coder.name(&positionIssue)
    try coder.media(&pictures)
    try coder.media(&documents)
    try coder.media(&recordings)
    try coder.link(&video)
    try coder.text(&code)
    try coder.text(&catalogNumber)
    try coder.day(&updated)
    try coder.date(&importDate)
    try coder.number(&rowNumber)
    try coder.texts(&unreadable)
  }
}
