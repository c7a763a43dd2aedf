/// A record that an older version of its type wrote.
public struct OlderRecord: Sendable {
  /// The ``StoredRecord/formatVersion`` with which the record was written.
  public let version: Int

  /// A new reader of the stored form, for a type with its own coding.
  ///
  /// Each access returns a new reader, so assign it to a variable.
  public let reader: RecordReader

  @usableFromInline
  package init(version: Int, reader: RecordReader) {
    self.version = version
    self.reader = reader
  }

  /// Decodes the record as a `Codable` type with the form of that version.
  ///
  /// The record may be in the default coding or in JSON.
  ///
  /// ```swift
  /// static func migrate(from older: OlderRecord) throws -> Visit {
  ///   let first = try older.decode(as: VisitOfVersion1.self)
  ///   return Visit(id: first.id, note: first.text)
  /// }
  /// ```
  public func decode<Older: Decodable>(as type: Older.Type) throws -> Older {
    var reader = reader
    return try reader.decode(type)
  }
}
