public import FieldCore

extension ZooEvent: StoredRecord {
  /// Writes the event; repeated texts are written once per store.
  public func write(to writer: inout RecordWriter) throws {
    writer.write(id.rawValue)
    writer.write(title)
    writer.write(interned: category)
    writer.write(summary)
    writer.write(interned: brief)
    writer.write(start)
    writer.write(end)
    writer.write(interned: timeText)
    writer.write(interned: location)
    writer.write(places)
    writer.write(named: positionIssue)
    writer.write(publishedFrom)
    writer.write(publishedUntil)
    writer.write(interned: keywords)
    writer.write(picture.map { [$0] } ?? [])
    writer.write(link)
    writer.write(interned: address)
    writer.write(interned: site)
    writer.write(importDate)
    writer.write(rowNumber)
    writer.write(unreadable)
  }

  /// Creates an event by reading what ``write(to:)`` wrote.
  public init(reading reader: inout RecordReader) throws {
    self.init(id: ID(rawValue: try reader.string()), title: try reader.string())
    category = try reader.optionalInternedString()
    summary = try reader.optionalString()
    brief = try reader.optionalInternedString()
    start = try reader.optionalDay()
    end = try reader.optionalDay()
    timeText = try reader.optionalInternedString()
    location = try reader.optionalInternedString()
    places = try reader.places()
    positionIssue = try reader.optionalNamed()
    publishedFrom = try reader.optionalDay()
    publishedUntil = try reader.optionalDay()
    keywords = try reader.optionalInternedString()
    picture = try reader.media().first
    link = try reader.optionalLink()
    address = try reader.optionalInternedString()
    site = try reader.optionalInternedString()
    importDate = try reader.optionalDate()
    rowNumber = try reader.optionalInt()
    unreadable = try reader.texts()
  }
}
