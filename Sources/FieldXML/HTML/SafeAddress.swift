internal import FieldCore
internal import FieldFoundation

/// Addresses that may stand in a page or be opened.
enum SafeAddress {
  /// A link: of the web, or for mail or a telephone; nil for every other scheme.
  static func link(_ text: String, base: URL?) -> String? {
    let text = tidied(text)
    switch scheme(of: text) {
    case "mailto", "tel": return plain(text)
    case "http", "https", nil: return web(text, base: base)
    default: return nil
    }
  }

  /// An address of the web; nil for every other one.
  static func web(_ text: String, base: URL?) -> String? { url(text, base: base)?.absoluteString }

  /// An address of the web, completed by the page's own when it is relative; nil for every other one.
  static func url(_ text: String, base: URL?) -> URL? {
    let text = tidied(text)
    guard !text.isEmpty else { return nil }
    if let scheme = scheme(of: text) {
      return scheme == "http" || scheme == "https" ? PercentEncoding.webAddress(text) : nil
    }
    guard let base, let whole = completed(text, by: base) else { return nil }
    return PercentEncoding.webAddress(whole)
  }

  /// The address without what browsers take out before they look at its scheme: blanks and control
  /// characters around it, tabs and line breaks within. `java&#10;script:` is `javascript:`.
  private static func tidied(_ text: String) -> String {
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

  /// What stands before the first colon, in small letters; nil when the address is relative.
  private static func scheme(of text: String) -> String? {
    let head = text.prefix { $0 != ":" && $0 != "/" && $0 != "?" && $0 != "#" }
    guard head.endIndex < text.endIndex, text[head.endIndex] == ":" else { return nil }
    return head.lowercased()
  }

  /// A relative address, completed by hand where Foundation would refuse its characters.
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

  /// An address of mail or telephone with nothing in it that could end it; nil when nothing is left.
  private static func plain(_ text: String) -> String? {
    let isGood = text.unicodeScalars.allSatisfy { scalar in
      scalar.value > 0x20 && scalar.value != 0x7F && !"<>\"'`\\".unicodeScalars.contains(scalar)
    }
    return isGood && text.utf8.count <= 2000 ? text : nil
  }
}
