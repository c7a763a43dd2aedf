internal import FieldCore

/// The part before the root element, which is checked and then hidden from the scanner.
enum XMLProlog {
  /// The error for a document that declares an entity.
  static let entityRefusal = FieldError(
    .xmlEntities,
    "The document declares entities, which are never expanded. Use a document without them.")

  /// Replaces the XML declaration and the document type with blanks, so that lines and columns stay
  /// the same.
  ///
  /// Blanks before the declaration, which XML doesn't allow but many servers send, then do no harm,
  /// and neither do byte-order marks among them.
  ///
  /// - Returns: The place where the text ends, if that is before the root element; whether the
  ///   document type is, or continues, in a separate file; and the offset of other text before the
  ///   document.
  /// - Throws: `xml.entities` if the document type declares an entity; `rows.notData` if the text
  ///   is an HTML page or has no tag where the root element should begin.
  static func clear(
    _ text: inout [UInt8], as wanted: String
  ) throws(FieldError) -> (fault: XMLFault?, isTypeElsewhere: Bool, junk: Int?) {
    var at = 0
    var hasDeclaration = false
    var isTypeElsewhere = false
    var isPage = false
    var junk: Int?
    while true {
      while at < text.count, XMLCharacter.isBlank(text[at]) { at += 1 }
      if at == text.count { return (cut(text), isTypeElsewhere, junk) }
      if hasMark(text, at) {
        blank(&text, at..<at + 3)
        continue
      }
      if hasPrefix("<?", text, at) {
        guard let end = find("?>", text, from: at + 2) else {
          return (cut(text), isTypeElsewhere, junk)
        }
        if !hasDeclaration, hasPrefix("<?xml", text, at), !isName(text, at + 5) {
          blank(&text, at..<end)
          hasDeclaration = true
        }
        at = end
      } else if hasPrefix("<!--", text, at) {
        guard let end = find("-->", text, from: at + 4) else {
          return (cut(text), isTypeElsewhere, junk)
        }
        at = end
      } else if hasPrefix("<!DOCTYPE", text, at, ignoringCase: true) {
        isPage = isPage || word(text, from: at + 9) == "html"
        guard let end = try documentTypeEnd(text, from: at + 9) else {
          return (cut(text), isTypeElsewhere, junk)
        }
        isTypeElsewhere = isElsewhere(text, from: at + 9)
        blank(&text, at..<end)
        at = end
      } else if junk == nil, let end = junkEnd(text, at) {
        junk = at
        blank(&text, at..<end)
        at = end
      } else {
        break
      }
    }
    guard text[at] == UInt8(ascii: "<") else {
      throw FieldError(
        .notData,
        "The body isn't \(wanted), because it isn't XML. It begins with "
          + ForeignBody.quotedBeginning(Array(text[at...].prefix(200))))
    }
    // Some servers send the document type of their pages before a feed, too.
    let root = word(text, from: at + 1)
    if root == "html" || isPage && !roots.contains(root) {
      throw ForeignBody.webPage(text, insteadOf: wanted)
    }
    return (nil, isTypeElsewhere, junk)
  }

  /// Returns the offset at which a document begins after other output of its server, such as a
  /// warning of PHP or the size of a chunk, or `nil` if there is no such output or no document.
  static func junkEnd(_ text: [UInt8], _ start: Int) -> Int? {
    guard start < text.count else { return nil }
    switch text[start] {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""): return nil
    case UInt8(ascii: "<") where !warnings.contains(word(text, from: start + 1)): return nil
    default: break
    }
    for at in start..<min(text.count, start + 65_536) where text[at] == UInt8(ascii: "<") {
      let root = word(text, from: at + 1)
      if pages.contains(root) { return nil }
      if hasPrefix("<?xml", text, at) && !isName(text, at + 5) || hasPrefix("<rdf:RDF", text, at)
        || roots.contains(root)
      {
        return at
      }
    }
    return nil
  }

  private static let roots = ["rss", "feed", "gpx", "rdf"]
  private static let pages = ["html", "head", "body"]
  /// The elements that begin a warning of PHP or WordPress.
  private static let warnings = ["br", "b", "p", "div", "font", "pre"]

  /// Returns the offset after the `>` of a document type, or `nil` if it doesn't end.
  private static func documentTypeEnd(_ text: [UInt8], from start: Int) throws(FieldError) -> Int? {
    var at = start
    var isInSubset = false
    while at < text.count {
      switch text[at] {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard let end = text[(at + 1)...].firstIndex(of: text[at]) else { return nil }
        at = end + 1
      case UInt8(ascii: "["), UInt8(ascii: "]"):
        isInSubset = text[at] == UInt8(ascii: "[")
        at += 1
      case UInt8(ascii: ">") where !isInSubset: return at + 1
      case UInt8(ascii: "<") where hasPrefix("<!--", text, at):
        guard let end = find("-->", text, from: at + 4) else { return nil }
        at = end
      case UInt8(ascii: "<") where hasPrefix("<?", text, at):
        guard let end = find("?>", text, from: at + 2) else { return nil }
        at = end
      case UInt8(ascii: "<") where hasPrefix("<!ENTITY", text, at, ignoringCase: true):
        throw entityRefusal
      default: at += 1
      }
    }
    return nil
  }

  /// Returns whether the name of a document type is followed by the address of a file.
  private static func isElsewhere(_ text: [UInt8], from start: Int) -> Bool {
    var at = start
    while at < text.count, XMLCharacter.isBlank(text[at]) { at += 1 }
    while at < text.count, !XMLCharacter.isBlank(text[at]), text[at] != UInt8(ascii: ">") {
      at += 1
    }
    while at < text.count, XMLCharacter.isBlank(text[at]) { at += 1 }
    return hasPrefix("PUBLIC", text, at) || hasPrefix("SYSTEM", text, at)
  }

  private static func cut(_ text: [UInt8]) -> XMLFault {
    let line = text.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
    let column = text.count - (text.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
    return XMLFault(line: line, column: column, message: "the document is cut off", isCut: true)
  }

  // MARK: Bytes

  /// Returns whether a UTF-8 byte-order mark is next.
  static func hasMark(_ text: [UInt8], _ at: Int) -> Bool {
    text[at...].starts(with: [0xEF, 0xBB, 0xBF])
  }

  private static func isName(_ text: [UInt8], _ at: Int) -> Bool {
    at < text.count && !XMLCharacter.isBlank(text[at]) && text[at] != UInt8(ascii: "?")
  }

  static func hasPrefix(
    _ prefix: String, _ text: [UInt8], _ start: Int, ignoringCase: Bool = false
  ) -> Bool {
    prefix.withUTF8Span { prefix in
      guard text.count - start >= prefix.count else { return false }
      for index in prefix.indices {
        let (byte, found) = (prefix[index], text[start + index])
        let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 26
        guard found == byte || ignoringCase && isLetter && found ^ byte == 0x20 else {
          return false
        }
      }
      return true
    }
  }

  /// Returns the offset after the next occurrence.
  static func find(_ end: String, _ text: [UInt8], from start: Int, to limit: Int = .max) -> Int? {
    guard let first = end.utf8.first else { return nil }
    let limit = min(text.count, limit)
    var at = start
    while true {
      at = text.withByteSpan { $0.extracting(0..<limit).firstOffset(of: first, from: at) }
      guard at < limit else { return nil }
      if hasPrefix(end, text, at) { return at + end.utf8.count }
      at += 1
    }
  }

  /// Returns the next word, in lowercase.
  private static func word(_ text: [UInt8], from start: Int) -> String {
    var at = start
    while at < text.count, XMLCharacter.isBlank(text[at]) { at += 1 }
    let word = text[at...].prefix(16).prefix { ($0 | 0x20) &- UInt8(ascii: "a") < 26 }
    let next = at + word.count < text.count ? text[at + word.count] : 0
    // `html:rss` and `htmlx` are other words.
    guard next != UInt8(ascii: ":"), next != UInt8(ascii: "-"), next < 0x80 else { return "" }
    return String(decoding: word, as: UTF8.self).lowercased()
  }

  static func blank(_ text: inout [UInt8], _ range: Range<Int>) {
    for index in range where text[index] != 0x0A && text[index] != 0x0D { text[index] = 0x20 }
  }
}
