internal import Dispatch
internal import FieldCore
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// One task of the session, which waits for its response, collects it, and ends exactly once.
///
/// On Linux, creating, starting, and canceling a task block until the session has processed
/// everything that it has received, which may take forever. All of that is therefore done on a separate
/// queue, in order, and a caller that no longer waits is resumed first. Meanwhile, no lock is held
/// that a delegate callback takes.
final class Exchange: Sendable {
  /// The time at which the exchange is stopped with ``/FieldCore/FieldError/Code/timeout``.
  let deadline: DispatchTime
  private let request: TransportRequest
  private let exchanges: Exchanges
  private let state = Lock(State())

  private struct State {
    var task: URLSessionDataTask?
    var continuation: CheckedContinuation<TransportResponse, any Error>?
    var incoming = IncomingAnswer()
    /// The error that the exchange is about to end with; data that arrives later is dropped.
    var verdict: (any Error)?
    var isOver = false
  }

  init(_ request: TransportRequest, until deadline: DispatchTime, among exchanges: Exchanges) {
    self.request = request
    self.deadline = deadline
    self.exchanges = exchanges
  }

  /// Sends the request and returns its response, which may be a redirect.
  func run(_ message: URLRequest, in session: URLSession) async throws -> TransportResponse {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        state.withLock { $0.continuation = continuation }
        exchanges.add(self)
        exchanges.tasks.async { self.start(message, in: session) }
        // The handler below may have run before there was anything to stop.
        if Task.isCancelled { stop(CancellationError()) }
      }
    } onCancel: {
      stop(CancellationError())
    }
  }

  /// Starts the task unless the exchange is over; must be called on the queue of the tasks.
  private func start(_ message: URLRequest, in session: URLSession) {
    guard !state.withLock({ $0.isOver }) else { return }
    let task = session.dataTask(with: message)
    exchanges.add(self, as: task.taskIdentifier)
    let isOver = state.withLock { state in
      if !state.isOver { state.task = task }
      return state.isOver
    }
    if isOver {
      exchanges.remove(self, task.taskIdentifier)
      task.cancel()
    } else {
      // From here on, the next block in this queue cancels a task that is stopped.
      task.resume()
    }
  }

  /// Ends the exchange with an error asynchronously; has no effect if it is over.
  ///
  /// The exchange is never ended in the caller's cancellation handler, which holds a lock of the
  /// runtime that the session's callbacks may wait for.
  func stop(_ reason: any Error) {
    exchanges.queue.async { self.stopNow(reason) }
  }

  /// Ends the exchange with an error; must be called on the queue of the exchanges.
  func stopNow(_ reason: any Error) {
    guard let end = end() else { return }
    end.incoming.discard()
    end.continuation?.resume(throwing: reason)
    if let task = end.task { exchanges.tasks.async { task.cancel() } }
  }

  // MARK: What the delegate reports

  func receive(_ response: HTTPURLResponse) {
    collect { try $0.start(response, for: request) }
  }

  func receive(_ data: Data) {
    collect { try $0.append(data) }
  }

  /// Ends the exchange without the rest of the body, after a redirect or a challenge. Returns
  /// `false` if the exchange was already over.
  func finish(early response: HTTPURLResponse) -> Bool {
    finish { try $0.answer(endingEarly: TransportResponse.Head(response)) }
  }

  /// Ends the exchange after the session has reported the end of the task.
  func finish(_ response: URLResponse?, _ error: (any Error)?) {
    _ = finish { try $0.answer(ending: response as? HTTPURLResponse, error: error) }
  }

  private func finish(_ answer: (IncomingAnswer) throws -> TransportResponse) -> Bool {
    guard let end = end() else { return false }
    let result = Result {
      if let verdict = end.verdict { throw verdict }
      return try answer(end.incoming)
    }
    if case .failure = result { end.incoming.discard() }
    end.continuation?.resume(with: result)
    return true
  }

  private func collect(_ body: (inout IncomingAnswer) throws -> Void) {
    let verdict = state.withLock { state -> (any Error)? in
      guard !state.isOver, state.verdict == nil else { return nil }
      do {
        try body(&state.incoming)
      } catch {
        state.verdict = error
      }
      return state.verdict
    }
    if let verdict { stop(verdict) }
  }

  /// Returns what is needed to finish, exactly once.
  private func end() -> State? {
    let end = state.withLock { state -> State? in
      guard !state.isOver, state.continuation != nil else { return nil }
      defer { state = State(isOver: true) }
      return state
    }
    if let end { exchanges.remove(self, end.task?.taskIdentifier) }
    return end
  }
}
