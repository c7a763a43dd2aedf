/// A tokenizer that reads an HTML page in one pass over its bytes, like browsers where it matters
/// for safety.
///
/// Every text produces tokens, because anything that isn't a tag is text. Comments, document types,
/// and processing instructions are omitted, and so is the content of elements whose text isn't
/// readable, such as scripts and styles. If one of those doesn't end, everything after it is
/// omitted.
struct HTMLTokenizer {
  private let source: [UInt8]
  private var at = 0
  private var tokens: [HTMLToken] = []

  /// Returns the pieces of a page.
  static func tokens(_ html: String) -> [HTMLToken] {
    var tokenizer = HTMLTokenizer(source: Array(html.utf8))
    tokenizer.run()
    return tokenizer.tokens
  }

  private init(source: [UInt8]) { self.source = source }

  /// The elements whose content is dropped: code, or an alternative for old browsers.
  static let dropped: Set<String> = [
    "script", "style", "iframe", "noscript", "noembed", "noframes", "object", "applet", "embed",
    "template", "xmp", "plaintext", "svg", "math", "head", "title", "textarea", "select",
    "frameset",
    "audio", "video", "canvas",
  ]

  /// The dropped elements without content, after which no end tag is searched for.
  private static let void: Set<String> = ["embed"]

  private mutating func run() {
    var textStart = 0
    while at < source.count {
      guard source[at] == UInt8(ascii: "<"), at + 1 < source.count else {
        at += 1
        continue
      }
      let next = source[at + 1]
      let isEnd = next == UInt8(ascii: "/") && at + 2 < source.count && isLetter(source[at + 2])
      guard isLetter(next) || isEnd || next == UInt8(ascii: "!") || next == UInt8(ascii: "?") else {
        at += 1
        continue
      }
      addText(textStart..<at)
      if isLetter(next) || isEnd {
        readTag(isEnd: isEnd)
      } else {
        skipMarkup()
      }
      textStart = at
    }
    addText(textStart..<source.count)
  }

  private mutating func addText(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    tokens.append(.text(HTMLEntity.decoded(String(decoding: source[range], as: UTF8.self))))
  }

  /// Skips a comment, CDATA, a document type, or a processing instruction.
  private mutating func skipMarkup() {
    if XMLProlog.hasPrefix("<!--", source, at) {
      at = commentEnd(from: at + 4)
    } else {
      at = XMLProlog.find(">", source, from: at) ?? source.count
    }
  }

  /// Returns the offset after a comment, which browsers also end at `--!>` and inside `<!-->`.
  private func commentEnd(from start: Int) -> Int {
    if XMLProlog.hasPrefix(">", source, start) { return start + 1 }
    if XMLProlog.hasPrefix("->", source, start) { return start + 2 }
    var at = start
    while let dashes = XMLProlog.find("--", source, from: at) {
      if XMLProlog.hasPrefix(">", source, dashes) { return dashes + 1 }
      if XMLProlog.hasPrefix("!>", source, dashes) { return dashes + 2 }
      at = dashes - 1
    }
    return source.count
  }

  private mutating func readTag(isEnd: Bool) {
    at += isEnd ? 2 : 1
    let name = readName(until: [UInt8(ascii: "/"), UInt8(ascii: ">")])
    var attributes: [HTMLAttribute] = []
    while at < source.count, source[at] != UInt8(ascii: ">") {
      if Self.isBlank(source[at]) || source[at] == UInt8(ascii: "/") {
        at += 1
      } else {
        let attribute = readAttribute()
        if !attributes.contains(where: { $0.name == attribute.name }) && attributes.count < 64 {
          attributes.append(attribute)
        }
      }
    }
    // A tag without its `>` isn't a tag: the rest is lost in browsers, too.
    guard at < source.count else { return }
    at += 1
    if isEnd {
      if !Self.dropped.contains(name) { tokens.append(.end(name)) }
    } else if Self.dropped.contains(name) {
      if !Self.void.contains(name) { skipContent(of: name) }
    } else {
      tokens.append(.start(name, attributes))
    }
  }

  /// Skips to after the end tag of an element, or to the end of the page if there is none.
  private mutating func skipContent(of name: String) {
    while at < source.count {
      guard let next = XMLProlog.find("</", source, from: at) else { break }
      at = next
      let end = readName(until: [UInt8(ascii: "/"), UInt8(ascii: ">")])
      guard end == name else { continue }
      at = XMLProlog.find(">", source, from: at) ?? source.count
      return
    }
    at = source.count
  }

  private mutating func readName(until ends: [UInt8]) -> String {
    let start = at
    while at < source.count, !Self.isBlank(source[at]), !ends.contains(source[at]) { at += 1 }
    return lowercased(start..<at)
  }

  private mutating func readAttribute() -> HTMLAttribute {
    let start = at
    at += 1  // a `=` that comes first belongs to the name
    while at < source.count, !Self.isBlank(source[at]), source[at] != UInt8(ascii: "="),
      source[at] != UInt8(ascii: ">"), source[at] != UInt8(ascii: "/")
    {
      at += 1
    }
    let name = lowercased(start..<at)
    skipBlanks()
    guard at < source.count, source[at] == UInt8(ascii: "=") else {
      return HTMLAttribute(name: name, value: "")
    }
    at += 1
    skipBlanks()
    return HTMLAttribute(name: name, value: readValue())
  }

  private mutating func readValue() -> String {
    guard at < source.count else { return "" }
    let quote = source[at]
    let range: Range<Int>
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let end = source[(at + 1)...].firstIndex(of: quote) ?? source.count
      range = at + 1..<end
      at = min(end + 1, source.count)
    } else {
      let start = at
      while at < source.count, !Self.isBlank(source[at]), source[at] != UInt8(ascii: ">") {
        at += 1
      }
      range = start..<at
    }
    return HTMLEntity.decoded(String(decoding: source[range], as: UTF8.self), isAttribute: true)
  }

  // MARK: Bytes

  private mutating func skipBlanks() {
    while at < source.count, Self.isBlank(source[at]) { at += 1 }
  }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
  }

  private func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

  private func lowercased(_ range: Range<Int>) -> String {
    // A name longer than that of any element doesn't have to be kept in full.
    let bytes = source[range].prefix(64).map { byte in
      byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
