internal import FieldCore

/// A scanner that splits a document into tags and text in one pass over its bytes.
///
/// The text is the output of ``XMLEncoding``. It may contain anything, including NULs, but the
/// handler receives nothing that XML doesn't allow.
struct XMLScanner {
  /// A mark that ends a construct.
  enum Mark: Int, CaseIterable {
    case comment, instruction, section, sectionStart, tag, apostrophe, quote

    var text: String {
      switch self {
      case .comment: "-->"
      case .instruction: "?>"
      case .section: "]]>"
      case .sectionStart: "<![CDATA["
      case .tag: ">"
      case .apostrophe: "'"
      case .quote: "\""
      }
    }
  }

  /// An error that ends the scan; the last fault is the reason.
  struct Stop: Error {}

  struct Element {
    /// The name as written, with its prefix.
    var name: String
    /// The name without its prefix.
    var localName: String
    /// The prefixes of the namespaces that the element declares.
    var prefixes: [String]
    /// The namespace of elements without a prefix inside.
    var defaultNamespace: String
  }

  let text: [UInt8]
  let limits: XMLLimits
  let handler: any XMLHandler
  /// Whether to continue after a fault.
  let isRepairing: Bool
  /// Whether HTML's entities are declared.
  let hasHTMLNames: Bool

  var at = 0
  /// The open elements, root first.
  var open: [Element] = []
  /// The declared namespaces by prefix, innermost last.
  private var namespaces: [String: [String]] = [:]
  /// The text since the last tag.
  var content: [UInt8] = []
  /// Whether bytes that aren't UTF-8 are read as Windows-1252.
  lazy var isWestern = isRepairing && XMLCharacter.isWestern(text)
  /// Whether the document has characters of Chinese in UTF-8, whose halves aren't Windows-1252.
  lazy var hasIdeographs = XMLCharacter.hasIdeographs(text)
  /// The end of the last text whose bytes aren't UTF-8, and whether they are Windows-1252.
  var westernText = (end: 0, isWestern: false)
  private var hasRoot = false
  private var hasTail = false
  private(set) var faults: [XMLFault] = []
  private var hasLoss = false
  /// The last known offsets after marks, so that they aren't searched for again; 0 if a mark hasn't
  /// been searched for, and `Int.max` if there is none.
  private var known = [Int](repeating: 0, count: Mark.allCases.count)
  /// A known position from which to count lines.
  private var place = (offset: 0, line: 1, column: 1)

  init(
    _ text: [UInt8], into handler: any XMLHandler, limits: XMLLimits, isRepairing: Bool,
    hasHTMLNames: Bool
  ) {
    self.text = text
    self.handler = handler
    self.limits = limits
    self.isRepairing = isRepairing
    self.hasHTMLNames = hasHTMLNames
  }

  /// Scans the document.
  ///
  /// - Parameters:
  ///   - junk: The offset of other text before the document; `nil` if there is none.
  ///   - strays: The offsets of texts that were in another encoding than the document.
  mutating func run(after junk: Int?, strays: [Int] = []) throws -> [XMLFault] {
    do {
      for stray in strays where isRepairing {
        try fault("a text is in UTF-8, unlike the document's declared encoding", at: stray)
      }
      if let junk { try fault("there is other text before the document", at: junk) }
      while at < text.count, !handler.isFinished {
        if text[at] == UInt8(ascii: "<") { try scanMarkup() } else { try scanText() }
      }
      if !handler.isFinished, !open.isEmpty || !hasRoot { try cut() }
    } catch is Stop {}
    return faults
  }

  // MARK: Markup

  private mutating func scanMarkup() throws {
    let next = at + 1 < text.count ? text[at + 1] : 0
    switch next {
    case UInt8(ascii: "/"): try scanEndTag()
    case UInt8(ascii: "?"): try scanInstruction()
    case UInt8(ascii: "!"):
      if has("<!--") {
        try scanComment()
      } else if has("<![CDATA[") {
        try scanCDATA()
      } else if isRepairing, XMLProlog.hasPrefix("<![CDATA[", text, at, ignoringCase: true) {
        try fault("a CDATA section is written in lowercase", at: at)
        try scanCDATA()
      } else {
        try scanDeclaration()
      }
    default:
      if at + 1 == text.count { try cut() }
      try scanStartTag()
    }
  }

  private mutating func scanText() throws {
    let end = text.withByteSpan { $0.firstOffset(of: UInt8(ascii: "<"), from: at) }
    guard open.isEmpty else { return try appendText(until: end, as: .text) }
    if let first = text[at..<end].firstIndex(where: { !XMLCharacter.isBlank($0) }) {
      try tail(first)
    }
    at = end
  }

  private mutating func scanComment() throws {
    let start = at
    let end = try end(.comment, from: at + 4) ?? missingEnd(from: at + 4, "a comment isn't closed")
    if let dashes = XMLProlog.find("--", text, from: start + 4), dashes < end - 1,
      has("-->", end - 3)
    {
      try fault("a comment contains --", at: dashes - 2)
    }
    try checkCharacters(start + 4..<end)
    at = end
  }

  private mutating func scanInstruction() throws {
    let start = at
    let end =
      try end(.instruction, from: at + 2)
      ?? missingEnd(from: at + 2, "a processing instruction isn't closed")
    let nameEnd = XMLCharacter.nameEnd(text, from: start + 2)
    let name = String(decoding: text[start + 2..<nameEnd], as: UTF8.self).streamSafe
    if name.lowercased() == "xml" {
      try fault("there is an XML declaration inside the document", at: start)
    } else if name.isEmpty || nameEnd < end - 2 && !XMLCharacter.isBlank(text[nameEnd]) {
      try fault("a processing instruction has no name", at: start)
    }
    try checkCharacters(nameEnd..<end)
    at = end
  }

  private mutating func scanCDATA() throws {
    if open.isEmpty { try tail(at) }
    let start = at + 9
    var end = end(.section, from: start)
    if isRepairing, let whole = end, let next = self.end(.sectionStart, from: start), next < whole,
      let name = open.last?.name, let tag = XMLProlog.find("</\(name)", text, from: start, to: next)
    {
      // The end belongs to another section in another element.
      try fault("a CDATA section isn't closed", at: at, isRepaired: false)
      end = tag - name.utf8.count - 2
    }
    let sectionEnd = try end ?? missingEnd(from: start, "a CDATA section isn't closed")
    at = start
    try appendText(until: has("]]>", sectionEnd - 3) ? sectionEnd - 3 : sectionEnd, as: .verbatim)
    if open.isEmpty { content.removeAll() }
    at = sectionEnd
  }

  /// Skips a declaration, which belongs before the root element.
  private mutating func scanDeclaration() throws {
    guard let end = end(.tag, from: at) else { return try cut() }
    try fault("there is a declaration inside the document", at: at)
    at = end
  }

  /// Returns the end of a construct without an end mark, which is the end tag of the element around
  /// it.
  private mutating func missingEnd(from start: Int, _ message: String) throws -> Int {
    guard isRepairing, let name = open.last?.name,
      let end = XMLProlog.find("</\(name)", text, from: start)
    else {
      try cut()
      return text.count
    }
    try fault(message, at: at, isRepaired: false)
    return end - name.utf8.count - 2
  }

  // MARK: Elements

  /// Opens an element after ending those that can't contain it.
  mutating func begin(_ name: String, _ written: [String: String], isEmpty: Bool, at start: Int)
    throws
  {
    if open.isEmpty, hasRoot { try tail(start) }
    var attributes = written
    var declared: [String: String] = [:]
    for (attribute, value) in written where attribute.hasPrefix("xmlns") {
      let (prefix, local) = Self.split(attribute)
      guard prefix == "xmlns" || attribute == "xmlns" else { continue }
      declared[prefix.isEmpty ? "" : local] = value
      attributes[attribute] = nil
    }
    let (prefix, local) = Self.split(name)
    let namespace =
      switch prefix {
      case "": declared[""] ?? defaultNamespace
      case "xml": "http://www.w3.org/XML/1998/namespace"
      default: declared[prefix] ?? namespaces[prefix]?.last ?? ""
      }
    let tag = XMLTag(name: local, prefix: prefix, namespace: namespace, attributes: attributes)
    try passText()
    if isRepairing {
      let count = min(handler.elementsEnded(by: tag), open.count)
      if count > 0 { try endElements(count, "an element has no end tag", at: start) }
    }
    guard open.count < limits.depth else {
      throw FieldError(
        .xmlLimit, "The document is nested more deeply than the allowed \(limits.depth) levels.")
    }
    hasRoot = true
    open.append(
      Element(
        name: name, localName: local, prefixes: Array(declared.keys),
        defaultNamespace: declared[""] ?? defaultNamespace))
    for (prefix, namespace) in declared { namespaces[prefix, default: []].append(namespace) }
    guard !handler.isFinished else { return }
    try handler.start(tag)
    if isEmpty { try end() }
  }

  /// The namespace of elements without a prefix, unless they declare another.
  private var defaultNamespace: String { open.last?.defaultNamespace ?? "" }

  /// Ends the innermost element.
  mutating func end() throws {
    try passText()
    guard let element = open.popLast() else { return }
    for prefix in element.prefixes { namespaces[prefix]?.removeLast() }
    guard !handler.isFinished else { return }
    try handler.end(element.localName)
  }

  /// Ends elements whose end tags are missing.
  mutating func endElements(_ count: Int, _ message: String, at offset: Int) throws {
    let isMarkup = open.suffix(count).allSatisfy { Self.isMarkup($0.name) }
    try fault(message, at: offset, isRepaired: isMarkup)
    for _ in 0..<count { try end() }
  }

  /// Returns whether an element is part of texts, so that nothing is lost if its end is missing.
  static func isMarkup(_ name: String) -> Bool {
    let name = name.lowercased()
    return SafeHTMLWriter.elements[name] != nil || name == "font" || name == "center"
  }

  static func split(_ name: String) -> (prefix: String, local: String) {
    let colon = name.withUTF8Span { $0.firstOffset(of: UInt8(ascii: ":"), from: 0) }
    guard colon < name.utf8.count else { return ("", name) }
    let place = name.utf8.index(name.startIndex, offsetBy: colon)
    return (String(name[..<place]), String(name[place...].dropFirst()))
  }

  private mutating func passText() throws {
    guard !content.isEmpty else { return }
    let text = String(decoding: content, as: UTF8.self).streamSafe
    content.removeAll(keepingCapacity: true)
    guard !handler.isFinished else { return }
    try handler.text(text)
  }

  // MARK: Faults

  /// Notes a fault, and ends the scan unless the fault can be repaired.
  mutating func fault(_ message: String, at offset: Int, isRepaired: Bool = true) throws {
    // Two of the 100 places are kept for the first loss and for the end of a document that is cut off.
    if faults.count < 98 || !isRepaired && !hasLoss {
      let (line, column) = position(of: offset)
      faults.append(
        XMLFault(
          line: line, column: column, message: message, isRepaired: isRepaired && isRepairing))
    }
    hasLoss = hasLoss || !isRepaired
    // Before the root element, there is nothing to resume at.
    guard isRepairing, isRepaired || hasRoot else { throw Stop() }
  }

  /// Notes that the document ends too early.
  mutating func cut() throws {
    let (line, column) = position(of: text.count)
    faults.append(
      XMLFault(line: line, column: column, message: "the document is cut off", isCut: true))
    throw Stop()
  }

  private mutating func tail(_ offset: Int) throws {
    guard !hasTail else { return }
    hasTail = true
    let message =
      hasRoot ? "there is content after the end of the document" : "a < doesn't begin a tag"
    try fault(message, at: offset, isRepaired: false)
  }

  private mutating func position(of offset: Int) -> (line: Int, column: Int) {
    if offset < place.offset { place = (0, 1, 1) }
    for byte in text[place.offset..<offset] {
      if byte == 0x0A {
        place = (0, place.line + 1, 1)
      } else if byte & 0xC0 != 0x80 {
        place.column += 1
      }
    }
    place.offset = offset
    return (place.line, place.column)
  }

  // MARK: Bytes

  func has(_ prefix: StaticString, _ offset: Int? = nil) -> Bool {
    text.withByteSpan { $0.begins(with: prefix, at: offset ?? at) }
  }

  /// Returns the offset after the next occurrence of a mark. Because offsets only increase, all
  /// calls together read the text once.
  mutating func end(_ mark: Mark, from start: Int) -> Int? {
    let known = known[mark.rawValue]
    if known >= start + mark.text.utf8.count { return known > text.count ? nil : known }
    let end = XMLProlog.find(mark.text, text, from: start)
    self.known[mark.rawValue] = end ?? .max
    return end
  }
}
