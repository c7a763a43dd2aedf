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

// MARK: - Codable

extension FieldError: Codable {
  private enum CodingKeys: String, CodingKey {
    case code, message, problems, operation, response, underlying
  }

  /// Creates an error from its encoded form, even if its code is unknown.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(Code.self, forKey: .code),
      try container.decode(String.self, forKey: .message),
      problems: try container.decodeIfPresent([String].self, forKey: .problems) ?? [],
      operation: try container.decodeIfPresent(String.self, forKey: .operation),
      response: try container.decodeIfPresent(TransportResponse.Head.self, forKey: .response),
      underlying: try container.decodeIfPresent(FieldError.self, forKey: .underlying))
  }

  /// Encodes the error without the secrets that ``Redaction/default`` hides.
  ///
  /// An ``underlying`` error of another type is encoded as a `FieldError` whose code is the name of
  /// the type.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(code, forKey: .code)
    try container.encode(Redaction.default.redact(text: message), forKey: .message)
    if !problems.isEmpty {
      try container.encode(problems.map(Redaction.default.redact(text:)), forKey: .problems)
    }
    try container.encodeIfPresent(operation, forKey: .operation)
    try container.encodeIfPresent(response.map(Self.redacted), forKey: .response)
    try container.encodeIfPresent(underlying.map(CodedError.init), forKey: .underlying)
  }

  private static func redacted(_ head: TransportResponse.Head) -> TransportResponse.Head {
    TransportResponse.Head(
      status: head.status, fields: Redaction.default.redact(head.fields),
      url: head.url.flatMap { URL(string: Redaction.default.redact($0)) })
  }
}

extension FieldError: CustomStringConvertible {
  /// The code, the message, and other known facts, on one line, without the secrets that
  /// ``Redaction/default`` hides in URLs.
  public var description: String {
    var text = "\(code.rawValue): \(message)"
    if !problems.isEmpty { text += " [\(problems.joined(separator: "; "))]" }
    if let operation { text += " (\(operation))" }
    let cause = underlying.map { "\($0)" } ?? ""
    if !cause.isEmpty { text += " <- \(cause)" }
    return Redaction.default.redact(text: text)
  }
}

extension FieldError: CustomReflectable {
  /// The mirror that `dump` and debuggers show, without the secrets that ``Redaction/default`` hides.
  public var customMirror: Mirror {
    let redaction = Redaction.default
    return Mirror(
      self,
      children: [
        "code": code.rawValue, "message": redaction.redact(text: message),
        "problems": problems.map(redaction.redact(text:)), "operation": operation as Any,
        "response": response as Any,
        "underlying": underlying.map { error in
          (error as? FieldError) as Any? ?? redaction.redact(text: "\(error)")
        } as Any,
      ], displayStyle: .struct)
  }
}

/// An error that is encoded as a ``FieldError``, without the secrets that ``Redaction/default``
/// hides.
package struct CodedError: Codable, Sendable {
  /// The error, which is a `FieldError` after decoding.
  package var error: any Error

  package init(_ error: any Error) { self.error = error }

  package init(from decoder: any Decoder) throws { error = try FieldError(from: decoder) }

  package func encode(to encoder: any Encoder) throws {
    let error =
      error as? FieldError
      ?? FieldError(
        .init(rawValue: "\(type(of: error))"), Redaction.default.redact(text: "\(error)"))
    try error.encode(to: encoder)
  }
}
