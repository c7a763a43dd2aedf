public import FieldCore
public import FieldFoundation

extension StubTransport {
  /// A stubbed response, which is always the same unless it is a sequence.
  public struct Response: Sendable {
    typealias Answer = @Sendable (TransportRequest) async throws -> TransportResponse

    /// The responses, at least one except for an empty sequence.
    let answers: [Answer]
    /// A Boolean value that indicates whether the last response is repeated.
    let repeatsLast: Bool

    /// Returns a response with a JSON body, as `application/json`.
    public static func json(
      text: String, status: Int = 200, fields: HTTPHeaderFields = [:]
    ) -> Response { body(.text(text), "application/json", status, fields) }

    /// Returns a response with a UTF-8 text, as `text/plain` unless the fields say otherwise.
    public static func text(
      _ text: String, status: Int = 200, fields: HTTPHeaderFields = [:]
    ) -> Response { body(.text(text), "text/plain; charset=utf-8", status, fields) }

    /// Returns a response with bytes, as `application/octet-stream` unless the fields say
    /// otherwise.
    public static func bytes(
      _ bytes: [UInt8], status: Int = 200, fields: HTTPHeaderFields = [:]
    ) -> Response { body(.bytes(bytes), "application/octet-stream", status, fields) }

    /// Returns a response with the content of a file, which is read at the time of the request.
    ///
    /// It has no content type unless the fields contain one.
    public static func file(
      _ url: URL, status: Int = 200, fields: HTTPHeaderFields = [:]
    ) -> Response { body(.file(url), nil, status, fields) }

    /// Returns a response with a status and no body, such as 304 or 503.
    public static func status(_ status: Int, fields: HTTPHeaderFields = [:]) -> Response {
      body(.bytes([]), nil, status, fields)
    }

    /// Returns a response that throws an error unchanged.
    public static func error(_ error: any Error) -> Response { answering { _ in throw error } }

    /// Returns a response that throws a `FieldError` with a code.
    public static func error(_ code: FieldError.Code) -> Response {
      answering { request in
        throw FieldError(code, "The stub is set to fail.", operation: request.operation)
      }
    }

    /// Returns a response that a closure creates from the request.
    public static func answering(
      _ answer: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
    ) -> Response { Response(answers: [answer], repeatsLast: true) }

    /// Returns a sequence of responses, each of which is used once.
    ///
    /// A request after the last response is unexpected, unless `repeatingLast` is `true`.
    public static func sequence(_ responses: Response..., repeatingLast: Bool = false) -> Response {
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
