public import FieldFoundation

extension FieldError: LocalizedError {
  /// The message, the problems, and the reason that the underlying error gives, in English and
  /// without the secrets that ``Redaction/default`` hides in URLs.
  ///
  /// It is for a log or a developer. For users, see ``localized(in:catalog:)``.
  public var errorDescription: String? {
    var text = message.withoutPeriod
    let more = problems.map(\.withoutPeriod).filter { !text.contains(bytesOf: $0) }
    if !more.isEmpty { text += ": \(more.joined(separator: "; "))" }
    if let reason = underlyingReason?.withoutPeriod, !text.contains(bytesOf: reason) {
      text += " (\(reason))"
    }
    return Redaction.default.redact(text: message.endsInPeriod ? text + "." : text)
  }

  /// A sentence for users that says what happened, in English.
  public var failureReason: String? { code.guidance.reason.string() }

  /// A sentence for users that says what to do about it, in English.
  public var recoverySuggestion: String? { code.guidance.advice.string() }

  /// The words of the underlying error; `nil` if there are none.
  private var underlyingReason: String? {
    guard let underlying else { return nil }
    let text = Self.words(of: underlying)
    // A `URLError` is a number on Linux, and the message says already what it stands for. A value
    // that names its own type has words for people only if it contains a text.
    guard !text.isEmpty, !text.contains(bytesOf: "NSURLErrorDomain"),
      text.utf8.contains(UInt8(ascii: "\""))
        || !text.utf8.starts(with: "\(type(of: underlying))(".utf8)
    else { return nil }
    return text.printable
  }

  private static func words(of error: any Error) -> String {
    if let text = (error as? any LocalizedError)?.errorDescription { return text }
    if let error = error as? POSIXError { return FileSystemError.words(for: error) }
    guard let error = error as? CocoaError, let path = error.filePath else { return "\(error)" }
    return error.underlying.map { "\(path): \(words(of: $0))" } ?? path
  }
}

extension String {
  /// The string without the period at its end, for use within a sentence.
  var withoutPeriod: String {
    endsInPeriod ? String(decoding: utf8.dropLast(), as: UTF8.self) : self
  }

  /// Compared as a byte, because a last character with thousands of marks takes long to compare.
  fileprivate var endsInPeriod: Bool { utf8.last == UInt8(ascii: ".") }
}
