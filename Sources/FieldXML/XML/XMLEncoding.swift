internal import FieldCore

/// Finds out in which encoding a document is, and turns it into UTF-8.
///
/// The order is that of practice: the byte-order mark, then what the document says of itself, then what
/// the answer's header says, then UTF-8. The parser is given UTF-8 without a declaration always, so that
/// it has nothing left to guess: what libxml2 can convert differs from system to system.
enum XMLEncoding {
  /// The document in UTF-8, without a byte-order mark.
  static func utf8(
    _ bytes: [UInt8], charset: String?, as wanted: String
  ) throws(FieldError) -> [UInt8] {
    try refuseForeign(bytes, as: wanted)
    // Servers that put a page together from several files send blank lines before the mark.
    if let first = bytes.firstIndex(where: { !XMLProlog.isBlank($0) }),
      XMLProlog.hasMark(bytes, first)
    {
      return Array(bytes[..<first]) + bytes[(first + 3)...]
    }
    if bytes.starts(with: [0xFF, 0xFE]) { return try utf16(bytes.dropFirst(2), bigEndian: false) }
    if bytes.starts(with: [0xFE, 0xFF]) { return try utf16(bytes.dropFirst(2), bigEndian: true) }
    // The first character of a document is a `<` or a blank, so a zero beside it tells UTF-16 as well.
    if bytes.count >= 2, bytes[0] == 0 || bytes[1] == 0 {
      return try utf16(bytes[...], bigEndian: bytes[0] == 0)
    }
    let named = declared(bytes) ?? charset
    switch named?.lowercased() {
    // Who reads `UTF-16` in single bytes reads a declaration that a program forgot to change.
    case nil, "", "utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be", "unicode":
      return bytes
    case "big5", "big-5", "cp950", "ms950", "windows-950", "x-x-big5", "cn-big5", "big5-eten",
      "big5-hkscs":
      if isChineseUTF8(bytes) { return bytes }
      guard let text = Big5.utf8(bytes, damage: UInt8(ascii: "?")) else {
        throw FieldError(.encoding, "the document says that it is Big5, and is not")
      }
      return text
    case "iso-8859-1", "iso8859-1", "latin1", "latin-1", "windows-1252", "cp1252":
      return isChineseUTF8(bytes) ? bytes : western(bytes)
    case let name?:
      if isChineseUTF8(bytes) || isASCII(bytes, in: name) { return bytes }
      throw FieldError(
        .encoding,
        "the document is in the encoding \(named ?? name), which cannot be read; UTF-8, UTF-16, Big5 and "
          + "Windows-1252 can")
    }
  }

  private static func refuseForeign(_ bytes: [UInt8], as wanted: String) throws(FieldError) {
    guard bytes.contains(where: { $0 > 0x20 }) else {
      throw FieldError(.emptyBody, "the body is empty where \(wanted) was expected")
    }
    if bytes.starts(with: [0x1F, 0x8B]) {
      throw FieldError(.unknownFormat, "the body is gzip; unpack it first")
    }
    if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      throw FieldError(.unknownFormat, "the body is a ZIP archive; unpack it first")
    }
    if bytes.starts(with: [0, 0]) || bytes.starts(with: [0xFF, 0xFE, 0, 0]) {
      throw FieldError(.encoding, "the body is UTF-32 or no text at all; convert it to UTF-8 first")
    }
  }

  /// The encoding in the XML declaration, which is ASCII in every encoding that gets here.
  static func declared(_ bytes: [UInt8]) -> String? {
    let head = String(decoding: bytes.prefix(1024), as: UTF8.self)
    guard let start = head.firstIndex(where: { !$0.isWhitespace }),
      head[start...].hasPrefix("<?xml")
    else { return nil }
    let declaration = head[start...].prefix { $0 != ">" }
    var rest = declaration[...]
    while let place = rest.firstIndex(of: "e") {
      guard rest[place...].hasPrefix("encoding") else {
        rest = rest[place...].dropFirst()
        continue
      }
      let value = rest[place...].dropFirst(8).drop { $0.isWhitespace || $0 == "=" }
      guard let quote = value.first, quote == "\"" || quote == "'",
        // Half a name, where the document was cut, is none.
        let end = value.dropFirst().firstIndex(of: quote)
      else { return nil }
      return value[..<end].dropFirst().filter { !$0.isWhitespace }
    }
    return nil
  }

  private static func utf16(
    _ bytes: ArraySlice<UInt8>, bigEndian: Bool
  ) throws(FieldError) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var at = bytes.startIndex
    while at + 1 < bytes.endIndex {
      let (first, second) = (UInt16(bytes[at]), UInt16(bytes[at + 1]))
      units.append(bigEndian ? first << 8 | second : second << 8 | first)
      at += 2
    }
    // An odd last byte is half a unit of a body that was cut, and a surrogate that leads nothing half a
    // character; what came before is whole.
    if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
    var text: [UInt8] = []
    text.reserveCapacity(units.count * 2)
    let isDamaged = transcode(
      units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true
    ) { text.append($0) }
    guard !isDamaged || text.count > 0 else {
      throw FieldError(.encoding, "the body looks like UTF-16, and is not")
    }
    // What stands behind half a surrogate pair cannot be trusted; a byte that is no UTF-8 makes the
    // parser stop there.
    if isDamaged { text.append(0xFF) }
    return text
  }

  /// Whether the bytes are UTF-8 with characters of three bytes, as Chinese has: servers name the encoding
  /// that they were set up with, and what reads as UTF-8 throughout is nothing else.
  private static func isChineseUTF8(_ bytes: [UInt8]) -> Bool {
    bytes.contains { $0 >= 0xE0 } && String(validating: bytes, as: UTF8.self) != nil
  }

  /// Whether the bytes are ASCII, which nearly all encodings agree on; two write everything with it.
  private static func isASCII(_ bytes: [UInt8], in name: String) -> Bool {
    name != "utf-7" && !name.hasPrefix("hz") && bytes.allSatisfy { $0 < 0x80 }
  }

  /// Windows-1252, which is ISO 8859-1 where that has characters, and what pages mean that name it.
  private static func western(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      guard byte >= 0x80 else {
        text.append(byte)
        continue
      }
      let scalar = HTMLCharacter.windows(UInt32(byte))
      text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
    return text
  }
}
