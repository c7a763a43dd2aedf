package import FieldFoundation

extension PercentEncoding {
  /// Returns the web address in a text as sources write it, or `nil` if there is none.
  ///
  /// Of the zoo's addresses, 24 have bare spaces, 10 are already encoded, and some are both in one
  /// row; two aren't addresses at all. Characters that an address can't contain (spaces, Chinese,
  /// brackets, a `%` that begins no escape) are encoded, and encoded ones stay. Space and
  /// byte-order marks around the text, and line breaks within it, are dropped. Nothing else is
  /// changed, neither the scheme nor a double slash. Only `http` and `https` URLs with a host are
  /// web addresses.
  package static func webAddress(_ text: String) -> URL? {
    if isTidy(text) { return URL(string: text) }
    let bytes = trimmed(text.utf8.filter { !(9...13).contains($0) })
    guard let start = authorityStart(bytes) else { return nil }
    let rest = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
    let authority = bytes[start..<rest]
    let host =
      authority.lastIndex(of: UInt8(ascii: "@")).map { authority[($0 + 1)...] } ?? authority
    guard let first = host.first, first != UInt8(ascii: ":"), !host.starts(with: "[]".utf8) else {
      return nil
    }
    guard !authority.contains(where: { $0 <= 32 || $0 == 127 }) else { return nil }

    var tidy = Array(bytes[..<rest])
    var part = Part.path
    for index in rest..<bytes.endIndex {
      let byte = bytes[index]
      if byte == UInt8(ascii: "#"), part != .fragment {
        part = .fragment
        tidy.append(byte)
      } else if byte == UInt8(ascii: "?"), part == .path {
        part = .query
        tidy.append(byte)
      } else if isAllowed(byte, in: part) || isEscape(bytes, at: index) {
        tidy.append(byte)
      } else {
        appendEscaped(byte, to: &tidy)
      }
    }
    // Foundation encodes hosts that aren't ASCII.
    return URL(string: String(decoding: tidy, as: UTF8.self))
  }

  /// Returns whether a text is an address as it is, like nearly all: nothing is encoded or must be,
  /// and its host begins with a letter or a digit.
  private static func isTidy(_ text: String) -> Bool {
    text.withUTF8Span { bytes in
      var start = 0
      for byte in [0x68, 0x74, 0x74, 0x70] as [UInt8] {
        guard start < bytes.count, bytes[start] == byte else { return false }
        start += 1
      }
      if start < bytes.count, bytes[start] == UInt8(ascii: "s") { start += 1 }
      for byte in [0x3A, 0x2F, 0x2F] as [UInt8] {
        guard start < bytes.count, bytes[start] == byte else { return false }
        start += 1
      }
      guard start < bytes.count, isUnreserved(bytes[start]) else { return false }
      for index in start..<bytes.count {
        let byte = bytes[index]
        guard byte != UInt8(ascii: "@"), isAllowed(byte, in: .query) else { return false }
      }
      return true
    }
  }

  private enum Part {
    case path, query, fragment
  }

  private static func isAllowed(_ byte: UInt8, in part: Part) -> Bool {
    switch byte {
    case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"),
      UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"),
      UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: ":"),
      UInt8(ascii: "@"), UInt8(ascii: "/"):
      true
    case UInt8(ascii: "?"): part != .path
    default: isUnreserved(byte)
    }
  }

  private static func authorityStart(_ bytes: [UInt8]) -> Int? {
    for scheme in ["http://", "https://"] {
      let count = scheme.utf8.count
      guard bytes.count > count else { continue }
      let head = String(decoding: bytes[..<count], as: UTF8.self)
      if head.lowercased() == scheme { return count }
    }
    return nil
  }

  /// Returns the bytes without surrounding space, no-break space, ideographic space, and byte-order
  /// marks.
  private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    let blanks: [[UInt8]] = [[32], [0xC2, 0xA0], [0xE3, 0x80, 0x80], [0xEF, 0xBB, 0xBF]]
    var slice = bytes[...]
    while let blank = blanks.first(where: { slice.starts(with: $0) }) {
      slice = slice.dropFirst(blank.count)
    }
    while let blank = blanks.first(where: { slice.suffix($0.count).elementsEqual($0) }) {
      slice = slice.dropLast(blank.count)
    }
    return Array(slice)
  }
}

extension URL {
  /// The URL with `https` instead of `http`, or the URL itself if it has another scheme or a port,
  /// at which a server speaks only one of the two.
  package var upgradedToHTTPS: URL {
    let text = absoluteString
    guard port == nil, text.prefix(5).lowercased() == "http:" else { return self }
    return URL(string: "https:\(text.dropFirst(5))", encodingInvalidCharacters: false) ?? self
  }
}
