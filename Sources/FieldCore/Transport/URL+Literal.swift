package import FieldFoundation

extension URL {
  /// Creates a URL from a literal, where invalid text is a programming error.
  package init(literal: StaticString) {
    guard let url = URL(string: "\(literal)") else {
      preconditionFailure("\(literal) isn't a URL.")
    }
    self = url
  }
}
