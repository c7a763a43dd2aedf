/// A type that a record store can keep: identifiable, equatable, and codable.
///
/// For most records, `Codable` conformance is enough:
///
/// ```swift
/// struct Visit: StoredRecord {
///   var id: UUID
///   var note: String
/// }
/// ```
///
/// By default, the values of the `Codable` form are stored compactly: their keys once for all records of a batch, and texts that
/// repeat once. Records can evolve as with JSON. Keys that the type doesn't know are ignored, optional properties that weren't stored are `nil`, and the order
/// of properties doesn't matter. Records that earlier versions stored as JSON are read, too, and rewritten as they change.
///
/// ### Changing a record
///
/// If the stored form changes in a way that `Codable` can't read, increment ``formatVersion`` and
/// read older forms in ``migrate(from:)``. Files of an older version are read record by record, and
/// rewritten as records change. Files of a newer version are rejected.
///
/// ### Code large numbers of records by hand
///
/// A type with tens of thousands of records can describe its stored form in one function, as a ``CodedRecord``, to be stored
/// without the detour through `Codable`. One whose reading differs from writing implements ``write(to:)``,
/// ``init(reading:)``, and ``id(checking:)``.
public protocol StoredRecord: Identifiable, Codable, Equatable, Sendable
where ID: Codable & Sendable {
  /// The name of the type in store files, which reject any other.
  ///
  /// Defaults to the name of the type.
  ///
  /// Keep the old name if you rename the type. The default is found by reflection, which takes about 0.4 ms when a
  /// store opens.
  static var storedName: String { get }

  /// The version of the stored form.
  ///
  /// Defaults to 1.
  static var formatVersion: Int { get }

  /// A Boolean value that indicates whether backups of the device include the store.
  ///
  /// Defaults to `true`, and to `false` for a ``CatalogRecord``. Return `false` if all records can
  /// be fetched again.
  static var isBackedUp: Bool { get }

  /// Creates a record from a form that an older version of the type wrote.
  ///
  /// By default, the record is read like one of the current version.
  static func migrate(from older: OlderRecord) throws -> Self

  /// Writes the record in its stored form.
  func write(to writer: inout RecordWriter) throws

  /// Creates a record from its stored form in the current ``formatVersion``.
  init(reading reader: inout RecordReader) throws

  /// Reads the ID of a record from its stored form and checks the rest, without creating the record.
  ///
  /// Opening a store calls this method to check the records of a type with its own coding, which are then decoded when
  /// they are first used. Accept and reject exactly what ``init(reading:)`` does. Don't implement the method for a type
  /// in the default coding, whose records opening decodes only if the program has changed since the last time.
  static func id(checking reader: inout RecordReader) throws -> ID?

  /// A Boolean value that indicates whether an index of the IDs is used without a proof that all records can be
  /// decoded. Don't use or implement it.
  @_documentation(visibility: internal)
  static var _isIndexed: Bool { get }

  /// A Boolean value that indicates whether IDs have stable hashes, of which files contain an index. Don't use or
  /// implement it.
  @_documentation(visibility: internal)
  static var _hashesStably: Bool { get }

  /// Returns a hash of an ID that is the same in every process, or `nil` if there is none. Don't use or implement
  /// it.
  @_documentation(visibility: internal)
  static func _stableHash(of id: ID, seed: UInt64) -> UInt32?

  /// The inner loops of the stores, compiled for this type. Don't use or implement it.
  static var _loops: StoreLoops<Self> { get }
}
