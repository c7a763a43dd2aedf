/// An encoding of texts other than UTF-8 that can be converted to it.
package enum TextEncoding: Sendable, Hashable {
  /// Code page 950, or Hong Kong's extension of it if the text isn't that throughout, as in browsers.
  case big5
  /// Big5 with the characters of Hong Kong.
  case big5HKSCS
  /// GB 18030, which contains GBK and GB 2312.
  case gb18030
  /// Windows-1252, which extends ISO 8859-1 and is what servers that declare the latter send.
  case windows1252

  /// Creates the encoding with a name in a declaration or a header; `nil` for UTF-8 and for
  /// encodings that aren't supported.
  package init?(name: String) {
    switch Self.normalized(name) {
    case "big5", "big-5", "cp950", "ms950", "windows-950", "x-x-big5", "cn-big5", "csbig5",
      "big5-eten":
      self = .big5
    case "big5-hkscs", "big5hkscs", "big5-hkscs:2004", "big5-hkscs:2008", "hkscs":
      self = .big5HKSCS
    case "gb18030", "gb-18030", "gbk", "x-gbk", "cp936", "ms936", "windows-936", "gb2312",
      "gb-2312", "gb2312-80", "gb-2312-80", "csgb2312", "csgb18030", "csgbk", "euc-cn", "chinese",
      "gb18030-2000", "gb18030-2005",
      "iso-ir-58":
      self = .gb18030
    case "iso-8859-1", "iso8859-1", "latin1", "latin-1", "windows-1252", "cp1252":
      self = .windows1252
    default: return nil
    }
  }

  /// Returns whether a name in a declaration or a header stands for UTF-8 or a part of it.
  package static func isUTF8(name: String) -> Bool {
    ["", "utf-8", "utf8", "us-ascii", "ascii", "unicode"].contains(normalized(name))
  }

  /// Returns a name of an encoding in lowercase, with hyphens.
  package static func normalized(_ name: String) -> String {
    String(name.lowercased().map { $0 == "_" ? "-" : $0 })
  }

  /// The name of the encoding, for messages.
  package var name: String {
    switch self {
    case .big5: "Big5"
    case .big5HKSCS: "Big5-HKSCS"
    case .gb18030: "GB 18030"
    case .windows1252: "Windows-1252"
    }
  }

  /// Returns the text in UTF-8, with a byte in place of each character that the encoding lacks.
  package func utf8(_ bytes: [UInt8], damage: UInt8) -> [UInt8] {
    switch self {
    case .big5:
      Big5.utf8(bytes) ?? Self.big5HKSCS.utf8(bytes, damage: damage)
    case .big5HKSCS: Big5.utf8(bytes, damage: damage, isHongKong: true) ?? bytes
    case .gb18030: GB18030.utf8(bytes, damage: damage) ?? bytes
    case .windows1252: Self.western(bytes)
    }
  }

  /// Returns the text of an encoding whose characters beyond ASCII have several bytes, in UTF-8, or
  /// `nil` if there are bytes that encode no character and no byte to write in their place.
  ///
  /// If the second byte of an invalid pair is ASCII, only the first is replaced, so that a quotation
  /// mark after it is kept.
  ///
  /// - Parameter take: A closure that appends the character at an offset, and returns the number of its
  ///   bytes, or `nil` if there is none.
  @inline(__always)
  static func text(
    of bytes: [UInt8], damage: UInt8?, _ take: (_ index: Int, _ text: inout [UInt8]) -> Int?
  ) -> [UInt8]? {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 2)
    var index = 0
    while index < bytes.count {
      let lead = bytes[index]
      if lead < 0x80 {
        text.append(lead)
        index += 1
      } else if let length = take(index, &text) {
        index += length
      } else {
        guard let damage else { return nil }
        text.append(damage)
        // 80 and FF begin no pair, so the bytes after them may be valid.
        let isPair = (0x81...0xFE).contains(lead) && index + 1 < bytes.count
        index += isPair && bytes[index + 1] >= 0x80 ? 2 : 1
      }
    }
    return text
  }

  private static func western(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      guard byte >= 0x80 else {
        text.append(byte)
        continue
      }
      let scalar = windowsScalar(UInt32(byte))
      text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
    return text
  }

  /// Returns the character for a byte of Windows-1252, which differs from Unicode for 0x80 through
  /// 0x9F (WHATWG Encoding Standard, index-windows-1252).
  package static func windowsScalar(_ number: UInt32) -> Unicode.Scalar {
    guard (0x80...0x9F).contains(number) else { return Unicode.Scalar(number) ?? "\u{FFFD}" }
    return windowsTable[Int(number - 0x80)]
  }

  private static let windowsTable: [Unicode.Scalar] = [
    "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
    "\u{2C6}", "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}",
    "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}",
    "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
  ]
}
