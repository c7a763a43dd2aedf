public import FieldCore

extension Animal: StoredRecord {
  /// Writes the animal; repeated texts are written once per store.
  public func write(to writer: inout RecordWriter) throws {
    writer.write(id.rawValue)
    writer.write(name)
    var animal = self
    try animal.exchange(with: &writer)
  }

  /// Creates an animal by reading what ``write(to:)`` wrote.
  public init(reading reader: inout RecordReader) throws {
    self.init(id: ID(rawValue: try reader.string()), name: try reader.string())
    try exchange(with: &reader)
  }

  private mutating func exchange(with coder: inout some RecordCoder) throws {
    try coder.text(&englishName)
    try coder.text(&latinName)
    try coder.text(&alternativeNamesText)
    try coder.sharedText(&phylum)
    try coder.name(&animalClass)
    try coder.sharedText(&order)
    try coder.sharedText(&family)
    try coder.sharedText(&conservationText)
    try coder.name(&conservation)
    try coder.name(&protection)
    try coder.name(&endemism)
    try coder.text(&distribution)
    try coder.text(&habitat)
    try coder.text(&feature)
    try coder.text(&behavior)
    try coder.text(&diet)
    try coder.text(&crisis)
    try coder.text(&interpretation)
    try coder.text(&summary)
    try coder.text(&keywords)
    try coder.sharedText(&locationText)
    try coder.places(&places)
    try coder.name(&positionIssue)
    try coder.sharedText(&poiGroup)
    try coder.media(&pictures)
    try coder.media(&documents)
    try coder.media(&recordings)
    try coder.link(&video)
    try coder.text(&themeName)
    try coder.link(&theme)
    try coder.text(&code)
    try coder.text(&catalogNumber)
    try coder.text(&adoption)
    try coder.day(&updated)
    try coder.date(&importDate)
    try coder.number(&rowNumber)
    try coder.texts(&unreadable)
  }
}
