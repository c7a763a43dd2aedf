/// A reader of Unicode scalars in bytes that may not be valid UTF-8.
enum UTF8Scalar {
  /// The scalar that replaces invalid UTF-8.
  static let replacement: UInt32 = 0xFFFD

  /// Returns the scalar at an index within the span, and the number of its bytes.
  ///
  /// Invalid UTF-8 is U+FFFD for as many bytes as could have begun a scalar (the Unicode Standard,
  /// section 3.9, "substitution of maximal subparts"), as in the standard library.
  static func decode(_ source: Span<UInt8>, at index: Int) -> (scalar: UInt32, count: Int) {
    let first = source[index]
    let (length, low, high): (Int, UInt8, UInt8)
    switch first {
    case 0..<0x80: return (UInt32(first), 1)
    case 0xC2...0xDF: (length, low, high) = (2, 0x80, 0xBF)
    case 0xE0: (length, low, high) = (3, 0xA0, 0xBF)
    case 0xED: (length, low, high) = (3, 0x80, 0x9F)
    case 0xE1...0xEF: (length, low, high) = (3, 0x80, 0xBF)
    case 0xF0: (length, low, high) = (4, 0x90, 0xBF)
    case 0xF4: (length, low, high) = (4, 0x80, 0x8F)
    case 0xF1...0xF3: (length, low, high) = (4, 0x80, 0xBF)
    default: return (replacement, 1)
    }
    var scalar = UInt32(first) & (0x7F >> UInt32(length))
    for offset in 1..<length {
      guard index + offset < source.count else { return (replacement, offset) }
      let byte = source[index + offset]
      guard offset == 1 ? byte >= low && byte <= high : byte & 0xC0 == 0x80 else {
        return (replacement, offset)
      }
      scalar = scalar << 6 | UInt32(byte & 0x3F)
    }
    return (scalar, length)
  }

  /// Appends a scalar's bytes.
  static func append(_ scalar: UInt32, to bytes: inout [UInt8]) {
    func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(scalar >> shift & 0x3F) }
    switch scalar {
    case 0..<0x80: return bytes.append(UInt8(scalar))
    case 0x80..<0x800: bytes.append(0xC0 | UInt8(scalar >> 6))
    case 0x800..<0x1_0000:
      bytes.append(0xE0 | UInt8(scalar >> 12))
      bytes.append(tail(6))
    default:
      bytes.append(0xF0 | UInt8(scalar >> 18 & 0x07))
      bytes.append(tail(12))
      bytes.append(tail(6))
    }
    bytes.append(tail(0))
  }
}
