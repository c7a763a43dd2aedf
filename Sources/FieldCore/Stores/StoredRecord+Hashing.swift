public import FieldFoundation

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
