public import FieldCore
public import FieldFoundation

extension StubTransport {
  /// What a stub answers: the same every time, unless it is a sequence.
  public struct Response: Sendable {
    typealias Answer = @Sendable (TransportRequest) async throws -> TransportResponse

    /// At least one, save for an empty sequence.
    let answers: [Answer]
    /// Whether the last answer is given again and again.
    let repeatsLast: Bool

    /// A body of JSON, as `application/json`.
    public static func json(
      text: String, status: Int = 200, fields: HTTPHeaderFields = [:]
    ) -> Response {
      body(.text(text), "application/json", status, fields)
    }

    /// A body of UTF-8 text, as `text/plain` unless the fields say otherwise.
    public static func text(
      _ text: String, status: Int = 200, fields: HTTPHeaderFields = [:]
    ) -> Response {
      body(.text(text), "text/plain; charset=utf-8", status, fields)
    }

    /// A body of bytes, as `application/octet-stream` unless the fields say otherwise.
    public static func bytes(
      _ bytes: [UInt8], status: Int = 200, fields: HTTPHeaderFields = [:]
    ) -> Response {
      body(.bytes(bytes), "application/octet-stream", status, fields)
    }

    /// The content of a file, read when the request comes, without a type unless the fields name
    /// one.
    public static func file(
      _ url: URL, status: Int = 200, fields: HTTPHeaderFields = [:]
    ) -> Response {
      body(.file(url), nil, status, fields)
    }

    /// A status without a body, such as 304 or 503.
    public static func status(_ status: Int, fields: HTTPHeaderFields = [:]) -> Response {
      body(.bytes([]), nil, status, fields)
    }

    /// No answer but an error, as it is.
    public static func error(_ error: any Error) -> Response {
      answering { _ in throw error }
    }

    /// No answer but a `FieldError` with this code.
    public static func error(_ code: FieldError.Code) -> Response {
      answering { request in
        throw FieldError(code, "the stub was told to fail", operation: request.operation)
      }
    }

    /// What the closure makes of the request.
    public static func answering(
      _ answer: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
    ) -> Response {
      Response(answers: [answer], repeatsLast: true)
    }

    /// One answer after the other, each once; a request after the last is an unexpected one, unless
    /// `repeatingLast` is true.
    public static func sequence(
      _ responses: Response..., repeatingLast: Bool = false
    ) -> Response {
      Response(answers: responses.flatMap(\.answers), repeatsLast: repeatingLast)
    }

    func answer(at index: Int) -> Answer? {
      if index < answers.count { return answers[index] }
      return repeatsLast ? answers.last : nil
    }

    private static func body(
      _ body: TransportBody, _ type: String?, _ status: Int, _ fields: HTTPHeaderFields
    ) -> Response {
      var fields = fields
      if let type, fields["Content-Type"] == nil { fields["Content-Type"] = type }
      let response = TransportResponse(status: status, fields: fields, body: body)
      return answering { _ in response }
    }
  }
}
