internal import FieldCore
internal import FieldFoundation

/// The key of a service: it goes into the address, and nothing prints it.
struct ServiceKey: Sendable, Hashable {
  /// The key as the service means it, without any encoding.
  let text: String

  /// Takes the key as it came from the service.
  ///
  /// data.go.kr hands out each key twice, plain and percent-encoded, and either is pasted into apps. The
  /// plain one is Base64, which has no `%`; so what has an escape is decoded, lest it is encoded twice.
  init(_ key: String) {
    text = PercentEncoding.decoded(key.tidy)
  }

  /// A text without the key, in whatever form it is quoted there.
  func hidden(in text: String) -> String {
    guard !self.text.isEmpty else { return text }
    return text.replacing(PercentEncoding.component(self.text), with: Redaction.placeholder)
      .replacing(self.text, with: Redaction.placeholder)
  }

  /// An error without the key: neither its message nor the address in it has it, and a cause that
  /// quotes it is left out.
  func hidden(in error: FieldError) -> FieldError {
    var error = error
    error.message = hidden(in: error.message)
    error.problems = error.problems.map(hidden(in:))
    if let url = error.response?.url {
      let shown = hidden(in: url.absoluteString)
      error.response?.url = shown == url.absoluteString ? url : url.withoutQuery
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
