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

// MARK: - Case

extension TransportConformance {
  /// A requirement for transports.
  public struct Case: RawRepresentable, Hashable, Sendable {
    /// The name.
    public var rawValue: String

    /// Creates a case from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The method, path, query, and fields of a GET arrive unchanged, including escapes.
    public static var get: Self { Self(rawValue: "get") }
    /// The body of a POST arrives, from memory or from a file, even if it is empty.
    public static var post: Self { Self(rawValue: "post") }
    /// The response to HEAD has its fields and no body, whatever its announced length.
    public static var head: Self { Self(rawValue: "head") }
    /// Responses with any status are returned with their bodies.
    public static var status: Self { Self(rawValue: "status") }
    /// A response of 401 with a Basic challenge is returned immediately.
    public static var unauthorized: Self { Self(rawValue: "unauthorized") }
    /// Field names of the response are case-insensitive, and several fields of one name are kept.
    public static var fieldNames: Self { Self(rawValue: "fieldNames") }
    /// A response of 204 and one with an empty body are returned.
    public static var emptyBody: Self { Self(rawValue: "emptyBody") }
    /// A body of one megabyte arrives byte for byte.
    public static var largeBody: Self { Self(rawValue: "largeBody") }
    /// A body in chunks arrives byte for byte.
    public static var chunkedBody: Self { Self(rawValue: "chunkedBody") }
    /// A gzipped body is returned uncompressed.
    public static var gzip: Self { Self(rawValue: "gzip") }
    /// If a body ends before its announced length, an error with a `transport.…` code is thrown.
    public static var cutBody: Self { Self(rawValue: "cutBody") }
    /// Redirects of GET are followed, and the response has the final URL.
    public static var redirect: Self { Self(rawValue: "redirect") }
    /// Redirects with 307 and 308 keep the method and the body of a POST, and 303 makes it a GET.
    public static var redirectedPost: Self { Self(rawValue: "redirectedPost") }
    /// Endless redirects result in an error.
    public static var redirectLoop: Self { Self(rawValue: "redirectLoop") }
    /// Credentials are sent to redirects on the same host, but never to another host.
    ///
    /// A request that doesn't follow redirects receives the redirect itself.
    public static var credentials: Self { Self(rawValue: "credentials") }
    /// If the response doesn't arrive in time, to fractions of a second, `FieldError.Code.timeout`
    /// is thrown.
    public static var timeout: Self { Self(rawValue: "timeout") }
    /// If the decoded body is larger than the limit, `FieldError.Code.responseTooLarge` is thrown;
    /// a body of exactly the limit is returned.
    public static var responseLimit: Self { Self(rawValue: "responseLimit") }
    /// A body is written to the requested file and replaces an existing one.
    ///
    /// The body of a response that isn't a success may be in memory.
    public static var fileDestination: Self { Self(rawValue: "fileDestination") }
    /// A failed request leaves no file at its destination.
    public static var fileOfFailure: Self { Self(rawValue: "fileOfFailure") }
    /// A canceled request soon throws `CancellationError`, even if it never began.
    public static var cancellation: Self { Self(rawValue: "cancellation") }
    /// Many concurrent requests each receive their own response.
    public static var parallel: Self { Self(rawValue: "parallel") }
    /// A response that isn't HTTP or ends early is an error, however it ends.
    public static var malformed: Self { Self(rawValue: "malformed") }
    /// Unusual but complete responses are returned.
    public static var odd: Self { Self(rawValue: "odd") }
    /// Redirects to invalid URLs result in errors and don't end the process.
    public static var strangeRedirect: Self { Self(rawValue: "strangeRedirect") }
    /// A redirect with an endless body is followed, or ends with the timeout or a cancellation.
    ///
    /// Meanwhile, other requests receive their responses.
    public static var unendingRedirect: Self { Self(rawValue: "unendingRedirect") }
    /// A gzipped body of 1 MB that is 1 GiB uncompressed stops at the limit of the request.
    ///
    /// On Linux, the case also checks the memory that the process uses.
    public static var compressedBomb: Self { Self(rawValue: "compressedBomb") }
    /// A response that announces a length of nine exabytes results in an error.
    public static var hugeLength: Self { Self(rawValue: "hugeLength") }
    /// Half of a gzipped body is an error, even if no length shows that it is only a half.
    public static var cutCompression: Self { Self(rawValue: "cutCompression") }
  }
}
