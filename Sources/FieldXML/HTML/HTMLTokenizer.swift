internal import FieldCore

/// A tokenizer that reads an HTML page in one pass over its bytes, like browsers where it matters
/// for safety.
///
/// Every text produces tokens, because anything that isn't a tag is text. Comments, document types,
/// and processing instructions are omitted, and so is the content of elements whose text isn't
/// readable, such as scripts and styles.
///
/// Browsers omit the rest of the page after an element of that kind, a comment, or a quotation mark
/// that doesn't end. Here the rest is a text like any other, because titles write about `<title>`
/// and programs cut descriptions off. Browsers also omit tags that they don't know. Here these are
/// texts unless they are a start and its end, because titles write about `Array<Element>`. Both are
/// safe because a page is rebuilt from tokens.
struct HTMLTokenizer {
  private let source: [UInt8]
  private var at = 0
  private var tokens: [HTMLToken] = []
  /// The names of elements, the ends of comments, and the quotation marks that the rest of the page
  /// lacks, so that it isn't searched again.
  private var missing: Set<String> = []
  /// The tag that was read last; `nil` if it was omitted.
  private var tag: HTMLToken?
  /// The start tags of unknown elements that haven't ended: the indices of their tokens, and where
  /// they are in the source.
  private var unended: [String: [(token: Int, source: Range<Int>)]] = [:]
  /// Whether a drawing or a formula that doesn't end has begun, whose elements are unknown here.
  private var isDrawing = false

  /// Returns the pieces of a page.
  static func tokens(_ html: String) -> [HTMLToken] {
    var tokenizer = HTMLTokenizer(source: Array(html.utf8))
    tokenizer.run()
    tokenizer.restoreUnended()
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

  /// The other elements of HTML, which are as likely to be names in a text, such as `Set<Data>`,
  /// unless they have attributes.
  private static let controls: Set<String> = [
    "area", "base", "basefont", "bdi", "bdo", "bgsound", "button", "data", "datalist", "dfn",
    "dialog", "frame", "hgroup", "input", "isindex", "keygen", "label", "layer", "link", "listing",
    "map", "menuitem", "meta", "meter", "optgroup", "option", "output", "param", "picture",
    "progress", "search", "slot", "source", "spacer", "time", "track", "var",
  ]

  /// The prefixes of the elements that word processors leave in HTML, such as `<o:p/>`.
  private static let officePrefixes = ["o:", "v:", "w:", "st1:"]

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
      let start = at
      let isMarkup = isLetter(next) || isEnd ? readTag(isEnd: isEnd) : skipMarkup()
      guard isMarkup else { continue }
      addText(textStart..<start)
      addTag(start..<at)
      textStart = at
    }
    addText(textStart..<source.count)
  }

  /// Adds the tag that was read last, which follows the text before it.
  private mutating func addTag(_ range: Range<Int>) {
    guard let added = tag else { return }
    if case .start(let name, let attributes) = added, !isMarkup(name, attributes) {
      unended[name, default: []].append((tokens.count, range))
    }
    tokens.append(added)
    tag = nil
  }

  /// Makes texts of the start tags of unknown elements that don't end.
  private mutating func restoreUnended() {
    for (token, range) in unended.values.joined() { tokens[token] = .text(text(range)) }
  }

  private mutating func addText(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    tokens.append(.text(text(range)))
  }

  private func text(_ range: Range<Int>) -> String {
    HTMLEntity.decoded(String(decoding: source[range], as: UTF8.self))
  }

  /// Skips a comment, CDATA, a document type, or a processing instruction, and returns whether it
  /// ends. If it doesn't, only its first character is skipped.
  private mutating func skipMarkup() -> Bool {
    let isComment = XMLProlog.hasPrefix("<!--", source, at)
    let end =
      isComment
      ? commentEnd(from: at + 4)
      : find(">") { page in XMLProlog.find(">", page.source, from: page.at) }
    at = end ?? at + 1
    return end != nil
  }

  /// Returns the offset after a comment, which browsers also end at `--!>` and inside `<!-->`, or
  /// `nil` if it doesn't end.
  private mutating func commentEnd(from start: Int) -> Int? {
    if XMLProlog.hasPrefix(">", source, start) { return start + 1 }
    if XMLProlog.hasPrefix("->", source, start) { return start + 2 }
    return find("-->") { page in
      var at = start
      while let dashes = XMLProlog.find("--", page.source, from: at) {
        if XMLProlog.hasPrefix(">", page.source, dashes) { return dashes + 1 }
        if XMLProlog.hasPrefix("!>", page.source, dashes) { return dashes + 2 }
        at = dashes - 1
      }
      return nil
    }
  }

  /// Returns what a search to the end of the page finds, and remembers if it finds nothing.
  private mutating func find(_ name: String, _ search: (Self) -> Int?) -> Int? {
    guard !missing.contains(name) else { return nil }
    let found = search(self)
    if found == nil { missing.insert(name) }
    return found
  }

  /// Reads a tag, and returns whether it is one. If it isn't, it is skipped as a text.
  private mutating func readTag(isEnd: Bool) -> Bool {
    at += isEnd ? 2 : 1
    let name = readName()
    let isKnown = HTMLText.isElement(name) || Self.controls.contains(name)
    // Another tag begins, as in `x<y<b>z</b>`.
    if at < source.count, source[at] == UInt8(ascii: "<") { return false }
    var attributes: [HTMLAttribute] = []
    while at < source.count, source[at] != UInt8(ascii: ">") {
      if !isKnown, source[at] == UInt8(ascii: "<") { return false }
      if Self.isBlank(source[at]) || source[at] == UInt8(ascii: "/") {
        at += 1
      } else {
        let attribute = readAttribute()
        if !attributes.contains(where: { $0.name == attribute.name }) && attributes.count < 64 {
          attributes.append(attribute)
        }
      }
    }
    // The page ends within the tag of an element, or after something else, such as `a <bonus`.
    let isMarkup = isMarkup(name, attributes) || isEnd && isKnown
    guard at < source.count else { return isMarkup }
    at += 1
    if isEnd, unended[name]?.popLast() == nil, !isMarkup { return false }
    guard Self.dropped.contains(name) else {
      tag = isEnd ? .end(name) : .start(name, attributes)
      return true
    }
    guard !isEnd, !Self.void.contains(name) else { return true }
    if let end = find(name, { $0.contentEnd(of: name) }) {
      at = end
      return true
    }
    // A tag with attributes, such as `<iframe src="…"/>`, is markup whose end was forgotten. One
    // without is a name in a text.
    if name == "svg" || name == "math" { isDrawing = isDrawing || !attributes.isEmpty }
    return !attributes.isEmpty
  }

  /// Returns whether a start tag is markup even if its end doesn't follow.
  private func isMarkup(_ name: String, _ attributes: [HTMLAttribute]) -> Bool {
    HTMLText.isElement(name) || Self.controls.contains(name) && !attributes.isEmpty || isDrawing
      || Self.officePrefixes.contains { name.hasPrefix($0) }
  }

  /// Returns the offset after the end tag of an element, or `nil` if there is none.
  private func contentEnd(of name: String) -> Int? {
    let length = name.utf8.count
    var next = at
    while let end = XMLProlog.find("</", source, from: next) {
      next = end
      guard lowercased(end..<min(end + length, source.count)) == name else { continue }
      let after = end + length
      guard after < source.count, source[after] != UInt8(ascii: "/"),
        source[after] != UInt8(ascii: ">"), !Self.isBlank(source[after])
      else { return XMLProlog.find(">", source, from: after) ?? source.count }
    }
    return nil
  }

  private mutating func readName() -> String {
    let start = at
    while at < source.count, !Self.isBlank(source[at]), source[at] != UInt8(ascii: "/"),
      source[at] != UInt8(ascii: "<"), source[at] != UInt8(ascii: ">")
    {
      at += 1
    }
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
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
      let end = find(
        quote == UInt8(ascii: "'") ? "'" : "\"",
        { $0.source[($0.at + 1)...].firstIndex(of: quote) })
    {
      range = at + 1..<end
      at = end + 1
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

/// A piece of an HTML page.
enum HTMLToken: Sendable, Hashable {
  /// A text with its references replaced.
  case text(String)
  /// The start of an element, with its lowercase name.
  case start(String, [HTMLAttribute])
  /// The end of an element, with its lowercase name.
  case end(String)
}

/// An attribute of an element, with its lowercase name and its value with references replaced.
struct HTMLAttribute: Sendable, Hashable {
  let name: String
  let value: String
}

/// Single characters that HTML pages write by number.
enum HTMLCharacter {
  /// Returns the character for a numeric reference, as browsers read it (HTML Standard, 13.2.5.80).
  /// Invalid numbers become U+FFFD. Control characters are `nil`, because they are omitted, as in
  /// Python.
  static func referenced(_ number: UInt32) -> Unicode.Scalar? {
    guard number != 0, let scalar = Unicode.Scalar(number) else { return "\u{FFFD}" }
    switch number {
    case 0x80...0x9F: return TextEncoding.windowsScalar(number)
    case 0x01...0x08, 0x0B, 0x0E...0x1F, 0x7F, 0xFDD0...0xFDEF: return nil
    default: return number & 0xFFFE == 0xFFFE ? nil : scalar
    }
  }
}
