public import FieldFoundation

/// A text from a feed that may hold markup, to be read as plain text or shown as HTML that does no harm.
///
/// Descriptions of governmental feeds are HTML, or text, or HTML that was escaped once too often
/// (`&lt;p style="x"&gt;`), without saying which. What has no tags but spells some is unescaped first.
///
/// ```swift
/// let text = HTMLText(item.description ?? "")
/// print(text.plainText)
/// webView.load(text.safeHTML)
/// ```
public struct HTMLText: Sendable, Hashable {
  /// The text as it came, unescaped where it was escaped once too often.
  public let source: String

  /// Makes a text of what a feed has.
  public init(_ text: String) {
    source = Self.unescapedMarkup(text) ?? text
  }

  /// The text without markup.
  ///
  /// Elements that make paragraphs give lines; references such as `&mdash;` give their characters;
  /// no-break and other blanks in a row give one blank, save in `pre`. Scripts, styles and comments are
  /// left out. Empty lines are left out as well.
  public var plainText: String { HTMLPlainText.text(HTMLTokenizer.tokens(source)) }

  /// The text as HTML that holds nothing but known elements, to be shown in a page of yours.
  ///
  /// It is written anew from what was read, never passed through: elements and attributes of a short list
  /// only, each closed; links to `http`, `https`, `mailto` and `tel` only; pictures from `https` and `http`
  /// only; no styles, no classes, no scripts, no event handlers. A relative address is left out.
  public var safeHTML: String { safeHTML(relativeTo: nil) }

  /// The text as ``safeHTML``, with relative addresses completed.
  ///
  /// - Parameter base: The page that the text is of; nil leaves relative addresses out.
  public func safeHTML(relativeTo base: URL?) -> String {
    SafeHTMLWriter.html(HTMLTokenizer.tokens(source), base: base)
  }

  /// The text unescaped, when it has no tag itself and one of HTML's then; else nil. Twice is enough for
  /// what has been seen.
  private static func unescapedMarkup(_ text: String) -> String? {
    var unescaped = text
    for _ in 0..<2 {
      guard !hasTag(unescaped), unescaped.utf8.contains(UInt8(ascii: "&")) else { return nil }
      unescaped = HTMLEntity.decoded(unescaped)
      if hasTag(unescaped) { return unescaped }
    }
    return nil
  }

  /// Whether a text contains a tag of HTML.
  static func hasTag(_ text: String) -> Bool {
    guard text.utf8.contains(UInt8(ascii: "<")) else { return false }
    var rest = text.utf8[...]
    while let place = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[place...].dropFirst()
      let tag = rest.first == UInt8(ascii: "/") ? rest.dropFirst() : rest
      let name = tag.prefix(12).prefix { byte in
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
      }
      let next = tag.dropFirst(name.count).first
      let isEnded =
        next == UInt8(ascii: ">") || next == UInt8(ascii: "/")
        || next.map(HTMLTokenizer.isBlank) == true
      if isEnded, isElement(String(decoding: name, as: UTF8.self).lowercased()) { return true }
    }
    return false
  }

  /// Whether a name is an element's that texts have, so that `a <b and c> d` stays what it is.
  private static func isElement(_ name: String) -> Bool {
    SafeHTMLWriter.elements[name] != nil || HTMLPlainText.blocks.contains(name)
      || HTMLTokenizer.dropped.contains(name) || name == "font" || name == "img"
  }
}
