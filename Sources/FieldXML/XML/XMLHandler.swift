/// Takes what a document holds, in its order.
///
/// A handler is a class, since it gathers what it is told. It is used by one reading at a time and need
/// not be safe for threads.
package protocol XMLHandler: AnyObject {
  /// An element begins.
  func start(_ tag: XMLTag) throws

  /// The text between two tags, whole: pieces, references to characters and CDATA are put together.
  func text(_ text: String) throws

  /// The element of this local name ends.
  func end(_ name: String) throws

  /// Whether enough has been read; asked after each of the calls above.
  var isFinished: Bool { get }

  /// Returns the number of open elements that must have ended before this one begins, although their
  /// end tags are missing.
  ///
  /// Only ``XMLReader/repair(_:charset:as:into:)`` asks. The innermost elements end first.
  func elementsEnded(by tag: XMLTag) -> Int
}

extension XMLHandler {
  /// Never: the document is read to its end.
  package var isFinished: Bool { false }

  /// None by default.
  package func elementsEnded(by tag: XMLTag) -> Int { 0 }
}
