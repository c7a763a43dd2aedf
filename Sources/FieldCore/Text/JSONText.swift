/// A reader of escapes in JSON strings, and a writer of such strings.
package enum JSONText {
  /// Returns the value of a hexadecimal digit, or `nil` if the byte isn't one.
  @inline(__always)
  package static func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte &- UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte &- UInt8(ascii: "a") &+ 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte &- UInt8(ascii: "A") &+ 10)
    default: nil
    }
  }

  /// Returns the UTF-16 unit that a `\u` escape at an offset names, or `nil` if there is none.
  static func escapedUnit(_ bytes: Span<UInt8>, at offset: Int) -> UInt32? {
    guard offset &+ 6 <= bytes.count, bytes[offset] == UInt8(ascii: "\\"),
      bytes[offset &+ 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt32 = 0
    for place in offset &+ 2..<offset &+ 6 {
      guard let digit = hexDigit(bytes[place]) else { return nil }
      unit = unit &<< 4 | digit
    }
    return unit
  }

  /// Returns the bytes of a string's content with its escapes replaced.
  ///
  /// A ``JSONScanner`` must have scanned the content. Half a surrogate pair, which fails a row
  /// there, becomes U+FFFD.
  static func unescaped(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(range.count)
    var at = range.lowerBound
    while at < range.upperBound {
      let byte = bytes[at]
      guard byte == UInt8(ascii: "\\"), at &+ 1 < range.upperBound else {
        text.append(byte)
        at &+= 1
        continue
      }
      switch bytes[at &+ 1] {
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"):
        var scalar = escapedUnit(bytes, at: at) ?? 0xFFFD
        at &+= 6
        if scalar & 0xFC00 == 0xD800, let low = escapedUnit(bytes, at: at), low & 0xFC00 == 0xDC00 {
          scalar = 0x10000 &+ ((scalar & 0x3FF) &<< 10 | low & 0x3FF)
          at &+= 6
        }
        text.append(contentsOf: UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? .init())
        continue
      case let plain: text.append(plain)
      }
      at &+= 2
    }
    return text
  }

  /// Whether nothing in a text must be escaped.
  private static func isPlain(_ text: Span<UInt8>) -> Bool {
    var place = 0
    while let word = text.wholeWord(at: place) {
      let hits =
        ByteTest.zeros(word ^ ByteTest.spread(UInt8(ascii: "\"")))
        | ByteTest.zeros(word ^ ByteTest.spread(UInt8(ascii: "\\"))) | ByteTest.controls(word)
      guard hits == 0 else { return false }
      place &+= 8
    }
    while place < text.count {
      let byte = text[place]
      guard byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else {
        return false
      }
      place &+= 1
    }
    return true
  }

  /// Writes a text as a JSON string, escaping only what must be escaped.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    defer { bytes.append(UInt8(ascii: "\"")) }
    guard !text.withUTF8Span(isPlain) else { return bytes.append(contentsOf: text.utf8) }
    let digits = Array("0123456789abcdef".utf8)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0A:
        bytes.append(contentsOf: #"\n"#.utf8)
      case 0x0D:
        bytes.append(contentsOf: #"\r"#.utf8)
      case 0x09:
        bytes.append(contentsOf: #"\t"#.utf8)
      case 0..<0x20:
        bytes.append(contentsOf: #"\u00"#.utf8)
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 15)])
      default:
        bytes.append(byte)
      }
    }
  }
}
