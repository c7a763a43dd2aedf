public import FieldFoundation

/// A text from a feed that may contain markup, for display as plain text or sanitized HTML.
///
/// Descriptions in government feeds are HTML, plain text, or HTML that was escaped once too often
/// (`&lt;p style="x"&gt;`), and don't say which. A text that contains no tags but spells out some
/// is unescaped first.
///
/// ```swift
/// let text = HTMLText(item.description ?? "")
/// print(text.plainText)
/// webView.load(text.safeHTML)
/// ```
public struct HTMLText: Sendable, Hashable {
  /// The original text, unescaped if it was escaped once too often.
  public let source: String

  /// Creates a text from the content of a feed.
  public init(_ text: String) { source = Self.unescapedMarkup(text) ?? text }

  /// The text without markup.
  ///
  /// Block elements become lines, and references such as `&mdash;` become their characters. Runs of
  /// no-break spaces and other blanks become one blank, except in `pre`. Scripts, styles, comments,
  /// and empty lines are omitted. If one of those doesn't end, it is text: `<title> tag` is a title.
  /// So is a tag that isn't one of HTML and has no end tag, as in `Array<Element>`.
  public var plainText: String { HTMLPlainText.text(HTMLTokenizer.tokens(source)) }

  /// The text as HTML that contains only known elements and is safe to include in your pages.
  ///
  /// The HTML is rebuilt from the parsed text and never passed through. It contains only elements
  /// and attributes from a short list, each of them closed; links only to `http`, `https`,
  /// `mailto`, and `tel`; and pictures only from `https` and `http`. It contains no styles,
  /// classes, scripts, or event handlers. Relative addresses are omitted.
  public var safeHTML: String { safeHTML(relativeTo: nil) }

  /// Returns the text as ``safeHTML``, with relative addresses completed.
  ///
  /// - Parameter base: The address of the page that contains the text; `nil` omits relative
  ///   addresses.
  public func safeHTML(relativeTo base: URL?) -> String {
    SafeHTMLWriter.html(HTMLTokenizer.tokens(source), base: base)
  }

  /// Returns the unescaped text if only that contains an HTML tag, or `nil` otherwise. Two levels
  /// of escaping are the most that occur in practice.
  private static func unescapedMarkup(_ text: String) -> String? {
    var unescaped = text
    for _ in 0..<2 {
      guard !hasTag(unescaped), unescaped.utf8.contains(UInt8(ascii: "&")) else { return nil }
      unescaped = HTMLEntity.decoded(unescaped)
      if hasTag(unescaped) { return unescaped }
    }
    return nil
  }

  /// Returns whether a text contains an HTML tag.
  static func hasTag(_ text: String) -> Bool {
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

  /// Returns whether a name is that of an element used in texts, so that `a <b and c> d` isn't
  /// changed.
  static func isElement(_ name: String) -> Bool {
    SafeHTMLWriter.elements[name] != nil || HTMLPlainText.blocks.contains(name)
      || HTMLTokenizer.dropped.contains(name) || styles.contains(name)
  }

  /// The elements for a style or a layout that aren't part of safe HTML.
  private static let styles: Set<String> = [
    "acronym", "big", "blink", "col", "colgroup", "font", "marquee", "nobr", "rb", "rtc", "strike",
    "tt",
  ]
}
