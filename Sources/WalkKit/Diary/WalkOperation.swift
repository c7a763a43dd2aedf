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
    public var isRunning: Bool {
      if case .running = self { true } else { false }
    }
  }

  private struct Content: Sendable {
    var state = State.idle
    var listeners: [Int: AsyncStream<State>.Continuation] = [:]
    var lastListener = 0

    /// Sets the state and sends it to the listeners. Yielding only fills a buffer of one and never
    /// runs a listener, so it is safe inside the lock, which keeps the order.
    mutating func set(_ state: State) {
      self.state = state
      for listener in listeners.values { listener.yield(state) }
    }
  }

  private let content = Lock(Content())

  /// Creates an operation that hasn't started.
  public init() {}

  deinit {
    for listener in content.withLock(\.listeners).values { listener.finish() }
  }

  /// The current state of the operation.
  public var state: State { content.withLock(\.state) }

  /// Returns the current state and then each change; slow consumers skip some, but never the
  /// newest.
  public func states() -> AsyncStream<State> {
    let (stream, listener) = AsyncStream.makeStream(
      of: State.self, bufferingPolicy: .bufferingNewest(1))
    let number = content.withLock { content in
      content.lastListener += 1
      content.listeners[content.lastListener] = listener
      listener.yield(content.state)
      return content.lastListener
    }
    listener.onTermination = { [weak self] _ in
      self?.content.withLock { _ = $0.listeners.removeValue(forKey: number) }
    }
    return stream
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
    try begin()
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
    content.withLock { content in
      guard content.state.isRunning else { return }
      content.set(.running(min(max(fraction, 0), 1)))
    }
  }

  private func begin() throws {
    try content.withLock { content in
      guard !content.state.isRunning else {
        throw FieldError(
          .operationInProgress, "This operation is already in progress. Wait until it finishes.")
      }
      content.set(.running(nil))
    }
  }

  private func send(_ state: State) { content.withLock { $0.set(state) } }
}
