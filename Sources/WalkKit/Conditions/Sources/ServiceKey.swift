internal import FieldCore
internal import FieldFoundation

/// The key of a service, which is sent in the address and never printed.
struct ServiceKey: Sendable, Hashable {
  /// The key without any encoding.
  let text: String

  /// Creates a key from the text that the service issued.
  ///
  /// data.go.kr issues each key both plain and percent-encoded, and apps contain either. The plain
  /// one is Base64, which has no `%`, so a key with escapes is decoded to avoid encoding it twice.
  init(_ key: String) { text = PercentEncoding.decoded(key.tidy) }

  /// Returns a text without the key, however it is encoded there.
  func hidden(in text: String) -> String {
    guard !self.text.isEmpty else { return text }
    return
      text
      .replacing(bytesOf: PercentEncoding.component(self.text), with: Redaction.placeholder)
      .replacing(bytesOf: self.text, with: Redaction.placeholder)
  }

  /// Returns an error whose message and address don't contain the key; an underlying error that
  /// quotes the key is removed.
  func hidden(in error: FieldError) -> FieldError {
    var error = error
    error.message = hidden(in: error.message)
    error.problems = error.problems.map(hidden(in:))
    if let url = error.response?.url {
      let address = url.absoluteString
      error.response?.url =
        hidden(in: address) == address
        ? url : URL(string: String(address.prefix { $0 != "?" && $0 != "#" }))
    }
    if let underlying = error.underlying, hidden(in: "\(underlying)") != "\(underlying)" {
      error.underlying = nil
    }
    return error
  }
}

extension ServiceKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  var description: String { Redaction.placeholder }
  var debugDescription: String { Redaction.placeholder }
  var customMirror: Mirror { Mirror(self, children: []) }
}
