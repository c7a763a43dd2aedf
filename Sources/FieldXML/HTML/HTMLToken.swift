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
