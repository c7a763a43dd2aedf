package import FieldFoundation

extension URL {
  /// An address that stands in the source code; a text that is no address is a mistake there.
  package init(literal: StaticString) {
    guard let url = URL(string: "\(literal)") else {
      preconditionFailure("\(literal) is no address")
    }
    self = url
  }
}
