public import FieldCore
public import Testing

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
