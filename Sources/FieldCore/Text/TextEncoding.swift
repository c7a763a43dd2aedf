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

// MARK: - Detecting

extension TextEncoding {
  /// Returns the encoding of a text that isn't UTF-8, or `nil` if it is, or if the encoding is
  /// unknown.
  ///
  /// A byte-order mark decides, and so do the first characters beyond ASCII if they are UTF-8, which
  /// costs little. Servers state the encoding that they were configured with, so bytes that evidently
  /// are UTF-8, Big5, or GB 2312 take precedence over the name.
  ///
  /// - Parameter charset: The encoding that a header names, if any.
  static func find(in bytes: Span<UInt8>, charset: String?) -> TextEncoding? {
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { return nil }
    let named = charset.flatMap(Self.init(name:))
    // A few characters of two bytes may be UTF-8 by chance.
    let enough = named == .big5 || named == .big5HKSCS || named == .gb18030 ? 3 : 0
    let start = firstBeyondASCII(bytes, from: 0)
    guard start < bytes.count else { return nil }
    if beginsAsUTF8(bytes, from: start, atLeast: enough) || isMostlyUTF8(bytes, from: start) {
      return nil
    }
    guard named != nil || charset.map(isUTF8) ?? true else { return nil }
    guard let evident = evident(in: bytes, from: start) else { return named }
    return evident == .big5 && named == .big5HKSCS ? named : evident
  }

  /// Returns the encoding of bytes that can hardly be anything else, or `nil`.
  ///
  /// Common characters come first in Big5, and in GB 2312. Bytes of other encodings that happen to
  /// be valid are spread over its whole table.
  ///
  /// - Parameter isProse: Pass `true` for sentences, of which Japanese ones contain kana. The names in
  ///   a table may have none. Defaults to `false`.
  package static func evident(
    in bytes: Span<UInt8>, from start: Int = 0, isProse: Bool = false
  ) -> TextEncoding? {
    var pairs = PairCounts(isProse: isProse)
    var at = firstBeyondASCII(bytes, from: start)
    while at < bytes.count {
      if isOfFour(bytes, at) {
        pairs.addFour()
        at = firstBeyondASCII(bytes, from: at + 4)
      } else {
        pairs.add(bytes[at], at + 1 < bytes.count ? bytes[at + 1] : nil)
        at = firstBeyondASCII(bytes, from: at + 2)
      }
    }
    return pairs.encoding
  }

  /// Returns whether a code of four bytes is next, which only GB 18030 has.
  private static func isOfFour(_ bytes: Span<UInt8>, _ at: Int) -> Bool {
    at + 3 < bytes.count && (0x81...0xFE).contains(bytes[at])
      && (0x30...0x39).contains(bytes[at + 1]) && (0x81...0xFE).contains(bytes[at + 2])
      && (0x30...0x39).contains(bytes[at + 3])
  }

  /// The counts of pairs of bytes that show an encoding.
  private struct PairCounts {
    private let isProse: Bool
    private var count = 0
    /// The pairs that are in no such encoding.
    private var strange = 0
    private var fours = 0
    private var lowTrails = 0
    private var everydayBig5 = 0
    private var everydayGB = 0
    private var lateGB = 0
    private var beyondKorean = 0
    private var kana = 0

    init(isProse: Bool) { self.isProse = isProse }

    mutating func add(_ lead: UInt8, _ trail: UInt8?) {
      count += 1
      // A character that is cut off at the end says nothing.
      guard let trail else { return }
      if !(0x81...0xFE).contains(lead) || trail < 0x40 || trail == 0x7F || trail == 0xFF {
        strange += 1
      }
      if trail < 0x80 { lowTrails += 1 }
      if (0xA1...0xC6).contains(lead) { everydayBig5 += 1 }
      guard trail >= 0xA1 else { return }
      if (0xA1...0xA3).contains(lead) || (0xB0...0xD7).contains(lead) { everydayGB += 1 }
      if (0xD0...0xD7).contains(lead) { lateGB += 1 }
      if (0xC9...0xD7).contains(lead) { beyondKorean += 1 }
      if lead == 0xA4 || lead == 0xA5 { kana += 1 }
    }

    mutating func addFour() { fours += 1 }

    var encoding: TextEncoding? {
      guard count >= 4, strange * 20 <= count else { return nil }
      // About half of the second bytes are ASCII in Big5. All are after a letter of Latin-1, and none
      // in the encodings of China, Japan, and Korea, or in UTF-8.
      let isMixed = lowTrails * 5 >= count && lowTrails * 6 <= count * 5
      if isMixed, fours == 0 { return everydayBig5 * 10 >= count * 9 ? .big5 : nil }
      // In the leads D0 to D7, GB 2312 has the common characters from x to z, Japan's encoding has
      // rare ones, and Korea's none that is used.
      let isLate = lateGB * 10 >= count
      // Korean has its syllables from B0 through C8 only, and Japanese sentences are half kana.
      let isChineseProse = isProse && beyondKorean * 5 >= count && kana * 20 <= count
      return count >= 8 && everydayGB * 10 >= count * 9 && lowTrails * 20 <= count
        && (isLate || isChineseProse) ? .gb18030 : nil
    }
  }

  private static func firstBeyondASCII(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var at = start
    while at < bytes.count {
      if let word = bytes.wholeWord(at: at) {
        let hits = ByteTest.high(word)
        guard hits == 0 else { return at &+ ByteTest.first(hits) }
        at &+= 8
      } else if bytes[at] < 0x80 {
        at &+= 1
      } else {
        return at
      }
    }
    return bytes.count
  }

  /// Returns whether the first characters beyond ASCII, at most 32, are UTF-8, and are at least as
  /// many as given, or include one of three bytes.
  private static func beginsAsUTF8(
    _ bytes: Span<UInt8>, from start: Int, atLeast least: Int
  ) -> Bool {
    var at = start
    var count = 0
    var isWide = false
    while at < bytes.count, count < 32 {
      let length = UTF8Scalar.form(of: bytes[at]).length
      guard length > 0, at + length <= bytes.count, UTF8Check.isValid(bytes, at..<at + length)
      else { return false }
      if length > 2 { isWide = true }
      count += 1
      at = firstBeyondASCII(bytes, from: at + length)
    }
    return isWide || count >= least
  }

  /// Returns whether at least half of the bytes beyond ASCII are UTF-8 in characters of three bytes or
  /// more, or the most part is UTF-8 of any kind.
  private static func isMostlyUTF8(_ bytes: Span<UInt8>, from start: Int) -> Bool {
    var (wide, narrow, others) = (0, 0, 0)
    var at = start
    while at < bytes.count {
      let length = UTF8Scalar.form(of: bytes[at]).length
      if length > 1, at + length <= bytes.count, UTF8Check.isValid(bytes, at..<at + length) {
        if length > 2 { wide += length } else { narrow += length }
        at = firstBeyondASCII(bytes, from: at + length)
      } else {
        others += 1
        at = firstBeyondASCII(bytes, from: at + 1)
      }
    }
    return wide >= narrow + others || narrow + wide > 8 && wide + narrow >= 4 * others
  }
}
