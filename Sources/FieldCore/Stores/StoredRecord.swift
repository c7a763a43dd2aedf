public import FieldFoundation

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

// MARK: - Hashing

/// A type of ID whose hash can be the same in every process, and which a ``CodedRecord`` can have. Don't use or implement it.
@_documentation(visibility: internal)
public protocol _StablyHashable: Hashable {
  /// Returns a hash that depends only on the value and the seed, or `nil` if there is none.
  func _stableHash(seed: UInt64) -> UInt32?
  /// Writes the value in front of a record.
  func _write(to writer: inout RecordWriter)
  /// Creates a value by reading what ``_write(to:)`` wrote.
  init(_reading reader: inout RecordReader) throws
}

extension StoredRecord where ID: _StablyHashable {
  /// Files contain an index of the IDs.
  @inlinable
  public static var _hashesStably: Bool { true }

  /// Returns the stable hash of an ID.
  @inlinable
  public static func _stableHash(of id: ID, seed: UInt64) -> UInt32? { id._stableHash(seed: seed) }
}

extension _StablyHashable where Self: FixedWidthInteger {
  /// Returns the stable hash of the number.
  @inlinable
  public func _stableHash(seed: UInt64) -> UInt32? {
    let low = UInt64(truncatingIfNeeded: self)
    // Numbers of up to 64 bits are hashed by themselves, whatever the width of their type.
    guard Self.bitWidth > 64 else { return StableHash.of(low, seed: seed) }
    return StableHash.of(low, UInt64(truncatingIfNeeded: self >> 64), seed: seed)
  }

  /// Writes the number in as few bytes as it needs.
  @inlinable
  public func _write(to writer: inout RecordWriter) {
    if Self.bitWidth > 64 {
      writer.write(UInt64(truncatingIfNeeded: self))
      writer.write(UInt64(truncatingIfNeeded: self >> 64))
    } else if Self.isSigned {
      writer.write(Int64(truncatingIfNeeded: self))
    } else {
      writer.write(UInt64(truncatingIfNeeded: self))
    }
  }

  /// Creates a number by reading it.
  @inlinable
  public init(_reading reader: inout RecordReader) throws {
    if Self.bitWidth > 64 {
      let low = try reader.uint()
      self = Self(truncatingIfNeeded: try reader.uint()) << 64 | Self(truncatingIfNeeded: low)
    } else {
      let number: Self? =
        Self.isSigned ? Self(exactly: try reader.int64()) : Self(exactly: try reader.uint())
      guard let number else { throw reader.damaged("An ID isn't a number of \(Self.self)") }
      self = number
    }
  }
}

extension Int: _StablyHashable {}
extension Int8: _StablyHashable {}
extension Int16: _StablyHashable {}
extension Int32: _StablyHashable {}
extension Int64: _StablyHashable {}
extension Int128: _StablyHashable {}
extension UInt: _StablyHashable {}
extension UInt8: _StablyHashable {}
extension UInt16: _StablyHashable {}
extension UInt32: _StablyHashable {}
extension UInt64: _StablyHashable {}
extension UInt128: _StablyHashable {}

extension String: _StablyHashable {
  /// Returns the stable hash of the text, or `nil` if it isn't equivalent to an ASCII text.
  @inlinable
  public func _stableHash(seed: UInt64) -> UInt32? { StableHash.of(self, seed: seed) }

  /// Writes the text.
  @inlinable
  public func _write(to writer: inout RecordWriter) { writer.write(self) }

  /// Creates a text by reading it.
  @inlinable
  public init(_reading reader: inout RecordReader) throws { self = try reader.string() }
}

extension RecordID: _StablyHashable {
  /// Returns the stable hash of the string.
  @inlinable
  public func _stableHash(seed: UInt64) -> UInt32? { StableHash.of(rawValue, seed: seed) }

  /// Writes the string.
  @inlinable
  public func _write(to writer: inout RecordWriter) { writer.write(rawValue) }

  /// Creates an ID by reading its string.
  @inlinable
  public init(_reading reader: inout RecordReader) throws {
    self.init(rawValue: try reader.string())
  }
}

extension UUID: _StablyHashable {
  /// Returns the stable hash of the 16 bytes.
  public func _stableHash(seed: UInt64) -> UInt32? { number._stableHash(seed: seed) }

  /// Writes the number that the 16 bytes are.
  public func _write(to writer: inout RecordWriter) { number._write(to: &writer) }

  /// Creates a UUID by reading it.
  public init(_reading reader: inout RecordReader) throws {
    self.init(number: try UInt128(_reading: &reader))
  }
}
