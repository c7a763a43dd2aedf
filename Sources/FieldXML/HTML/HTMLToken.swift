/// A piece of a web page.
enum HTMLToken: Sendable, Hashable {
  /// Text with its references replaced.
  case text(String)
  /// The beginning of an element, by its name in small letters.
  case start(String, [HTMLAttribute])
  /// The end of an element, by its name in small letters.
  case end(String)
}

/// An attribute of an element: its name in small letters, its value with references replaced.
struct HTMLAttribute: Sendable, Hashable {
  let name: String
  let value: String
}
