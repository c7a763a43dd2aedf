internal import FieldFoundation

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
