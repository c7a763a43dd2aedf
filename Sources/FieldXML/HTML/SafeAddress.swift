internal import FieldCore
internal import FieldFoundation

/// Addresses that are safe to include in a page or to open.
enum SafeAddress {
  /// Returns a link to a web page, an email address, or a telephone number, or `nil` for other
  /// schemes.
  static func link(_ text: String, base: URL?) -> String? {
    let text = tidied(text)
    switch scheme(of: text) {
    case "mailto", "tel": return plain(text)
    case "http", "https", nil: return web(text, base: base)
    default: return nil
    }
  }

  /// Returns a web address, or `nil` for other schemes.
  static func web(_ text: String, base: URL?) -> String? { url(text, base: base)?.absoluteString }

  /// Returns a web address, with a relative one completed by the page's, or `nil` for other
  /// schemes.
  static func url(_ text: String, base: URL?) -> URL? {
    let text = tidied(text)
    guard !text.isEmpty else { return nil }
    if let scheme = scheme(of: text) {
      return scheme == "http" || scheme == "https" ? PercentEncoding.webAddress(text) : nil
    }
    guard let base, let whole = completed(text, by: base) else { return nil }
    return PercentEncoding.webAddress(whole)
  }

  /// Returns the address without the characters that browsers remove before they look at its
  /// scheme: blanks and control characters around it, and tabs and line breaks inside.
  /// `java&#10;script:` is `javascript:`.
  private static func tidied(_ text: String) -> String {
    if isPrintable(text) { return text }
    func isBlank(_ scalar: Unicode.Scalar) -> Bool {
      scalar.value <= 0x20 || scalar.properties.isWhitespace || scalar == "\u{FEFF}"
    }
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !isBlank($0) }),
      let last = scalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    var tidy = ""
    tidy.unicodeScalars.append(
      contentsOf: scalars[first...last].lazy.filter { $0 != "\t" && $0 != "\n" && $0 != "\r" })
    return tidy
  }

  /// Returns whether a text has only printable characters of ASCII, like nearly all addresses.
  static func isPrintable(_ text: String) -> Bool {
    text.withUTF8Span { bytes in
      for index in bytes.indices where bytes[index] <= 0x20 || bytes[index] >= 0x7F { return false }
      return true
    }
  }

  /// Returns the lowercase text before the first colon, or `nil` if the address is relative.
  private static func scheme(of text: String) -> String? {
    let end = text.utf8.firstIndex { byte in
      byte == UInt8(ascii: ":") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?")
        || byte == UInt8(ascii: "#")
    }
    guard let end, text.utf8[end] == UInt8(ascii: ":") else { return nil }
    return text[..<end].lowercased()
  }

  /// Completes a relative address manually if Foundation would reject its characters.
  private static func completed(_ text: String, by base: URL) -> String? {
    guard let scheme = base.scheme, let host = base.host() else { return nil }
    if text.hasPrefix("//") { return "\(scheme):\(text)" }
    let port = base.port.map { ":\($0)" } ?? ""
    let bare = host.contains(":") ? "[\(host)]" : host
    let root = "\(scheme)://\(bare)\(port)"
    let path = base.path(percentEncoded: true)
    if text.hasPrefix("/") { return root + text }
    if text.hasPrefix("#") || text.hasPrefix("?") { return root + path + text }
    var folders = path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    if !path.hasSuffix("/"), !folders.isEmpty { folders.removeLast() }
    var rest = text[...]
    while true {
      if rest.hasPrefix("./") {
        rest = rest.dropFirst(2)
      } else if rest.hasPrefix("../") {
        rest = rest.dropFirst(3)
        if !folders.isEmpty { folders.removeLast() }
      } else {
        break
      }
    }
    return root + "/" + folders.map { $0 + "/" }.joined() + rest
  }

  /// Returns an email or telephone link without characters that could end it, or `nil` if nothing
  /// is left.
  private static func plain(_ text: String) -> String? {
    let isGood = text.unicodeScalars.allSatisfy { scalar in
      scalar.value > 0x20 && scalar.value != 0x7F && !"<>\"'`\\".unicodeScalars.contains(scalar)
    }
    return isGood && text.utf8.count <= 2000 ? text : nil
  }
}
