/// A stored record that describes its stored form in one function, for a type with tens of thousands of records.
///
/// The default coding finds the values of a record through `Codable`, which calls a function for each. Code that names them is
/// compiled for the type instead:
///
/// ```swift
/// struct Tree: CatalogRecord, CodedRecord {
///   let id: String
///   var species: String?
///   var height: Double?
///   var coordinate: Coordinate?
///
///   init(id: String) { self.id = id }
///
///   mutating func exchange(with coder: inout some RecordCoder) throws {
///     try coder.sharedText(&species)
///     try coder.number(&height)
///     try coder.place(&coordinate)
///   }
/// }
/// ```
///
/// The ID stands in front of the values. It is an integer, a text, a `UUID`, or a ``RecordID``. A record is `Codable` as before, and its
/// rows are read by its coding keys; only what is in store files is described here. If the description changes,
/// increment ``StoredRecord/formatVersion``, and read the older form in ``StoredRecord/migrate(from:)``; a type that was
/// stored in the default coding has version 1.
public protocol CodedRecord: StoredRecord where ID: _StablyHashable {
  /// Creates a record whose other values don't matter, because they are read next.
  init(id: ID)

  /// Writes or reads all values but the ID with a coder, in an order that never changes.
  mutating func exchange(with coder: inout some RecordCoder) throws
}

extension CodedRecord {
  /// Writes the ID, and then the values that ``exchange(with:)`` names.
  @inlinable
  public func write(to writer: inout RecordWriter) throws {
    id._write(to: &writer)
    var record = self
    try record.exchange(with: &writer)
  }

  /// Creates a record by reading what ``write(to:)`` wrote.
  @inlinable
  public init(reading reader: inout RecordReader) throws {
    self.init(id: try ID(_reading: &reader))
    try exchange(with: &reader)
  }

  /// Reads the ID, and checks the values without creating texts.
  @inlinable
  public static func id(checking reader: inout RecordReader) throws -> ID? {
    let id = try ID(_reading: &reader)
    var record = Self(id: id)
    reader.isChecking = true
    defer { reader.isChecking = false }
    try record.exchange(with: &reader)
    return id
  }
}
