public import FieldCore
internal import FieldFoundation

/// A client of one Firestore database that uses its REST interface.
///
/// ```swift
/// let client = FirestoreClient(configuration, transport: URLSessionTransport())
/// let pet = try await client.get("Pets/mesh")
/// try await client.commit([.update("Pets/mesh", ["walks": .increment(1)])], receipt: UUID())
/// ```
///
/// The client classifies errors by the server's status and retries transient failures as Google's
/// clients do for each method, so don't wrap the transport in `retrying(_:)`. It repeats a commit
/// only if that can't apply it twice: if its writes are idempotent, or it has a receipt.
///
/// The REST interface doesn't support listening to changes. Poll with a query instead.
public final class FirestoreClient: Sendable {
  /// The database, and the options for its use.
  public let configuration: FirestoreConfiguration

  let transport: any Transport
  let clock: any FieldClock
  let random: @Sendable () -> Double

  /// Creates a client that uses the transport as it is, without decorators.
  ///
  /// - Parameters:
  ///   - configuration: The database, and the options for its use.
  ///   - transport: The transport that sends requests.
  ///   - clock: The clock that measures delays and the age of receipts. Defaults to the system's.
  ///   - random: Returns a number from 0 through 1 for each delay.
  public init(
    _ configuration: FirestoreConfiguration, transport: any Transport,
    clock: any FieldClock = .system,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.configuration = configuration
    self.transport = transport
    self.clock = clock
    self.random = random
  }

  /// The database.
  public var database: FirestoreDatabase { configuration.database }

  /// Sends a call, repeating it if its method allows it, and returns the response.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - name: The full name of the call's subject.
  ///   - verb: The verb after the name, or `nil` for a plain GET.
  ///   - parameters: The query items of a GET.
  ///   - body: The body of a POST.
  ///   - isSafeToRepeat: Pass `true` if a commit can be repeated after an unknown outcome.
  func call(
    _ method: FirestoreMethod, _ name: String, verb: String? = nil,
    parameters: [(name: String, value: String)] = [], body: JSONValue? = nil,
    isSafeToRepeat: Bool = true
  ) async throws -> JSONValue {
    var request = try request(method, name, verb, parameters, body)
    let policy = configuration.retry
    let start = clock.uptime
    var attempt = 1
    var rejected: FirestoreToken?
    while true {
      let token = try await FieldError.wrapping(
        "No token could be obtained.", as: .firestoreUnauthenticated, operation: method.operation
      ) { [rejected] in try await configuration.tokens.token(replacing: rejected) }
      request.fields["Authorization"] = token.map { "Bearer \($0.value)" }
      do {
        return try await answer(to: request)
      } catch let error as FieldError {
        if error.code == .firestoreUnauthenticated, let token, rejected == nil {
          // Renew the token once; that doesn't count as an attempt.
          rejected = token
          continue
        }
        guard attempt < policy.attempts,
          method.isRetried(error, isSafeToRepeat: isSafeToRepeat)
        else { throw error }
        var delay = policy.delay(
          afterAttempt: attempt, isExhausted: error.code == .firestoreResourceExhausted,
          random: random())
        if let fields = error.response?.fields,
          let asked = RetryAfter.wait(fields, now: clock.now, longest: policy.maximumDelay)
        {
          delay = max(delay, asked)
        }
        guard clock.uptime - start + delay <= policy.maximumTotalDelay else { throw error }
        attempt += 1
        try await clock.sleep(for: delay)
      }
    }
  }

  @concurrent
  private func answer(to request: TransportRequest) async throws -> JSONValue {
    let answer = try await FieldError.wrapping(
      "The server couldn't be reached.", as: .transport, operation: request.operation
    ) { try await transport.send(request) }
    return try FirestoreProblem.value(of: answer, operation: request.operation)
  }

  private func request(
    _ method: FirestoreMethod, _ name: String, _ verb: String?,
    _ parameters: [(name: String, value: String)], _ body: JSONValue?
  ) throws -> TransportRequest {
    try database.check()
    let path = name.split(separator: "/", omittingEmptySubsequences: false)
      .map { PercentEncoding.component(String($0)) }.joined(separator: "/")
    var root = configuration.endpoint.absoluteString
    while root.hasSuffix("/") { root.removeLast() }
    guard let url = URL(string: "\(root)/v1/\(path)\(verb.map { ":\($0)" } ?? "")") else {
      throw FieldError(.invalidInput, "\(root) and \(name) don't form a URL.")
    }
    var fields = configuration.fields
    fields["Accept"] = "application/json"
    var request = TransportRequest(
      url: try PercentEncoding.url(url, adding: parameters), fields: fields,
      timeout: method.timeout, operation: method.operation,
      // Retries depend on the method, so a transport, which knows only HTTP, mustn't retry.
      isIdempotent: false)
    if let body {
      let bytes = Array(body.canonicalText.utf8)
      guard bytes.count <= configuration.limits.requestSize else {
        throw FieldError(
          .invalidInput,
          "The request has \(bytes.count) bytes, and the limit is "
            + "\(configuration.limits.requestSize). Send less.", operation: method.operation)
      }
      request.method = .post
      request.fields["Content-Type"] = "application/json"
      request.body = .bytes(bytes)
    }
    return request
  }
}
