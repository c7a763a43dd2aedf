internal import Dispatch
internal import FieldCore
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// One task of the session, which waits for its response, collects it, and ends exactly once.
///
/// The lock is held while the task is started or canceled, and while a delegate callback decides
/// that the exchange is over. A task is therefore never canceled after the session has begun to
/// report its end, which crashes on Linux. The continuation is resumed outside the lock.
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

  /// Starts the task and returns its response, which may be a redirect.
  func run(_ task: URLSessionDataTask) async throws -> TransportResponse {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // The order matters: from the second step on, the deadline may end the exchange, and from
        // the third on, the delegate finds it.
        state.withLock { state in
          state.task = task
          state.continuation = continuation
        }
        exchanges.add(self, as: task.taskIdentifier)
        state.withLock { if !$0.isOver { task.resume() } }
        // The handler below may have run before there was anything to stop.
        if Task.isCancelled { stop(CancellationError()) }
      }
    } onCancel: {
      stop(CancellationError())
    }
  }

  /// Ends the exchange with an error asynchronously; has no effect if it is over.
  func stop(_ reason: any Error) {
    exchanges.queue.async { self.stopNow(reason) }
  }

  /// Ends the exchange with an error; must be called on the queue of the exchanges.
  func stopNow(_ reason: any Error) {
    guard let end = end(cancelling: true) else { return }
    end.incoming.discard()
    end.continuation.resume(throwing: reason)
  }

  // MARK: What the delegate reports

  /// Receives the status and the header fields.
  func receive(_ response: HTTPURLResponse) {
    collect { try $0.start(TransportResponse.Head(response), for: request) }
  }

  /// Receives a part of the decoded body.
  func receive(_ data: Data) {
    collect { try $0.append(data, for: request) }
  }

  /// Ends the exchange without the rest of the body, after a redirect or a challenge. Returns
  /// `false` if the exchange was already over.
  func finish(early response: HTTPURLResponse) -> Bool {
    guard let end = end() else { return false }
    let result = Result {
      if let verdict = end.verdict { throw verdict }
      return try end.incoming.answer(endingEarly: TransportResponse.Head(response))
    }
    end.continuation.resume(with: result)
    return true
  }

  /// Ends the exchange after the session has reported the end of the task.
  func finish(_ response: URLResponse?, _ error: (any Error)?) {
    guard let end = end() else { return }
    let result = Result {
      if let verdict = end.verdict { throw verdict }
      return try end.incoming.answer(
        to: request, ending: response as? HTTPURLResponse, error: error)
    }
    if case .failure = result { end.incoming.discard() }
    end.continuation.resume(with: result)
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

  private struct End {
    let continuation: CheckedContinuation<TransportResponse, any Error>
    let incoming: IncomingAnswer
    let verdict: (any Error)?
  }

  /// Returns what is needed to finish, exactly once.
  private func end(cancelling: Bool = false) -> End? {
    let (end, identifier) = state.withLock { state -> (End?, Int) in
      guard !state.isOver, let task = state.task, let continuation = state.continuation else {
        return (nil, 0)
      }
      if cancelling { task.cancel() }
      let end = End(
        continuation: continuation, incoming: state.incoming, verdict: state.verdict)
      state = State()
      state.isOver = true
      return (end, task.taskIdentifier)
    }
    if end != nil { exchanges.remove(identifier) }
    return end
  }
}
