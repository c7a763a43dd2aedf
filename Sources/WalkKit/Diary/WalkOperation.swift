internal import FieldCore

/// An operation whose progress can be observed, such as saving a walk or registering a pet.
///
/// ```swift
/// let saving = WalkOperation<Walk>()
/// for await state in saving.states() { … }             // a loading window, its end, its message
///
/// try await saving.run { try await recorder.finish() } then: { walk in await show(walk) }
/// ```
///
/// Only one run is possible at a time. A call during a run throws, like a second tap on a button.
public final class WalkOperation<Value: Sendable>: Sendable {
  /// The state of an operation.
  public enum State: Sendable {
    /// The operation hasn't started.
    case idle
    /// The operation is in progress, with the fraction done from 0 through 1, if known.
    case running(Double?)
    /// The operation has succeeded.
    case succeeded(Value)
    /// The operation has failed; use ``WalkTexts/message(for:)`` to display the error.
    case failed(FieldError)
    /// The operation was canceled.
    case cancelled

    /// A Boolean value that indicates whether the operation is in progress, so that another call
    /// throws.
    public var isRunning: Bool { if case .running = self { true } else { false } }
  }

  private let current = Lock(State.idle)
  private let changes = Broadcast<State>()

  /// Creates an operation that hasn't started.
  public init() { changes.send(.idle) }

  deinit { changes.close() }

  /// The current state of the operation.
  public var state: State { current.withLock { $0 } }

  /// Returns the current state and then each change; slow consumers skip some, but never the
  /// newest.
  public func states() -> AsyncStream<State> {
    changes.listen()?.stream ?? AsyncStream { $0.finish() }
  }

  /// Runs the operation, and then a closure if it succeeds.
  ///
  /// The operation has succeeded when `body` returns. Only then does `then` run, once. If it
  /// throws, its error is rethrown, but the operation has still succeeded.
  ///
  /// - Parameters:
  ///   - body: A closure that does the work.
  ///   - then: A closure that receives the result.
  /// - Throws: `FieldError` with the code `walks.operationInProgress` if another run is in
  ///   progress, which isn't affected; the errors of `body` and `then`.
  @discardableResult
  public func run(
    _ body: () async throws -> Value, then: (Value) async throws -> Void = { _ in }
  ) async throws -> Value {
    try change { state in
      guard !state.isRunning else {
        throw FieldError(
          .operationInProgress, "This operation is already in progress. Wait until it finishes.")
      }
      return .running(nil)
    }
    let value: Value
    do {
      value = try await body()
    } catch {
      let error = FieldError.wrapping(error, as: .io, "The operation failed.")
      send((error as? FieldError).map(State.failed) ?? .cancelled)
      throw error
    }
    send(.succeeded(value))
    try await then(value)
    return value
  }

  /// Reports the fraction done, from 0 through 1; has no effect if the operation isn't in progress.
  public func report(_ fraction: Double) {
    change { $0.isRunning ? .running(min(max(fraction, 0), 1)) : nil }
  }

  private func send(_ state: State) { change { _ in state } }

  /// Sets the state that `next` returns and sends it. Sending only fills buffers, so it is safe
  /// inside the lock, which keeps the order.
  private func change(_ next: (State) throws -> State?) rethrows {
    try current.withLock { state in
      guard let new = try next(state) else { return }
      state = new
      changes.send(new)
    }
  }
}
