public import FieldCore
package import FieldFakes
public import FieldFoundation
public import Testing

/// A test suite for the contract of `Transport`.
///
/// ### How to use it
///
/// ```swift
/// @Test("my transport keeps to the contract")
/// func conformance() async throws {
///   try await TransportConformance.run { MyTransport() }
/// }
/// ```
///
/// The suite starts its own server on the loopback interface. To use another server, serve
/// ``ConformanceRoutes``, send each response as ``ConformanceRoutes/wire(for:)`` says, and pass the
/// server's URL.
///
/// Every failing case records an issue with its name and its observation. A case ends after at most
/// 65 seconds, even if the transport never returns.
///
/// ### Requirements for a server
///
/// The server must be reachable as both `127.0.0.1` and `localhost`, because the cases about
/// credentials redirect from one to the other.
public enum TransportConformance {
  /// Runs the cases one after another against a server that it starts, each with its own transport.
  ///
  /// - Parameters:
  ///   - excluding: The cases to skip because the transport doesn't support them.
  ///   - sourceLocation: The location at which failures are reported.
  ///   - makeTransport: A closure that creates the transport.
  /// - Throws: `FieldError` with the code `FieldError.Code.transport` if no server can be started.
  public static func run(
    excluding: Set<Case> = [],
    sourceLocation: SourceLocation = #_sourceLocation,
    _ makeTransport: @Sendable () async throws -> any Transport
  ) async throws {
    let server = try makeServer()
    do {
      try await run(
        excluding: excluding, against: server.url, sourceLocation: sourceLocation, makeTransport)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  /// Returns a server of the routes.
  package static func makeServer() throws -> LoopbackServer {
    try LoopbackServer(serving: ConformanceRoutes()) { request in
      switch ConformanceRoutes.wire(for: request) {
      case .whole: .whole
      case .chunked: .chunked
      case .gzip: .gzip
      case .cut(let count): .cut(after: count)
      case .raw(let bytes, let end): .raw(bytes, then: end)
      }
    }
  }

  /// Runs the cases one after another, each with its own transport.
  ///
  /// - Parameters:
  ///   - excluding: The cases to skip because the transport doesn't support them.
  ///   - baseURL: The root of a server of ``ConformanceRoutes``, such as `http://127.0.0.1:8080`.
  ///   - sourceLocation: The location at which failures are reported.
  ///   - makeTransport: A closure that creates the transport.
  public static func run(
    excluding: Set<Case> = [],
    against baseURL: URL,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ makeTransport: @Sendable () async throws -> any Transport
  ) async throws {
    try await failures(excluding: excluding, against: baseURL, makeTransport)
      .record(at: sourceLocation)
  }

  /// Returns the failures that ``run(excluding:against:sourceLocation:_:)`` would record.
  ///
  /// The timeout of requests is `patience`, and a case ends 5 seconds after it.
  package static func failures(
    excluding: Set<Case> = [],
    against baseURL: URL,
    patience: Duration = .seconds(60),
    _ makeTransport: @Sendable () async throws -> any Transport
  ) async throws -> [ConformanceFailure<Case>] {
    try await ConformanceRun(
      subject: "transport conformance", cases: cases, excluding: excluding,
      patience: patience + .seconds(5)
    ).failures { body in
      body(Probe(transport: try await makeTransport(), baseURL: baseURL, patience: patience))
    }
  }

  /// All cases.
  package static var allCases: Set<Case> { Set(cases.map(\.0)) }

  private typealias Probe = ConformanceProbe

  private static var cases: [(Case, ConformanceBody<Probe>)] {
    [
      (.get, Probe.get), (.post, Probe.post), (.head, Probe.head), (.status, Probe.status),
      (.unauthorized, Probe.unauthorized), (.fieldNames, Probe.fieldNames),
      (.emptyBody, Probe.emptyBody), (.largeBody, Probe.largeBody),
      (.chunkedBody, Probe.chunkedBody), (.gzip, Probe.gzip), (.cutBody, Probe.cutBody),
      (.redirect, Probe.redirect), (.redirectedPost, Probe.redirectedPost),
      (.redirectLoop, Probe.redirectLoop), (.credentials, Probe.credentials),
      (.timeout, Probe.timeout), (.responseLimit, Probe.responseLimit),
      (.fileDestination, Probe.fileDestination), (.fileOfFailure, Probe.fileOfFailure),
      (.cancellation, Probe.cancellation), (.parallel, Probe.parallel),
      (.malformed, Probe.malformed), (.odd, Probe.odd), (.strangeRedirect, Probe.strangeRedirect),
      (.unendingRedirect, Probe.unendingRedirect), (.compressedBomb, Probe.compressedBomb),
      (.hugeLength, Probe.hugeLength), (.cutCompression, Probe.cutCompression),
    ]
  }
}

extension LoopbackServer.Delivery {
  fileprivate static func raw(_ bytes: [UInt8], then end: ConformanceRoutes.RawEnd) -> Self {
    var delivery = Self()
    delivery.raw = bytes
    switch end {
    case .close: break
    case .silence: delivery.ending = .silence(after: nil)
    case .repeating(let bytes): delivery.repeated = bytes
    }
    return delivery
  }
}
