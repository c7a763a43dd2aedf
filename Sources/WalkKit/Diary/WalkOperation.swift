internal import FieldCore

/// Something that takes a while and is watched: saving a walk, registering a pet.
///
/// ```swift
/// let saving = WalkOperation<Walk>()
/// for await state in saving.states() { … }             // a loading window, its end, its message
///
/// try await saving.run { try await recorder.finish() } then: { walk in await show(walk) }
/// ```
///
/// One run at a time: while it lasts, another call is refused, as a second tap on a button should be.
public final class WalkOperation<Value: Sendable>: Sendable {
  /// Where an operation is.
  public enum State: Sendable {
    /// Nothing has been done yet.
    case idle
    /// It is being done; how much of it is done, from 0 to 1, when that is known.
    case running(Double?)
    /// It is done.
    case succeeded(Value)
    /// It has failed; ``WalkTexts/message(for:)`` is what to tell the owner.
    case failed(FieldError)
    /// It was cancelled.
    case cancelled

    /// Whether it is being done, so that another call is refused.
    public var isRunning: Bool {
      if case .running = self { true } else { false }
    }
  }

  private struct Content: Sendable {
    var state = State.idle
    var listeners: [Int: AsyncStream<State>.Continuation] = [:]
    var lastListener = 0

    /// Yielding only fills a buffer of one and never runs a listener, so it may stand inside the lock;
    /// that keeps the order.
    mutating func set(_ state: State) {
      self.state = state
      for listener in listeners.values { listener.yield(state) }
    }
  }

  private let content = Lock(Content())

  /// Makes an operation that has not been run.
  public init() {}

  deinit {
    for listener in content.withLock(\.listeners).values { listener.finish() }
  }

  /// Where the operation is now.
  public var state: State { content.withLock(\.state) }

  /// Where the operation is now, and then each change; a slow reader misses some, never the newest.
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

  /// Runs the operation, and what follows its success.
  ///
  /// The operation has succeeded when `body` has returned; only then `then` runs, once, and what it
  /// throws is thrown here without undoing that.
  ///
  /// - Parameters:
  ///   - body: Does the work.
  ///   - then: Is given its result, when there is one.
  /// - Throws: `FieldError` with the code `operationInProgress` while another run lasts, which is left
  ///   alone; what `body` and `then` throw.
  @discardableResult
  public func run(
    _ body: () async throws -> Value, then: (Value) async throws -> Void = { _ in }
  ) async throws -> Value {
    try begin()
    let value: Value
    do {
      value = try await body()
    } catch {
      let error = FieldError.wrapping(error, as: .io, "the operation has failed")
      tell((error as? FieldError).map(State.failed) ?? .cancelled)
      throw error
    }
    tell(.succeeded(value))
    try await then(value)
    return value
  }

  /// Tells how much is done, from 0 to 1; without effect when nothing is being done.
  public func report(_ fraction: Double) {
    content.withLock { content in
      guard content.state.isRunning else { return }
      content.set(.running(min(max(fraction, 0), 1)))
    }
  }

  private func begin() throws {
    try content.withLock { content in
      guard !content.state.isRunning else {
        throw FieldError(.operationInProgress, "this is being done already; wait for its end")
      }
      content.set(.running(nil))
    }
  }

  private func tell(_ state: State) { content.withLock { $0.set(state) } }
}
