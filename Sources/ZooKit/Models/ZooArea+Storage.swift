public import FieldCore

extension ZooArea: StoredRecord {
  /// Writes the area.
  public func write(to writer: inout RecordWriter) throws {
    writer.write(id.rawValue)
    writer.write(name)
    var area = self
    try area.exchange(with: &writer)
  }

  /// Creates an area by reading what ``write(to:)`` wrote.
  public init(reading reader: inout RecordReader) throws {
    self.init(id: ID(rawValue: try reader.string()), name: try reader.string())
    try exchange(with: &reader)
  }

  private mutating func exchange(with coder: inout some RecordCoder) throws {
    try coder.number(&number)
    try coder.name(&category)
    try coder.link(&picture)
    try coder.text(&info)
    try coder.text(&memo)
    try coder.places(&places)
    try coder.name(&positionIssue)
    try coder.link(&link)
    try coder.date(&importDate)
    try coder.number(&rowNumber)
    try coder.texts(&unreadable)
  }
}
