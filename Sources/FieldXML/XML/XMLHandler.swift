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
