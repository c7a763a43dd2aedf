/// A writer that turns elements in the text of a feed back into HTML: XHTML in Atom, which is part
/// of the document, and HTML that a server forgot to escape.
struct FeedMarkup {
  /// Whether the feed declares the markup.
  let isDeclared: Bool
  private var html: String

  /// Creates markup that follows some text.
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

  /// Adds a text. A text that contains tags, in CDATA or escaped, was HTML originally.
  mutating func text(_ text: String) {
    html += !isDeclared && HTMLText.hasTag(text) ? text : SafeHTMLWriter.escaped(text)
  }

  /// Adds the end of an element, unless it is void: `<br></br>` would be two breaks.
  mutating func end(_ name: String) {
    if !SafeHTMLWriter.void.contains(name) { html += "</\(name)>" }
  }

  /// The markup, without the `div` that Atom requires around it.
  var inner: String {
    var text = html[...]
    while let first = text.first, first.isWhitespace { text = text.dropFirst() }
    while let last = text.last, last.isWhitespace { text = text.dropLast() }
    guard isDeclared, text.hasPrefix("<div>"), text.hasSuffix("</div>") else { return String(text) }
    return String(text.dropFirst(5).dropLast(6))
  }
}
