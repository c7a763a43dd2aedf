/// Writes the XHTML within an element of Atom as text again: there the markup is not escaped, but part of
/// the document.
struct FeedMarkup {
  private var html = ""
  private var depth = 0

  mutating func start(_ tag: XMLTag) {
    depth += 1
    html += "<\(tag.name)"
    for (name, value) in tag.attributes.sorted(by: { $0.key < $1.key }) where !name.contains(":") {
      html += " \(name)=\"\(SafeHTMLWriter.escaped(value))\""
    }
    html += ">"
  }

  mutating func text(_ text: String) { html += SafeHTMLWriter.escaped(text) }

  /// Takes the end of an element; false when it is the end of the one that holds the markup.
  mutating func end(_ name: String) -> Bool {
    guard depth > 0 else { return false }
    depth -= 1
    // `<br></br>` would be two breaks.
    if ["br", "hr", "img", "wbr"].contains(name), html.hasSuffix(">") { return true }
    html += "</\(name)>"
    return true
  }

  /// The markup, without the `div` that Atom wants around it.
  var inner: String {
    var text = html[...]
    while let first = text.first, first.isWhitespace { text = text.dropFirst() }
    while let last = text.last, last.isWhitespace { text = text.dropLast() }
    guard text.hasPrefix("<div>"), text.hasSuffix("</div>") else { return String(text) }
    return String(text.dropFirst(5).dropLast(6))
  }
}
