internal import FieldFoundation

/// A transport that sends a request again when another transport brought no answer, or one that
/// says to come back.
///
/// ### When to use it
///
/// Around the transport that reaches the network. Kits never retry by themselves; their convenience
/// initialisers wrap the transport they are given in this one, once.
///
/// ### How it decides
///
/// - A transport that retries already is left as it is: each request is handed to it once.
/// - Only requests with ``TransportRequest/isIdempotent`` are sent again: GET and HEAD, unless the request
///   says otherwise. Any other request goes through once, untouched.
/// - It tries again after the statuses and the errors of its ``RetryPolicy``, and after a foreign
///   error where the policy has ``FieldError/Code/transport``; never after `CancellationError`.
/// - It waits a random part of a time that doubles, or as long as the server's `Retry-After` asks
///   (seconds or a date), whichever is longer, within the policy's limits.
/// - The request's timeout is that of each attempt; all of them together have the policy's total.
/// - The caller gets the last answer or the last error as it came. A cancelled wait throws
///   `CancellationError`.
/// - An answer that went to a file is removed before the next attempt, so that a failure leaves
///   nothing of it.
///
/// ### How to see it work
///
/// `base.logging { print($0) }.retrying()` logs every attempt, `base.retrying().logging { print($0) }`
/// only what comes of them.
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

  /// Wraps a transport; `random` gives a number from 0 to 1 for each wait.
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

  /// `true`.
  public var isRetrying: Bool { true }

  /// Sends the request, up to as often as the policy allows.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    guard request.isIdempotent, !base.isRetrying else { return try await base.send(request) }
    let start = clock.uptime
    var attempt = 1
    while true {
      let outcome = await outcome(of: request)
      guard attempt < policy.attempts, let wait = wait(after: outcome, attempt: attempt),
        clock.uptime - start + wait <= policy.maximumTotalDelay
      else { return try outcome.get() }
      try removeFile(of: outcome)
      try Task.checkCancellation()
      try await clock.sleep(for: wait)
      attempt += 1
    }
  }

  private func outcome(of request: TransportRequest) async -> Result<TransportResponse, any Error> {
    do {
      return .success(try await base.send(request))
    } catch {
      return .failure(error)
    }
  }

  /// How long to wait before the next attempt, or nil when the outcome is final.
  private func wait(
    after outcome: Result<TransportResponse, any Error>, attempt: Int
  ) -> Duration? {
    switch outcome {
    case .success(let answer) where policy.statuses.contains(answer.status):
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
    } catch  where FileManager.default.fileExists(atPath: url.path) {
      throw FieldError(
        .io, "the answer to be replaced cannot be removed from \(url.path)", underlying: error)
    } catch {
      // It is gone already, which is what is wanted.
    }
  }
}

extension Transport {
  /// This transport, with repeatable requests sent again after failures that pass.
  public func retrying(
    _ policy: RetryPolicy = .default,
    clock: any FieldClock = .system,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) -> RetryingTransport {
    RetryingTransport(self, policy: policy, clock: clock, random: random)
  }
}
