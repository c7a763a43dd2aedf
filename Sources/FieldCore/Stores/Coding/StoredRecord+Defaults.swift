extension StoredRecord {
  /// The name of the type, without its module.
  public static var storedName: String {
    // The same as String(describing:), which first asks the runtime about seven protocols, in half a millisecond.
    _typeName(Self.self, qualified: false)
  }

  /// Version 1.
  public static var formatVersion: Int { 1 }

  /// A Boolean value that indicates whether backups include the store, by default `true`.
  public static var isBackedUp: Bool { true }

  /// Creates a record as if it were of the current version.
  public static func migrate(from older: OlderRecord) throws -> Self {
    var reader = older.reader
    return try Self(reading: &reader)
  }

  /// Writes the record in the default coding, which consists of the values of its `Encodable` form.
  public func write(to writer: inout RecordWriter) throws { try writer.write(shaped: self) }

  /// Creates a record from its `Decodable` form in the default coding, or in JSON, as earlier versions wrote it.
  public init(reading reader: inout RecordReader) throws { self = try reader.decode(Self.self) }

  /// By default, reads the ID of a record in the default coding that this program has decoded before.
  public static func id(checking reader: inout RecordReader) throws -> ID? {
    if reader.trust == .proven, reader.isShaped { return try reader.decodeShapedID(ID.self) }
    reader.position = reader.end
    return nil
  }

  /// No index without a proof.
  @inlinable
  public static var _isIndexed: Bool { false }

  /// No index.
  @inlinable
  public static var _hashesStably: Bool { _isIndexed }

  /// No hash but Swift's.
  @inlinable
  public static func _stableHash(of id: ID, seed: UInt64) -> UInt32? { nil }

  /// The loops, compiled for this type in the module of its conformance.
  @inlinable
  public static var _loops: StoreLoops<Self> { StoreLoops() }
}
