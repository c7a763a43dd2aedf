public import FieldCore
internal import FieldFoundation

extension Sighting: StoredRecord {
  /// The name in store files.
  public static var storedName: String { "Sighting" }

  /// What may change with a later version, apart from what tells one sighting from another.
  private struct Content: Codable {
    var name: String
    var photo: Photo?
    var date: Date
    var place: Coordinate?
  }

  /// Writes the id and the number, and then the rest as JSON.
  public func write(to writer: inout RecordWriter) throws {
    writer.write(id.rawValue)
    writer.write(number)
    try writer.encode(Content(name: name, photo: photo, date: date, place: place))
  }

  /// Reads a sighting; one of which the rest cannot be read is still there, with a problem that says
  /// so, since a store that failed on it would take all the others along.
  public init(reading reader: inout RecordReader) throws {
    let id = ID(rawValue: try reader.string())
    let number = try reader.int()
    do {
      let content = try reader.decode(Content.self)
      self.init(
        id: id, number: number, name: content.name, photo: content.photo, date: content.date,
        place: content.place)
    } catch {
      while reader.remainingCount > 0 { _ = try reader.byte() }
      self.init(
        id: id, number: number, name: "", photo: nil, date: Date(timeIntervalSince1970: 0))
      problem = .recordDamaged
    }
  }
}
