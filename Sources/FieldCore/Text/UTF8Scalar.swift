/// A reader of Unicode scalars in bytes that may not be valid UTF-8.
enum UTF8Scalar {
  /// The scalar that replaces invalid UTF-8.
  static let replacement: UInt32 = 0xFFFD

  /// Returns the length of the scalars that begin with a byte beyond ASCII, and the least and greatest
  /// second byte (table 3-7 of the Unicode Standard); the length is 0 if none does.
  @inline(__always)
  static func form(of lead: UInt8) -> (length: Int, least: UInt8, most: UInt8) {
    switch lead {
    case 0xC2...0xDF: (2, 0x80, 0xBF)
    case 0xE0: (3, 0xA0, 0xBF)
    case 0xED: (3, 0x80, 0x9F)
    case 0xE1...0xEF: (3, 0x80, 0xBF)
    case 0xF0: (4, 0x90, 0xBF)
    case 0xF1...0xF3: (4, 0x80, 0xBF)
    case 0xF4: (4, 0x80, 0x8F)
    default: (0, 0, 0)
    }
  }

  /// Returns the scalar at an index within the span, and the number of its bytes.
  ///
  /// Invalid UTF-8 is U+FFFD for as many bytes as could have begun a scalar (the Unicode Standard,
  /// section 3.9, "substitution of maximal subparts"), as in the standard library.
  static func decode(_ source: Span<UInt8>, at index: Int) -> (scalar: UInt32, count: Int) {
    let first = source[index]
    if first < 0x80 { return (UInt32(first), 1) }
    let (length, low, high) = form(of: first)
    guard length > 0 else { return (replacement, 1) }
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

/// A check for valid UTF-8 (table 3-7 of the Unicode standard): no overlong forms, no surrogates,
/// nothing beyond U+10FFFF.
enum UTF8Check {
  static func isValid(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var at = range.lowerBound
    let end = range.upperBound
    while at < end {
      if at &+ 8 <= end, let word = bytes.wholeWord(at: at), ByteTest.high(word) == 0 {
        at &+= 8
        continue
      }
      let lead = bytes[at]
      if lead < 0x80 {
        at &+= 1
        continue
      }
      let (length, least, most) = UTF8Scalar.form(of: lead)
      guard length > 0, at &+ length <= end else { return false }
      let second = bytes[at &+ 1]
      guard second >= least, second <= most else { return false }
      if length > 2, bytes[at &+ 2] & 0xC0 != 0x80 { return false }
      if length > 3, bytes[at &+ 3] & 0xC0 != 0x80 { return false }
      at &+= length
    }
    return true
  }
}
