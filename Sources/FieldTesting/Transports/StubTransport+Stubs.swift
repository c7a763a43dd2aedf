public import FieldCore
public import Testing

extension StubTransport {
  /// The stubs of a ``StubTransport``, as they are written down.
  public struct Stubs {
    struct Stub: Sendable {
      var name: String
      var matches: @Sendable (TransportRequest) -> Bool
      var response: Response
      var sourceLocation: SourceLocation
    }

    private(set) var all: [Stub] = []

    /// Answers the requests of an operation, such as `meteorites.snapshot`.
    ///
    /// - Parameters:
    ///   - operation: The operation of the request, to the letter.
    ///   - method: The method that the request must have, or nil for any.
    ///   - predicate: What else must be so, such as a page number in the address.
    ///   - response: The answer, or a sequence of answers.
    ///   - sourceLocation: Where ``StubTransport/verifyAllUsed()`` shows that it was not used.
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

    /// Answers the requests of an operation with what the closure makes of them.
    public mutating func on(
      _ operation: String,
      method: TransportRequest.Method? = nil,
      sourceLocation: SourceLocation = #_sourceLocation,
      answer: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
    ) {
      on(
        operation, method: method, respond: .answering(answer), sourceLocation: sourceLocation)
    }

    /// Answers the requests that the closure picks, whatever their operation.
    public mutating func onRequest(
      where predicate: @escaping @Sendable (TransportRequest) -> Bool,
      respond response: Response,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      add("a predicate", response, sourceLocation, matches: predicate)
    }

    private mutating func add(
      _ name: String, _ response: Response, _ sourceLocation: SourceLocation,
      matches: @escaping @Sendable (TransportRequest) -> Bool
    ) {
      all.append(
        Stub(name: name, matches: matches, response: response, sourceLocation: sourceLocation))
    }
  }
}
