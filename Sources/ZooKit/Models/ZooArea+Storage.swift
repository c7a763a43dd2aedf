public import FieldCore

extension ZooArea: StoredRecord {
  /// Writes the area.
  public func write(to writer: inout RecordWriter) throws {
    writer.write(id.rawValue)
    writer.write(name)
    writer.write(number)
    writer.write(named: category)
    writer.write(picture)
    writer.write(info)
    writer.write(memo)
    writer.write(places)
    writer.write(named: positionIssue)
    writer.write(link)
    writer.write(importDate)
    writer.write(rowNumber)
    writer.write(unreadable)
  }

  /// Creates an area by reading what ``write(to:)`` wrote.
  public init(reading reader: inout RecordReader) throws {
    self.init(id: ID(rawValue: try reader.string()), name: try reader.string())
    number = try reader.optionalInt()
    category = try reader.optionalNamed()
    picture = try reader.optionalLink()
    info = try reader.optionalString()
    memo = try reader.optionalString()
    places = try reader.places()
    positionIssue = try reader.optionalNamed()
    link = try reader.optionalLink()
    importDate = try reader.optionalDate()
    rowNumber = try reader.optionalInt()
    unreadable = try reader.texts()
  }
}
