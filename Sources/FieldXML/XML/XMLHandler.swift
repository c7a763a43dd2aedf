/// A type that receives the content of a document in order.
///
/// Handlers are classes because they collect content. A handler is used by one read at a time and
/// doesn't have to be thread-safe.
protocol XMLHandler: AnyObject {
  /// Handles the start of an element.
  func start(_ tag: XMLTag) throws

  /// Handles the text between two tags, in which pieces, character references, and CDATA are
  /// combined.
  func text(_ text: String) throws

  /// Handles the end of the element with a local name.
  func end(_ name: String) throws

  /// A Boolean value that indicates whether to stop reading, checked after each of the calls above.
  var isFinished: Bool { get }

  /// Returns the number of open elements that must have ended before a tag, although their end tags
  /// are missing.
  ///
  /// Only ``XMLReader/repair(_:charset:as:into:)`` calls this method. The innermost elements end
  /// first.
  func elementsEnded(by tag: XMLTag) -> Int
}

extension XMLHandler {
  /// By default, the document is read to its end.
  var isFinished: Bool { false }

  /// Returns 0, so that no element ends by default.
  func elementsEnded(by tag: XMLTag) -> Int { 0 }
}

/// The start tag of an element.
struct XMLTag: Sendable, Hashable {
  /// The name without its prefix, as written: `date` in `dc:date`.
  var name: String
  /// The prefix, such as `dc` in `dc:date`; empty if there is none.
  var prefix = ""
  /// The namespace; empty if there is none or its prefix isn't declared.
  var namespace = ""
  /// The attributes by their names as written, including prefixes.
  var attributes: [String: String] = [:]

  /// The value of an attribute by its name as written, or else regardless of case.
  subscript(attribute: String) -> String? {
    if attributes.isEmpty { return nil }
    if let value = attributes[attribute] { return value }
    let count = attribute.utf8.count
    let spellings = attributes.keys.filter { key in
      key.utf8.count == count && key.lowercased() == attribute.lowercased()
    }
    return spellings.min().flatMap { attributes[$0] }
  }
}

/// Limits beyond which a document is rejected.
struct XMLLimits: Sendable, Hashable {
  /// The maximum size of the document as received, in bytes.
  var byteCount = 16 << 20
  /// The maximum number of elements that are open at once; libxml2 stops at 256.
  var depth = 64
  /// The maximum number of UTF-8 bytes between two tags or in one attribute.
  var textByteCount = 4 << 20
  /// The maximum number of attributes in a tag, including namespace declarations.
  var attributeCount = 256
}
