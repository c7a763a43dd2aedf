internal import FieldFoundation

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
