/// Writes elements within a text of a feed as HTML again: XHTML in Atom, which is part of the document, and
/// HTML that a server forgot to escape.
struct FeedMarkup {
  /// Whether the feed says that the markup is there.
  let isDeclared: Bool
  private var html: String

  /// Begins markup after the text that stands before it.
  init(after text: String = "", isDeclared: Bool) {
    self.isDeclared = isDeclared
    html = ""
    if !text.isEmpty { self.text(text) }
  }

  mutating func start(_ tag: XMLTag) {
    html += "<\(tag.name)"
    for (name, value) in tag.attributes.sorted(by: { $0.key < $1.key }) where !name.contains(":") {
      html += " \(name)=\"\(SafeHTMLWriter.escaped(value))\""
    }
    html += ">"
  }

  /// Adds a text. One that contains tags, in CDATA or escaped, was HTML to begin with.
  mutating func text(_ text: String) {
    html += !isDeclared && HTMLText.hasTag(text) ? text : SafeHTMLWriter.escaped(text)
  }

  /// Adds the end of an element; `<br></br>` would be two breaks.
  mutating func end(_ name: String) {
    if !SafeHTMLWriter.void.contains(name) { html += "</\(name)>" }
  }

  /// The markup, without the `div` that Atom wants around it.
  var inner: String {
    var text = html[...]
    while let first = text.first, first.isWhitespace { text = text.dropFirst() }
    while let last = text.last, last.isWhitespace { text = text.dropLast() }
    guard isDeclared, text.hasPrefix("<div>"), text.hasSuffix("</div>") else { return String(text) }
    return String(text.dropFirst(5).dropLast(6))
  }
}
