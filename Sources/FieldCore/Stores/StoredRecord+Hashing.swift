public import FieldFoundation

/// A type of ID whose hash can be the same in every process. Don't use or implement it.
@_documentation(visibility: internal)
public protocol _StablyHashable: Hashable {
  /// Returns a hash that depends only on the value and the seed, or `nil` if there is none.
  func _stableHash(seed: UInt64) -> UInt32?
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
}

extension RecordID: _StablyHashable {
  /// Returns the stable hash of the string.
  @inlinable
  public func _stableHash(seed: UInt64) -> UInt32? { StableHash.of(rawValue, seed: seed) }
}

extension UUID: _StablyHashable {
  /// Returns the stable hash of the 16 bytes.
  public func _stableHash(seed: UInt64) -> UInt32? { number._stableHash(seed: seed) }
}
