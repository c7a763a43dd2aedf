public import FieldCore
internal import FieldFoundation

extension Sighting: StoredRecord {
  /// The name of the type in store files.
  public static var storedName: String { "Sighting" }

  /// The content that may change with a later version, apart from the identity.
  private struct Content: Codable {
    var name: String
    var photo: Photo?
    var date: Date
    var place: Coordinate?
  }

  /// Writes the ID and the number, followed by the rest as JSON.
  public func write(to writer: inout RecordWriter) throws {
    writer.write(id.rawValue)
    writer.write(number)
    guard unreadContent.isEmpty else {
      for byte in unreadContent { writer.write(byte: byte) }
      return
    }
    try writer.encode(Content(name: name, photo: photo, date: date, place: place))
  }

  /// Creates a sighting from its stored form.
  ///
  /// If the content can't be read, the sighting has a problem instead. An error would make the
  /// whole store unreadable.
  public init(reading reader: inout RecordReader) throws {
    let id = ID(rawValue: try reader.string())
    let number = try reader.int()
    var rest = reader
    do {
      let content = try reader.decode(Content.self)
      self.init(
        id: id, number: number, name: content.name, photo: content.photo, date: content.date,
        place: content.place)
    } catch {
      self.init(id: id, number: number, name: "", photo: nil, date: Date(timeIntervalSince1970: 0))
      problem = .recordDamaged
      while rest.remainingCount > 0 { unreadContent.append(try rest.byte()) }
    }
  }
}
