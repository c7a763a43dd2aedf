/// A record as an older version of its type wrote it.
public struct OlderRecord: Sendable {
  /// The ``StoredRecord/formatVersion`` that the type had then.
  public let version: Int

  /// The stored form from its start, for a type that codes itself.
  ///
  /// Each access gives a new reader; take it into a variable.
  public let reader: RecordReader

  @usableFromInline
  package init(version: Int, reader: RecordReader) {
    self.version = version
    self.reader = reader
  }

  /// Reads the record as a `Codable` type that looks as this one did then.
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
