internal import FieldCore
internal import Foundation
#if canImport(FoundationXML)
  internal import FoundationXML
#endif

/// Reads documents from anywhere: what they hold is told to a handler, as far as they are well-formed.
///
/// It is Foundation's `XMLParser` with what that lacks:
///
/// - No entity is ever expanded or fetched. A document that declares one is refused before the parser
///   sees it, and the parser never sees a document type at all. Where that is in a file of its own, as
///   Netscape's of RSS 0.91 is, HTML's names such as `&nbsp;` are read as the characters that they mean.
/// - The size, the nesting, the length of texts and the number of attributes are limited.
/// - It reads UTF-8, UTF-16, Big5 and Western European documents, and says what it cannot read.
/// - Where a document is not well-formed reading stops, in place of libxml2's guesses: what was told
///   until then holds, and the fault tells the line.
/// - An instruction such as `<?p?>`, which ends the process on Linux, does not.
/// - `XMLParser(data:)` fails on documents of more than 10 MB on Linux; one over a stream does not.
package struct XMLReader: Sendable {
  /// How much is read.
  package var limits: XMLLimits

  /// Makes a reader.
  package init(limits: XMLLimits = XMLLimits()) { self.limits = limits }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: The document as it came.
  ///   - charset: The encoding that the answer's header named, for documents that name none themselves.
  ///   - wanted: What the document should be, for messages: “a feed”.
  ///   - handler: Is told what the document holds.
  /// - Returns: Where the document stops being well-formed; nil when it is well-formed, or when the
  ///   handler was finished before.
  /// - Throws: `FieldError` with `rows.empty`, `rows.notData` for a web page, JSON and other text,
  ///   `rows.encoding`, `rows.unknownFormat` for an archive, `xml.entities` or `xml.limit`; and what the
  ///   handler throws.
  package func read(
    _ bytes: [UInt8], charset: String? = nil, as wanted: String = "XML",
    into handler: any XMLHandler
  ) throws -> XMLFault? {
    guard bytes.count <= limits.byteCount else {
      throw FieldError(
        .xmlLimit,
        "the document has \(bytes.count) bytes, and \(limits.byteCount) are allowed for \(wanted)")
    }
    var text = try XMLEncoding.utf8(bytes, charset: charset, as: wanted)
    let prolog = try XMLProlog.clear(&text, as: wanted)
    if let fault = prolog.fault { return fault }
    if prolog.isTypeElsewhere { XMLReferences.replace(&text) }
    guard !XMLAttributes.exceed(limits.attributeCount, in: text) else {
      throw FieldError(
        .xmlLimit,
        "a tag in the document has more than the \(limits.attributeCount) attributes allowed")
    }
    XMLInstructions.repair(&text)
    let fault = try parse(text, into: handler)
    guard let fault, !fault.isCut, let end = XMLTail.start(in: text) else { return fault }
    // For the parser half a tag is a fault of the tag. It is no more than that the document ends too early
    // when there is nothing wrong before it.
    let head = Array(text[..<end])
    if let earlier = try parse(head, into: SilentHandler()), !earlier.isCut { return fault }
    return XMLFault(cutAtLine: fault.line, column: fault.column)
  }

  /// Lets the parser read a text that is fit for it.
  private func parse(_ text: [UInt8], into handler: any XMLHandler) throws -> XMLFault? {
    let driver = XMLDriver(handler: handler, limits: limits)
    let parser = XMLParser(stream: InputStream(data: Data(text)))
    parser.delegate = driver
    parser.shouldProcessNamespaces = true
    parser.shouldResolveExternalEntities = false
    #if canImport(FoundationXML)
      parser.externalEntityResolvingPolicy = .never
    #endif
    _ = parser.parse()
    return try driver.outcome(of: parser)
  }
}

/// Is told everything, and does nothing with it.
private final class SilentHandler: XMLHandler {
  func start(_ tag: XMLTag) {}
  func text(_ text: String) {}
  func end(_ name: String) {}
}

/// Passes on what the parser finds until something ends the reading.
private final class XMLDriver: NSObject, XMLParserDelegate {
  private let handler: any XMLHandler
  private let limits: XMLLimits
  private var depth = 0
  private var hasRoot = false
  private var pieces: [UInt8] = []
  private var failure: (any Error)?
  private var fault: XMLFault?
  private var isStopped = false

  init(handler: any XMLHandler, limits: XMLLimits) {
    self.handler = handler
    self.limits = limits
  }

  /// What came of the reading. The parser's own word is not asked for: on Linux it calls half a document
  /// a success.
  func outcome(of parser: XMLParser) throws -> XMLFault? {
    if let failure { throw failure }
    if isStopped && fault == nil { return nil }
    if depth > 0 && fault?.isCut != false || !hasRoot && fault == nil {
      return XMLFault(
        cutAtLine: fault?.line ?? parser.lineNumber, column: fault?.column ?? parser.columnNumber)
    }
    return fault
  }

  private func pass(_ parser: XMLParser, _ body: () throws -> Void) {
    guard !isStopped else { return }
    do {
      try body()
      guard handler.isFinished else { return }
    } catch {
      failure = error
    }
    stop(parser)
  }

  private func stop(_ parser: XMLParser) {
    isStopped = true
    parser.abortParsing()
  }

  private func passText() throws {
    guard !pieces.isEmpty else { return }
    let text = String(decoding: pieces, as: UTF8.self)
    pieces.removeAll(keepingCapacity: true)
    guard !handler.isFinished else { return }
    try handler.text(text)
  }

  private func add(_ bytes: some Collection<UInt8>) throws {
    guard pieces.count + bytes.count <= limits.textByteCount else { throw tooLong() }
    pieces.append(contentsOf: bytes)
  }

  private func tooLong() -> FieldError {
    FieldError(
      .xmlLimit, "a text in the document is longer than the \(limits.textByteCount) bytes allowed")
  }

  // MARK: XMLParserDelegate

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    pass(parser) {
      try passText()
      hasRoot = true
      depth += 1
      guard depth <= limits.depth else {
        throw FieldError(
          .xmlLimit, "the document is nested deeper than the \(limits.depth) levels allowed")
      }
      guard attributes.values.allSatisfy({ $0.utf8.count <= limits.textByteCount }) else {
        throw tooLong()
      }
      guard !handler.isFinished else { return }
      let prefix = qualifiedName.flatMap { name in
        name.firstIndex(of: ":").map { String(name[..<$0]) }
      }
      try handler.start(
        XMLTag(
          name: name, prefix: prefix ?? "", namespace: namespaceURI ?? "", attributes: attributes))
    }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    pass(parser) {
      try passText()
      depth -= 1
      guard !handler.isFinished else { return }
      try handler.end(name)
    }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    pass(parser) { try add(string.utf8) }
  }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    // Pieces of a section are put together as bytes, since a piece may end within a character.
    pass(parser) { try add(block) }
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    guard !isStopped else { return }
    let code = (error as NSError).code
    guard !XMLFault.isHarmless(code) else { return }
    let (line, column) = (parser.lineNumber, parser.columnNumber)
    // The end of the document, or nothing but what stands before a root element.
    fault =
      (code == 4 || code == 5) && (depth > 0 || !hasRoot)
      ? XMLFault(cutAtLine: line, column: column)
      : XMLFault(line: line, column: column, message: XMLFault.message(ofCode: code))
    stop(parser)
  }

  // The document type has been taken out by then, so none of these can happen; if they do, reading ends.

  func parser(
    _ parser: XMLParser, foundInternalEntityDeclarationWithName name: String, value: String?
  ) {
    refuseEntity(name, parser)
  }

  func parser(
    _ parser: XMLParser, foundExternalEntityDeclarationWithName name: String, publicID: String?,
    systemID: String?
  ) {
    refuseEntity(name, parser)
  }

  private func refuseEntity(_ name: String, _ parser: XMLParser) {
    pass(parser) { throw XMLProlog.entityRefusal }
  }
}
