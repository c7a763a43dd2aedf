internal import FieldFoundation

/// A transport that retries requests of another transport after temporary failures.
///
/// ### When to use it
///
/// Wrap the transport that reaches the network. Kits never retry by themselves; their convenience
/// initializers wrap the given transport in this one, once.
///
/// ### How it decides
///
/// - A transport that already retries is left as it is: each request is passed to it once.
/// - Only requests with ``TransportRequest/isIdempotent`` are sent again: GET and HEAD, unless the
///   request says otherwise. Any other request is sent once.
/// - It retries after the statuses and the errors of its ``RetryPolicy``, and after a custom error
///   if the policy contains ``FieldError/Code/transport``; never after `CancellationError`.
/// - It waits for a random part of a time that doubles, or as long as the server's `Retry-After`
///   asks (seconds or a date), whichever is longer, within the policy's limits.
/// - The request's timeout applies to each attempt; the policy limits the total time.
/// - The caller gets the last response or the last error. Canceling a wait throws
///   `CancellationError`.
/// - A response in a file is removed before the next attempt, so that a failure leaves no file
///   behind.
///
/// ### How to see it work
///
/// `base.logging { print($0) }.retrying()` logs every attempt; `base.retrying().logging { print($0)
/// }` logs only the final outcome.
///
/// ### How to test with it
///
/// Pass a `ManualClock` and a fixed random number:
///
/// ```swift
/// let transport = stub.retrying(clock: clock, random: { 1 })
/// async let answer = transport.send(request)
/// clock.advance(by: try await clock.nextSleep())
/// ```
public struct RetryingTransport: Transport {
  private let base: any Transport
  private let policy: RetryPolicy
  private let clock: any FieldClock
  private let random: @Sendable () -> Double

  /// Creates a transport that wraps another one, with a closure that returns a random number from 0
  /// through 1 for each wait.
  public init(
    _ base: any Transport,
    policy: RetryPolicy = .default,
    clock: any FieldClock = .system,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.base = base
    self.policy = policy
    self.clock = clock
    self.random = random
  }

  /// A Boolean value that indicates whether the transport retries failed requests, which is `true`.
  public var isRetrying: Bool { true }

  /// Sends the request, up to as many times as the policy allows.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    guard request.isIdempotent, !base.isRetrying else { return try await base.send(request) }
    let start = clock.uptime
    var attempt = 1
    while true {
      let outcome = await Result { try await base.send(request) }
      guard attempt < policy.attempts, let wait = wait(after: outcome, attempt: attempt),
        clock.uptime - start + wait <= policy.maximumTotalDelay
      else { return try outcome.get() }
      try removeFile(of: outcome)
      try Task.checkCancellation()
      try await clock.sleep(for: wait)
      attempt += 1
    }
  }

  /// Returns how long to wait before the next attempt, or `nil` if the outcome is final.
  private func wait(
    after outcome: Result<TransportResponse, any Error>, attempt: Int
  ) -> Duration? {
    switch outcome {
    case .success(let answer) where policy.covers(answer.status):
      let asked = RetryAfter.wait(
        answer.fields, now: clock.now, longest: policy.maximumRetryAfter)
      return max(policy.wait(afterAttempt: attempt, random: random()), asked ?? .zero)
    case .failure(let error) where policy.covers(error):
      return policy.wait(afterAttempt: attempt, random: random())
    default:
      return nil
    }
  }

  private func removeFile(of outcome: Result<TransportResponse, any Error>) throws {
    guard case .success(let answer) = outcome, case .file(let url) = answer.body else { return }
    do {
      try FileManager.default.removeItem(at: url)
    } catch {
      // A file that no longer exists is the goal.
      guard try LocalFile.exists(at: url.path) else { return }
      throw FieldError(
        .io, "The previous response can't be removed from \(url.path).", underlying: error)
    }
  }
}

extension Transport {
  /// Returns a transport that retries idempotent requests after temporary failures.
  ///
  /// ```swift
  /// let patient = transport.retrying(RetryPolicy(attempts: 5))
  /// ```
  public func retrying(
    _ policy: RetryPolicy = .default,
    clock: any FieldClock = .system,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) -> RetryingTransport {
    RetryingTransport(self, policy: policy, clock: clock, random: random)
  }
}
