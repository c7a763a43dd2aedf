internal import FieldCore

/// A writer of the readable text of a page.
struct HTMLPlainText {
  private var text = ""
  private var line = ""
  private var needsBlank = false
  private var preDepth = 0

  /// The elements that begin and end a line.
  static let blocks: Set<String> = [
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details",
    "dir",
    "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4",
    "h5", "h6", "header", "hr", "html", "legend", "li", "main", "menu", "nav", "ol", "p", "pre",
    "section", "summary", "table", "tbody", "tfoot", "thead", "tr", "ul",
  ]

  static func text(_ tokens: [HTMLToken]) -> String {
    var writer = HTMLPlainText()
    for token in tokens { writer.add(token) }
    writer.endLine()
    return writer.text.streamSafe
  }

  private mutating func add(_ token: HTMLToken) {
    switch token {
    case .text(let piece): add(piece)
    case .start(let name, _):
      if name == "br" || Self.blocks.contains(name) { endLine() }
      if name == "td" || name == "th" { needsBlank = true }
      if name == "pre" { preDepth += 1 }
    case .end(let name):
      if name == "br" || Self.blocks.contains(name) { endLine() }
      if name == "pre" { preDepth = max(0, preDepth - 1) }
    }
  }

  private mutating func add(_ piece: String) {
    for scalar in piece.unicodeScalars {
      if preDepth > 0, scalar == "\n" {
        endLine()
      } else if scalar.properties.isWhitespace && !(preDepth > 0 && scalar == "\t") {
        // An ideographic space in Chinese text is as wide as a character and intentional.
        if scalar == "\u{3000}" {
          if !line.isEmpty || preDepth > 0 { line.unicodeScalars.append(scalar) }
        } else if preDepth > 0 {
          line.append(" ")
        } else {
          needsBlank = true
        }
      } else if isShown(scalar) {
        if needsBlank && !line.isEmpty { line.append(" ") }
        needsBlank = false
        line.unicodeScalars.append(scalar)
      }
    }
  }

  /// Returns whether a character is readable, unlike control characters and marks that reorder
  /// text.
  private func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20: scalar == "\t"
    case 0x7F..<0xA0, 0x200B, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  private mutating func endLine() {
    needsBlank = false
    while let last = line.unicodeScalars.last, last.properties.isWhitespace {
      line.unicodeScalars.removeLast()
    }
    guard !line.isEmpty else { return }
    if !text.isEmpty { text.append("\n") }
    text.append(line)
    line = ""
  }
}
