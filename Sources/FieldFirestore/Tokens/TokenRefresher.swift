internal import FieldCore
internal import FieldFoundation

/// Stores a token and renews it before it expires, with one request for all callers.
final class TokenRefresher: Sendable {
  private struct State: Sendable {
    var token: FirestoreToken?
    var failures = 0
    /// The uptime before which no early renewal is tried after a failure.
    var nextEarly = Duration.zero
  }

  private let clock: any FieldClock
  private let fetch: @Sendable () async throws -> FirestoreToken
  private let flight = SingleFlight<FirestoreToken>()
  private let state = Lock(State())

  init(
    clock: any FieldClock, _ fetch: @escaping @Sendable () async throws -> FirestoreToken
  ) {
    self.clock = clock
    self.fetch = fetch
  }

  func token(replacing rejected: FirestoreToken?) async throws -> FirestoreToken {
    let (current, nextEarly) = state.withLock { ($0.token, $0.nextEarly) }
    guard let current, current != rejected else { return try await renewed() }
    let left = current.expiry?.timeIntervalSince(clock.now) ?? .infinity
    if left > 300 { return current }
    if left <= 30 { return try await renewed() }
    if clock.uptime < nextEarly { return current }
    do {
      return try await renewed()
    } catch let error as FieldError where error.code != .tokenRefused {
      // There is time left for another try.
      state.withLock { state in
        state.failures += 1
        let backoff = Backoff(first: .seconds(30), longest: .seconds(960))
        state.nextEarly = clock.uptime + backoff.wait(afterFailures: state.failures)
      }
      return current
    }
  }

  private func renewed() async throws -> FirestoreToken {
    try await flight.run { [self] in
      let token = try await fetch()
      state.withLock { $0 = State(token: token) }
      return token
    }
  }

  /// Sends a form to the token service and returns its response.
  static func answer(
    to form: [(name: String, value: String)], at url: URL, operation: String,
    over transport: any Transport
  ) async throws -> JSONValue {
    var request = TransportRequest(
      .post, url: url,
      fields: ["Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"],
      body: .text(PercentEncoding.query(form)), responseLimit: 1 << 20, operation: operation,
      isIdempotent: true)
    request.followsRedirects = false
    let answer = try await FieldError.wrapping(
      "The service of tokens couldn't be reached.", as: .transport, operation: operation
    ) { [request] in try await transport.send(request) }
    do {
      return try FirestoreProblem.value(of: answer, operation: operation)
    } catch var error as FieldError {
      // The request's URL contains the API key.
      error.response?.url = nil
      if (400...403).contains(answer.status) && error.code != .notData {
        error.code = .tokenRefused
        error.message =
          "The service of tokens refuses: \(error.message). The user has to sign in again."
      }
      throw error
    }
  }

  /// Returns the token in a response; servers send the seconds until it expires as a number or as
  /// a string.
  static func token(
    _ value: String?, of answer: JSONValue, kind: FirestoreToken.Kind, at now: Date,
    operation: String
  ) throws -> FirestoreToken {
    guard let value, !value.isEmpty else {
      throw FieldError(.schema, "The token service's response has no token.", operation: operation)
    }
    let expiry = now.addingTimeInterval(answer["expires_in"]?.double ?? 3_600)
    return FirestoreToken(value, expiry: expiry, kind: kind)
  }
}
