internal import FieldCore

/// Reads documents from anywhere and reports what they contain to a handler.
///
/// Neither libxml2 nor Foundation's parser is involved: a document from the network could end the process
/// in both (an instruction such as `<?p?>`, or a second encoding behind the one that was checked).
///
/// - No entity is ever expanded or fetched, and a document that declares one is refused. If the document
///   type is in a file of its own, as Netscape's of RSS 0.91 is, HTML's names such as `&nbsp;` are read as
///   the characters that they mean.
/// - The size, the nesting, the length of texts and the number of attributes are limited.
/// - It reads UTF-8, UTF-16, UTF-32, Big5, Big5-HKSCS and Western European documents, and names what it
///   cannot read.
/// - ``read(_:charset:as:into:)`` stops where a document is not well-formed.
///   ``repair(_:charset:as:into:)`` continues, and returns what was wrong.
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
    try scan(bytes, charset: charset, as: wanted, into: handler, isRepairing: false).first
  }

  /// Reads a document to its end, even if it is not well-formed.
  ///
  /// The parameters and errors are those of ``read(_:charset:as:into:)``. Elements that are still open
  /// when the document ends are not reported as ended.
  ///
  /// - Returns: The first 100 places where the document is not well-formed. Any that lost something is
  ///   among them.
  package func repair(
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
        "the document has \(bytes.count) bytes, and \(limits.byteCount) are allowed for \(wanted)")
    }
    var text = try XMLEncoding.utf8(bytes, charset: charset, as: wanted)
    let prolog = try XMLProlog.clear(&text, as: wanted)
    if let fault = prolog.fault { return [fault] }
    var scanner = XMLScanner(
      text, into: handler, limits: limits, isRepairing: isRepairing,
      hasHTMLNames: prolog.isTypeElsewhere)
    return try scanner.run()
  }
}
