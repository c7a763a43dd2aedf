public import Foundation

/// The address that a test writes down; ends the test run when it is none.
public func address(_ text: String) -> URL {
  guard let url = URL(string: text) else { preconditionFailure("\(text) is no address") }
  return url
}
