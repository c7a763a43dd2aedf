internal import FieldCore

/// A reader that parses untrusted documents and reports their content to a handler.
///
/// It uses neither libxml2 nor Foundation's parser, because a document from the network could crash
/// the process in both (an instruction such as `<?p?>`, or a second encoding after the one that was
/// checked).
///
/// - No entity is ever expanded or fetched, and a document that declares one is rejected. If the
///   document type is in a separate file, like Netscape's for RSS 0.91, HTML's names such as
///   `&nbsp;` are read as the characters that they stand for.
/// - The size, nesting, length of texts, and number of attributes are limited.
/// - UTF-8, UTF-16, UTF-32, Big5, Big5-HKSCS, GB 18030 with its ancestors GBK and GB 2312, and
///   Western European documents can be read; errors name any other encoding. Other output of a server before the document is skipped and noted.
/// - ``read(_:charset:as:into:)`` stops where a document isn't well-formed.
///   ``repair(_:charset:as:into:)`` continues and returns the problems.
struct XMLReader: Sendable {
  /// The limits beyond which a document is rejected.
  var limits = XMLLimits()

  /// Reads a document up to the first place where it isn't well-formed.
  ///
  /// - Parameters:
  ///   - bytes: The document as received.
  ///   - charset: The encoding in the response's header, for documents that state none.
  ///   - wanted: The expected kind of document for messages, such as “a feed”.
  ///   - handler: The handler that receives the content of the document.
  /// - Returns: The first place where the document isn't well-formed; `nil` if there is none, or if
  ///   the handler was finished before.
  /// - Throws: `FieldError` with the code `rows.empty`, `rows.notData` for an HTML page, JSON, or
  ///   other text, `rows.encoding`, `rows.unknownFormat` for an archive, `xml.entities`, or
  ///   `xml.limit`; and the errors of the handler.
  func read(
    _ bytes: [UInt8], charset: String? = nil, as wanted: String = "XML",
    into handler: any XMLHandler
  ) throws -> XMLFault? {
    try scan(bytes, charset: charset, as: wanted, into: handler, isRepairing: false).first
  }

  /// Reads a document to its end, even if it isn't well-formed.
  ///
  /// The parameters and errors are those of ``read(_:charset:as:into:)``. Elements that are still
  /// open when the document ends aren't reported as ended.
  ///
  /// - Returns: The first places, at most 100, where the document isn't well-formed, always including any
  ///   that lost something.
  func repair(
    _ bytes: [UInt8], charset: String? = nil, as wanted: String = "XML",
    into handler: any XMLHandler
  ) throws -> [XMLFault] {
    try scan(bytes, charset: charset, as: wanted, into: handler, isRepairing: true)
  }

  private func scan(
    _ bytes: [UInt8], charset: String?, as wanted: String, into handler: any XMLHandler,
    isRepairing: Bool
  ) throws -> [XMLFault] {
    guard bytes.count <= limits.byteCount else {
      throw FieldError(
        .xmlLimit,
        "The document has \(bytes.count) bytes, but \(wanted) may have only \(limits.byteCount).")
    }
    var strays: [Int] = []
    var text = try XMLEncoding.utf8(bytes, charset: charset, as: wanted, strays: &strays)
    let prolog = try XMLProlog.clear(&text, as: wanted)
    if let fault = prolog.fault { return [fault] }
    var scanner = XMLScanner(
      text, into: handler, limits: limits, isRepairing: isRepairing,
      hasHTMLNames: prolog.isTypeElsewhere)
    return try scanner.run(after: prolog.junk, strays: strays)
  }
}
