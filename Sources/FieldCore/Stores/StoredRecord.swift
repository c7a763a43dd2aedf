/// A value that a record store keeps: it has an id, can be compared and can be coded.
///
/// `Codable` is all that most records need:
///
/// ```swift
/// struct Visit: StoredRecord {
///   var id: UUID
///   var note: String
/// }
/// ```
///
/// ### Changing a record
///
/// When the stored form changes in a way that `Codable` cannot read, raise ``formatVersion`` and read
/// the older forms in ``migrate(from:)``. Files of an older version are read record by record and
/// written anew as they change; files of a newer version are refused.
///
/// ### Coding a hot type by hand
///
/// A type of which there are tens of thousands can supply ``write(to:)`` and ``init(reading:)`` and be
/// stored compactly; both or neither. By default they go through `Codable`.
public protocol StoredRecord: Identifiable, Codable, Equatable, Sendable
where ID: Codable & Sendable {
  /// The name of the type in store files, which refuse another; that of the type unless told otherwise.
  ///
  /// Keep the old name here when the type is renamed.
  static var storedName: String { get }

  /// The version of the stored form; 1 unless told otherwise.
  static var formatVersion: Int { get }

  /// Reads a record that an older version of the type wrote.
  ///
  /// By default it is read as if it were of today's version.
  static func migrate(from older: OlderRecord) throws -> Self

  /// Writes the record in its stored form.
  func write(to writer: inout RecordWriter) throws

  /// Reads the record from its stored form of today's ``formatVersion``.
  init(reading reader: inout RecordReader) throws

  /// The inner loops of the stores, compiled for this type. Not for use, and not to be supplied.
  static var _loops: StoreLoops<Self> { get }
}
