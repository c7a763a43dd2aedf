/// Hashes of IDs that are the same in every process that knows the seed.
///
/// Swift seeds its own hashes in each process, so an index that consists of them can't be kept in a file.
/// These depend on a random number in the header of the file instead, so the IDs of a source can't be chosen to
/// have equal hashes.
@usableFromInline
package enum StableHash {
  @inlinable
  package static func of(_ number: UInt64, seed: UInt64) -> UInt32 {
    reduced(folded(folded(seed ^ number) ^ seed))
  }

  /// Returns the hash of a number of 128 bits.
  @inlinable
  package static func of(_ low: UInt64, _ high: UInt64, seed: UInt64) -> UInt32 {
    reduced(folded(folded(folded(seed ^ low) ^ high) ^ seed))
  }

  /// Returns the hash of a text if it is equivalent to an ASCII text, otherwise `nil`.
  ///
  /// Equal texts may differ in their bytes. Only the standard library can tell, which doesn't make its
  /// normalization public; an ASCII text, however, is equal to few others.
  @inlinable
  package static func of(_ text: String, seed: UInt64) -> UInt32? {
    var text = text
    return text.withUTF8 { unsafe ofASCII(UnsafeRawBufferPointer($0), seed) }
      ?? ofEquivalent(text, seed)
  }

  @usableFromInline
  static func ofASCII(_ bytes: UnsafeRawBufferPointer, _ seed: UInt64) -> UInt32? {
    var hash = folded(seed ^ UInt64(bytes.count))
    var allBits: UInt64 = 0
    var place = 0
    func add(_ word: UInt64) {
      allBits |= word
      hash = folded(hash ^ word)
    }
    while bytes.count - place >= 8 {
      add(UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
      place += 8
    }
    var rest: UInt64 = 0
    while place < bytes.count {
      rest = rest << 8 | UInt64(unsafe bytes[place])
      place += 1
    }
    add(rest)
    return allBits & 0x8080_8080_8080_8080 == 0 ? reduced(folded(hash ^ seed)) : nil
  }

  /// Returns the hash of the ASCII text to which a text of other characters is equivalent.
  @usableFromInline
  static func ofEquivalent(_ text: String, _ seed: UInt64) -> UInt32? {
    var ascii: [UInt8] = []
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\u{37E}": ascii.append(UInt8(ascii: ";"))  // the Greek question mark
      case "\u{1FEF}": ascii.append(UInt8(ascii: "`"))  // the Greek varia
      case "\u{212A}": ascii.append(UInt8(ascii: "K"))  // the sign of kelvins
      default:
        guard scalar.isASCII else { return nil }
        ascii.append(UInt8(truncatingIfNeeded: scalar.value))
      }
    }
    return unsafe ascii.withUnsafeBytes { unsafe ofASCII($0, seed) }
  }

  /// Multiplies by the golden ratio, and combines both halves of the product.
  @inlinable
  static func folded(_ value: UInt64) -> UInt64 {
    let (high, low) = value.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return high ^ low
  }

  @inlinable
  static func reduced(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash ^ hash >> 32) }
}
