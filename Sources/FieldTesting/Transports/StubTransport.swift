public import FieldCore
internal import FieldFakes
public import FieldFoundation
public import Testing

/// A transport that responds to configured requests, and fails the test for any other.
///
/// ### How to use it
///
/// ```swift
/// let transport = StubTransport {
///   $0.on("meteorites.snapshot", respond: .json(text: rows))
///   $0.on("zoo.animals.page", respond: .sequence(.json(text: page1), .status(503), .json(text: page2)))
/// }
/// let catalog = MeteoriteCatalog(storage: .inMemory, transport: transport)
/// try await catalog.refresh()
/// #expect(transport.requests.count == 1)
/// transport.verifyAllUsed()
/// ```
///
/// ### How it decides
///
/// The first stub in the given order that matches the request and has a response left is used. A
/// request without a stub records an issue where the stub transport was created, and throws a
/// `FieldError` with the code `FieldError.Code.unexpectedRequest`. Nothing leaves the machine.
///
/// Responses are delivered as a network would deliver them: within the request's limit, into a file
/// if requested, and without a body for HEAD.
///
/// There is no global state, so tests with their own stubs can run in parallel.
public final class StubTransport: Transport {
  private struct State {
    var uses: [Int]
    var requests: [TransportRequest] = []
  }

  private let stubs: [Stubs.Stub]
  private let state: Lock<State>
  private let sourceLocation: SourceLocation

  /// Creates a transport from the stubs that a closure configures.
  public init(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ configure: (inout Stubs) throws -> Void
  ) rethrows {
    var stubs = Stubs()
    try configure(&stubs)
    self.stubs = stubs.all
    self.sourceLocation = sourceLocation
    state = Lock(State(uses: stubs.all.map { _ in 0 }))
  }

  /// The received requests, including unexpected ones, in order.
  public var requests: [TransportRequest] { state.withLock(\.requests) }

  /// Returns the received requests of one operation, in order.
  public func requests(for operation: String) -> [TransportRequest] {
    requests.filter { $0.operation == operation }
  }

  /// Returns the response of the first matching stub.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try Task.checkCancellation()
    guard let answer = claimAnswer(to: request) else { throw unexpected(request) }
    let response = try await answer(request)
    try Task.checkCancellation()
    return try response.delivered(for: request)
  }

  /// Records an issue for every unused stub and every unfinished sequence, at the line of the stub.
  public func verifyAllUsed() {
    let uses = state.withLock(\.uses)
    for (stub, count) in zip(stubs, uses) where count < stub.response.answers.count {
      let expected = stub.response.answers.count
      Issue.record(
        "The stub for \(stub.name) was used \(count) of \(expected) times.",
        sourceLocation: stub.sourceLocation)
    }
  }

  private func claimAnswer(to request: TransportRequest) -> Response.Answer? {
    // The predicates are the test's code, so they are called before the lock is acquired.
    let matching = stubs.indices.filter { stubs[$0].matches(request) }
    return state.withLock { state in
      state.requests.append(request)
      for index in matching {
        guard let answer = stubs[index].response.answer(at: state.uses[index]) else { continue }
        state.uses[index] += 1
        return answer
      }
      return nil
    }
  }

  private func unexpected(_ request: TransportRequest) -> FieldError {
    let address = Redaction.default.redact(request.url)
    let known = stubs.isEmpty ? "nothing" : stubs.map(\.name).joined(separator: ", ")
    let message = """
      No stub is left for \(request.operation): \(request.method) \(address). \
      There are stubs for \(known).
      """
    Issue.record("\(message)", sourceLocation: sourceLocation)
    return FieldError(.unexpectedRequest, message, operation: request.operation)
  }
}

extension FieldError.Code {
  /// A `StubTransport` had no response to a request.
  public static var unexpectedRequest: Self {
    Self(rawValue: "stub.unexpectedRequest") { StubGuidance.table }
  }
}

/// Guidance for the stub's error code.
package enum StubGuidance {
  /// The guidance for each code.
  package static let table = GuidanceRow.table([
    .init(
      .unexpectedRequest, in: .caller,
      .init("Add a stub for the request.", "請為這項要求新增 stub。", "이 요청에 대한 스텁을 추가해 주세요."),
      en: ("Unexpected Request", "The test has no response for this request."),
      zh: ("未預期的要求", "測試沒有為這項要求準備回應。"),
      ko: ("예상하지 못한 요청", "테스트에 이 요청에 대한 응답이 없습니다."))
  ])
}

// MARK: - Response

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

// MARK: - Stubs

extension StubTransport {
  /// The configuration of a ``StubTransport``.
  public struct Stubs {
    struct Stub: Sendable {
      var name: String
      var matches: @Sendable (TransportRequest) -> Bool
      var response: Response
      var sourceLocation: SourceLocation
    }

    private(set) var all: [Stub] = []

    /// Responds to the requests of an operation, such as `meteorites.snapshot`.
    ///
    /// - Parameters:
    ///   - operation: The exact operation of the request.
    ///   - method: The method of the request; `nil` matches any.
    ///   - predicate: A further condition, such as a page number in the URL.
    ///   - response: The response, or a sequence of responses.
    ///   - sourceLocation: The location at which ``StubTransport/verifyAllUsed()`` reports an
    ///     unused stub.
    public mutating func on(
      _ operation: String,
      method: TransportRequest.Method? = nil,
      where predicate: @escaping @Sendable (TransportRequest) -> Bool = { _ in true },
      respond response: Response,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      add(
        operation, response, sourceLocation,
        matches: { request in
          request.operation == operation && (method == nil || request.method == method)
            && predicate(request)
        })
    }

    /// Responds to the requests of an operation with a closure.
    public mutating func on(
      _ operation: String,
      method: TransportRequest.Method? = nil,
      sourceLocation: SourceLocation = #_sourceLocation,
      answer: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
    ) { on(operation, method: method, respond: .answering(answer), sourceLocation: sourceLocation) }

    /// Responds to the requests that a closure selects, whatever their operation.
    public mutating func onRequest(
      where predicate: @escaping @Sendable (TransportRequest) -> Bool,
      respond response: Response,
      sourceLocation: SourceLocation = #_sourceLocation
    ) { add("a predicate", response, sourceLocation, matches: predicate) }

    private mutating func add(
      _ name: String, _ response: Response, _ sourceLocation: SourceLocation,
      matches: @escaping @Sendable (TransportRequest) -> Bool
    ) {
      all.append(
        Stub(name: name, matches: matches, response: response, sourceLocation: sourceLocation))
    }
  }
}
