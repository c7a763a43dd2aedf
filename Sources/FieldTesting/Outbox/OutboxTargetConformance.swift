public import FieldCore
public import Testing

/// Proves that a target keeps to the contract of `OutboxTarget`.
///
/// ### How to use it
///
/// Provide a server in memory that counts what it applies, and the target over a transport:
///
/// ```swift
/// @Test("the city hall keeps to the contract of a target")
/// func conformance() async throws {
///   try await OutboxTargetConformance.run { transport in
///     CityHall(transport: transport)
///   } server: {
///     FakeCityHall()
///   } payload: { number in
///     Report(text: "report \(number)")
///   } applied: { server in
///     server.reports
///   }
/// }
/// ```
///
/// The suite loses requests and responses on the way, and lets other responses come in their place. Every case
/// that fails records an issue that names the case and says what was seen.
///
/// A target may make several requests to send an operation, such as reading before it writes. The server must have
/// applied the operation when it responds to the last one.
public enum OutboxTargetConformance {
  /// Runs the cases, one after the other, each with a server of its own.
  ///
  /// - Parameters:
  ///   - excluding: The cases to leave out, for what a target is known not to do.
  ///   - invalid: A payload that the server refuses for good; `nil` if there is none.
  ///   - sourceLocation: Where failures are shown.
  ///   - makeTarget: Creates the target over a transport.
  ///   - makeServer: Creates a server that has applied nothing.
  ///   - payload: Returns a valid payload for each number; different ones for different numbers.
  ///   - applied: Returns the payloads that the server has applied, in order, as often as it did.
  public static func run<Target: OutboxTarget, Server: Transport>(
    excluding: Set<Case> = [], invalid: Target.Payload? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ makeTarget: @escaping @Sendable (any Transport) -> Target,
    server makeServer: @escaping @Sendable () -> Server,
    payload: @escaping @Sendable (_ number: Int) -> Target.Payload,
    applied: @escaping @Sendable (Server) async throws -> [Target.Payload]
  ) async throws {
    try await failures(
      excluding: excluding, invalid: invalid, makeTarget, server: makeServer, payload: payload,
      applied: applied
    ).record(at: sourceLocation)
  }

  /// Returns what ``run(excluding:invalid:sourceLocation:_:server:payload:applied:)`` would record.
  ///
  /// A case fails after `patience`. Pass a closure that returns some of the lengths to which a response is cut
  /// as `sampling` if the responses are long.
  package static func failures<Target: OutboxTarget, Server: Transport>(
    excluding: Set<Case> = [], invalid: Target.Payload? = nil, patience: Duration = .seconds(120),
    sampling: @escaping @Sendable ([Int]) -> [Int] = { $0 },
    _ makeTarget: @escaping @Sendable (any Transport) -> Target,
    server makeServer: @escaping @Sendable () -> Server,
    payload: @escaping @Sendable (_ number: Int) -> Target.Payload,
    applied: @escaping @Sendable (Server) async throws -> [Target.Payload]
  ) async throws -> [ConformanceFailure<Case>] {
    try await ConformanceRun(
      subject: "outbox target conformance", cases: OutboxTargetProbe<Target>.cases,
      excluding: excluding, patience: patience
    ).failures { body in
      {
        let server = makeServer()
        let line = FaultyLine(server)
        let probe = OutboxTargetProbe(
          target: makeTarget(line), line: line, invalid: invalid, payload: payload,
          applied: { try await applied(server) }, sampling: sampling)
        try await body(probe)()
      }
    }
  }

  /// One thing that a target must do.
  public struct Case: RawRepresentable, Hashable, Sendable {
    /// The name.
    public var rawValue: String
    /// Creates a case from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Operations are applied in the order in which they are sent, and a server with receipts confirms each.
    public static var sending: Self { Self(rawValue: "sending") }
    /// Two operations with equal payloads are both applied.
    public static var twoKeys: Self { Self(rawValue: "twoKeys") }
    /// An operation that is sent twice is applied once, unless the delivery is at least once.
    public static var repeatedKey: Self { Self(rawValue: "repeatedKey") }
    /// So is one that is sent eight times at once.
    public static var concurrentKey: Self { Self(rawValue: "concurrentKey") }
    /// A server with receipts hasn't applied an operation that was never sent.
    public static var unknownKey: Self { Self(rawValue: "unknownKey") }
    /// An invalid payload is rejected, and not applied.
    public static var refusal: Self { Self(rawValue: "refusal") }
    /// A request that is lost isn't taken for a rejection, and can be sent again.
    public static var lostRequest: Self { Self(rawValue: "lostRequest") }
    /// The outcome is unknown when the response is lost, and the status and another request resolve it.
    public static var lostResponse: Self { Self(rawValue: "lostResponse") }
    /// A response that ends early, at any byte, confirms the operation or leaves its outcome unknown.
    public static var truncatedResponse: Self { Self(rawValue: "truncatedResponse") }
    /// A web page in place of the response, as of a network's sign-in page, confirms nothing.
    public static var webPage: Self { Self(rawValue: "webPage") }
    /// HTTP 401 means that the server needs a new token.
    public static var expiredToken: Self { Self(rawValue: "expiredToken") }
    /// HTTP 429 limits the rate, for as long as `Retry-After` says.
    public static var rateLimit: Self { Self(rawValue: "rateLimit") }
    /// HTTP 500 and 503 reject nothing, and limit no rate.
    public static var failingServer: Self { Self(rawValue: "failingServer") }
    /// A status that can't be read is an error, or unknown, however the response is spoiled.
    public static var failingStatus: Self { Self(rawValue: "failingStatus") }
    /// A request that is canceled ends.
    public static var cancellation: Self { Self(rawValue: "cancellation") }
  }
}

extension OutboxTargetProbe {
  fileprivate static var cases: [(OutboxTargetConformance.Case, ConformanceBody<Self>)] {
    [
      (.sending, Self.sending), (.twoKeys, Self.twoKeys), (.repeatedKey, Self.repeatedKey),
      (.concurrentKey, Self.concurrentKey), (.unknownKey, Self.unknownKey),
      (.refusal, Self.refusal), (.lostRequest, Self.lostRequest),
      (.lostResponse, Self.lostResponse), (.truncatedResponse, Self.truncatedResponse),
      (.webPage, Self.webPage), (.expiredToken, Self.expiredToken), (.rateLimit, Self.rateLimit),
      (.failingServer, Self.failingServer), (.failingStatus, Self.failingStatus),
      (.cancellation, Self.cancellation),
    ]
  }
}
