package import FieldFoundation

/// The only code that inserts text into URLs.
///
/// Servers read the characters that `URLComponents` leaves bare in a query (`+`, `'`, `;`, and
/// others) in different ways, so a value keeps only the characters that RFC 3986 calls unreserved:
/// letters, digits, `-`, `.`, `_`, and `~`. Equal input results in equal URLs, byte for byte.
package enum PercentEncoding {
  /// Returns the text with all but unreserved characters written as `%XX`, for a name or a value in
  /// a query.
  package static func component(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isUnreserved(byte) { bytes.append(byte) } else { appendEscaped(byte, to: &bytes) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the text as one segment of a path: like ``component(_:)``, but `.` and `..`, which would be
  /// steps in the path, are escaped as well.
  package static func segment(_ text: String) -> String {
    [".", ".."].contains(text) ? text.replacing(".", with: "%2E") : component(text)
  }

  /// Returns `name=value` pairs joined by `&`, in the given order.
  package static func query(_ items: [(name: String, value: String)]) -> String {
    items.map { "\(component($0.name))=\(component($0.value))" }.joined(separator: "&")
  }

  /// Returns a URL with the pairs appended to its query.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/invalidInput`` if `base` can't have a
  ///   query.
  package static func url(_ base: URL, adding items: [(name: String, value: String)]) throws -> URL
  {
    guard !items.isEmpty else { return base }
    let parts = base.absoluteString.split(
      separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    var text = String(parts[0])
    if !text.contains("?") {
      text += "?"
    } else if !text.hasSuffix("?") && !text.hasSuffix("&") {
      text += "&"
    }
    text += query(items)
    if parts.count > 1 { text += "#\(parts[1])" }
    guard let url = URL(string: text, encodingInvalidCharacters: false) else {
      throw FieldError(.invalidInput, "A query can't be added to \(base.absoluteString).")
    }
    return url
  }

  /// Returns the text with every `%XX` replaced by its byte; incomplete escapes stay.
  package static func decoded(_ text: some StringProtocol) -> String {
    let bytes = Array(text.utf8)
    guard bytes.contains(UInt8(ascii: "%")) else { return String(text) }
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if isEscape(bytes, at: index),
        let byte = UInt8(
          String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
      {
        plain.append(byte)
        index += 3
      } else {
        plain.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: plain, as: UTF8.self)
  }

  static func isEscape(_ bytes: [UInt8], at index: Int) -> Bool {
    bytes[index] == UInt8(ascii: "%") && index + 2 < bytes.count
      && JSONText.hexDigit(bytes[index + 1]) != nil && JSONText.hexDigit(bytes[index + 2]) != nil
  }

  static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: byte.isLetterOrDigit
    }
  }

  static func appendEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "%"))
    bytes.append(hexDigit(byte >> 4))
    bytes.append(hexDigit(byte & 15))
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + (value - 10)
  }
}

// MARK: - Web address

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
