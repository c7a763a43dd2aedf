/// A position in bytes that are read from left to right.
///
/// The bytes are passed to each step, because a span can't be stored in a value yet.
struct ByteCursor {
  /// The index of the next byte.
  var at: Int
  /// The end of the bytes.
  let end: Int

  /// Starts after leading blanks, and ignores trailing ones.
  init(trimming bytes: Span<UInt8>) {
    var (first, last) = (0, bytes.count)
    while first < last && Self.isBlank(bytes[first]) { first += 1 }
    while last > first && Self.isBlank(bytes[last - 1]) { last -= 1 }
    (at, end) = (first, last)
  }

  var isAtEnd: Bool { at == end }

  /// The next byte, or a later one; 0 past the end.
  @inline(__always)
  func byte(_ bytes: Span<UInt8>, ahead offset: Int = 0) -> UInt8 {
    at + offset < end ? bytes[at + offset] : 0
  }

  /// Skips a byte if it is next.
  @inline(__always)
  mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
    guard at < end, bytes[at] == byte else { return false }
    at += 1
    return true
  }

  /// Skips a text if it is next.
  mutating func take(_ text: String, _ bytes: Span<UInt8>) -> Bool {
    let count = text.utf8.count
    guard end - at >= count else { return false }
    var index = at
    for byte in text.utf8 {
      guard bytes[index] == byte else { return false }
      index += 1
    }
    at = index
    return true
  }

  /// Skips blanks, and returns whether there were any.
  @discardableResult
  mutating func skipBlanks(_ bytes: Span<UInt8>) -> Bool {
    let start = at
    while at < end && Self.isBlank(bytes[at]) { at += 1 }
    return at > start
  }

  /// Reads from 1 through `limit` digits, of which a number that fits any `Int` has at most 9.
  mutating func number(_ bytes: Span<UInt8>, upTo limit: Int) -> (value: Int, digits: Int)? {
    digits(bytes, upTo: limit)
  }

  /// Reads from 1 through `limit` digits, at most 18.
  mutating func longNumber(
    _ bytes: Span<UInt8>, upTo limit: Int
  ) -> (value: Int64, digits: Int)? {
    digits(bytes, upTo: limit)
  }

  @inline(__always)
  private mutating func digits<Number: FixedWidthInteger>(
    _ bytes: Span<UInt8>, upTo limit: Int
  ) -> (value: Number, digits: Int)? {
    let start = at
    var value: Number = 0
    while at < end, case let digit = bytes[at] &- 0x30, digit < 10 {
      guard at - start < limit else { return nil }
      value = value * 10 + Number(digit)
      at += 1
    }
    return at > start ? (value, at - start) : nil
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
  static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
}
