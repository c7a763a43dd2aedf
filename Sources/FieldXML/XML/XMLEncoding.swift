internal import FieldCore

/// A converter that detects the encoding of a document and converts it to UTF-8.
///
/// In order, it considers the byte-order mark or the zeros of wide characters, the document's own
/// declaration, the response's header, and UTF-8. Servers get all of these wrong, so none of them
/// is used if the bytes contradict it.
enum XMLEncoding {
  /// Returns the document in UTF-8. Bytes that are invalid in its encoding remain as invalid UTF-8.
  ///
  /// - Parameter strays: The offsets, at most 20, of texts in another encoding are appended.
  static func utf8(
    _ bytes: [UInt8], charset: String?, as wanted: String, strays: inout [Int]
  ) throws(FieldError) -> [UInt8] {
    try refuseForeign(bytes, as: wanted)
    // Servers that build a page from several files send blank lines and marks before the document,
    // and one that converts a file twice sends the marks of two encodings.
    var start = 0
    while start < bytes.count {
      if XMLCharacter.isBlank(bytes[start]), !isZero(bytes, start + 1) {
        start += 1
      } else if XMLProlog.hasMark(bytes, start) {
        start += 3
      } else if hasStrayMark(bytes, start) {
        start += 2
      } else {
        break
      }
    }
    if let text = wide(bytes[start...]) { return text }
    if isZero(bytes, start) {
      throw FieldError(.encoding, "The body begins with zeros, so it isn't text.")
    }
    guard bytes[..<start].contains(where: { $0 >= 0x80 }) else {
      return try narrow(bytes, charset: charset, strays: &strays)
    }
    // Keep blank lines so that the lines of faults are those of the file.
    let text = bytes[..<start].filter(XMLCharacter.isBlank) + bytes[start...]
    return XMLCharacter.isMostlyUTF8(text)
      ? text : try narrow(text, charset: charset, strays: &strays)
  }

  /// Converts a document whose tags are ASCII.
  private static func narrow(
    _ bytes: [UInt8], charset: String?, strays: inout [Int]
  ) throws(FieldError) -> [UInt8] {
    if let text = chinese(bytes) { return text }
    let named = declared(bytes) ?? charset
    guard let named, !TextEncoding.isUTF8(name: named) else { return bytes }
    let encoding = TextEncoding(name: named)
    switch encoding {
    case .windows1252?:
      // Every letter with an accent would have to be followed by the right signs to be UTF-8 by
      // chance.
      return XMLCharacter.isUTF8(bytes) ? bytes : western(bytes, strays: &strays)
    case let encoding?:
      return isChineseUTF8(bytes) ? bytes : converted(bytes, from: encoding)
    case nil:
      let name = TextEncoding.normalized(named)
      // A declaration of wide characters that is readable as single bytes is one that a program
      // forgot to change.
      let isWide = ["utf-16", "utf-32", "ucs-", "iso-10646"].contains { name.hasPrefix($0) }
      if isWide || isChineseUTF8(bytes) || isASCII(bytes, in: name) { return bytes }
      throw FieldError(
        .encoding,
        "The document's encoding \(named) isn't supported. Use UTF-8, UTF-16, Big5, "
          + "Big5-HKSCS, GB 18030, or Windows-1252.")
    }
  }

  private static func refuseForeign(_ bytes: [UInt8], as wanted: String) throws(FieldError) {
    guard bytes.contains(where: { $0 > 0x20 }) else {
      throw FieldError(.emptyBody, "Expected \(wanted), but the body is empty.")
    }
    if bytes.starts(with: [0x1F, 0x8B]) {
      throw FieldError(.unknownFormat, "The body is compressed with gzip. Decompress it first.")
    }
    if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      throw FieldError(.unknownFormat, "The body is a ZIP archive. Extract it first.")
    }
  }

  /// Returns the encoding in the XML declaration, which is ASCII in every encoding that reaches
  /// this point.
  static func declared(_ bytes: [UInt8]) -> String? {
    let first = bytes.firstIndex { !XMLCharacter.isBlank($0) } ?? bytes.count
    let start = XMLProlog.junkEnd(bytes, first) ?? first
    guard XMLProlog.hasPrefix("<?xml", bytes, start) else { return nil }
    let head = String(decoding: bytes[start...].prefix(1024), as: UTF8.self)
    var rest = head.prefix { $0 != ">" }
    while let place = rest.firstIndex(of: "e") {
      guard rest[place...].hasPrefix("encoding") else {
        rest = rest[place...].dropFirst()
        continue
      }
      let value = rest[place...].dropFirst(8).drop { $0.isWhitespace || $0 == "=" }
      guard let quote = value.first, quote == "\"" || quote == "'",
        // Half a name, where the document was cut off, doesn't count.
        let end = value.dropFirst().firstIndex(of: quote)
      else { return nil }
      return value[..<end].dropFirst().filter { !$0.isWhitespace }
    }
    return nil
  }

  // MARK: Wide characters

  private static func isZero(_ bytes: [UInt8], _ at: Int) -> Bool {
    at < bytes.count && bytes[at] == 0
  }

  /// Returns whether a mark of UTF-16 is next, but no tag in UTF-16 is after it.
  private static func hasStrayMark(_ bytes: [UInt8], _ at: Int) -> Bool {
    let head = bytes[at...].prefix(256)
    return head.count > 3 && (head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]))
      && !head.contains(0)
  }

  /// Returns the text if it is in UTF-16 or UTF-32, with or without a mark, or `nil` otherwise.
  ///
  /// The first character of a document is `<` or a blank, so the zeros around it reveal the width.
  /// They have priority over a mark of another width.
  private static func wide(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    let marks: [(mark: [UInt8], width: Int, isBigEndian: Bool)] = [
      ([0xFF, 0xFE, 0, 0], 4, false), ([0, 0, 0xFE, 0xFF], 4, true),
      ([0xFF, 0xFE], 2, false), ([0xFE, 0xFF], 2, true),
    ]
    let bigEndian = [true, true, true, false]
    func zeros(_ bytes: ArraySlice<UInt8>) -> [Bool] { bytes.prefix(4).map { $0 == 0 } }
    var rest = bytes
    var form: (width: Int, isBigEndian: Bool)?
    while let found = marks.first(where: { mark in
      rest.starts(with: mark.mark) && !(mark.width == 4 && zeros(rest.dropFirst(2)) == bigEndian)
    }) {
      form = form ?? (found.width, found.isBigEndian)
      rest = rest.dropFirst(found.mark.count)
    }
    switch zeros(rest) {
    case [false, true, true, true]: form = (4, false)
    case bigEndian: form = (4, true)
    case let zeros where zeros.starts(with: [false, true]): form = (2, false)
    case let zeros where zeros.starts(with: [true, false]): form = (2, true)
    default: break
    }
    return form.map { UTF16Text.utf8(rest, width: $0.width, isBigEndian: $0.isBigEndian) }
  }

  // MARK: Single bytes

  /// Returns the text if it isn't UTF-8 but evidently in an encoding of Chinese, whatever the server
  /// states, or `nil` otherwise.
  private static func chinese(_ bytes: [UInt8]) -> [UInt8]? {
    guard !XMLCharacter.isUTF8(bytes) else { return nil }
    return bytes.withByteSpan { TextEncoding.evident(in: $0, isProse: true) }
      .map { converted(bytes, from: $0) }
  }

  private static func converted(_ bytes: [UInt8], from encoding: TextEncoding) -> [UInt8] {
    // Bytes of GB 18030 that encode nothing become ones that the scanner reports.
    encoding.utf8(bytes, damage: encoding == .gb18030 ? 0xFF : UInt8(ascii: "?"))
  }

  /// Returns whether the bytes are UTF-8 with characters of three bytes, as in Chinese. Servers
  /// state the encoding that they were configured with, and text that is valid UTF-8 throughout is
  /// UTF-8.
  private static func isChineseUTF8(_ bytes: [UInt8]) -> Bool {
    bytes.contains { $0 >= 0xE0 } && XMLCharacter.isUTF8(bytes)
  }

  /// Returns whether the bytes are ASCII, on which nearly all encodings agree; two encode
  /// everything with it.
  private static func isASCII(_ bytes: [UInt8], in name: String) -> Bool {
    name != "utf-7" && !name.hasPrefix("hz") && bytes.allSatisfy { $0 < 0x80 }
  }

  /// Converts Windows-1252, which extends ISO 8859-1 and is what pages that declare the latter use.
  ///
  /// Feeds that are put together from several sources mix encodings, so each text that is UTF-8
  /// throughout stays as it is. Letters of Windows-1252 are hardly UTF-8 by chance.
  private static func western(_ bytes: [UInt8], strays: inout [Int]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 8)
    for part in bytes.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false) {
      if part.startIndex > bytes.startIndex { text.append(UInt8(ascii: "<")) }
      let tagEnd = part.firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? part.startIndex
      for piece in [part[..<tagEnd], part[tagEnd...]] {
        guard let first = piece.firstIndex(where: { $0 >= 0x80 }) else {
          text += piece
          continue
        }
        if String(validating: piece, as: UTF8.self) != nil {
          if strays.count < 20 { strays.append(text.count + first - piece.startIndex) }
          text += piece
          continue
        }
        for byte in piece {
          guard byte >= 0x80 else {
            text.append(byte)
            continue
          }
          let scalar = TextEncoding.windowsScalar(UInt32(byte))
          text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
      }
    }
    return text
  }
}
