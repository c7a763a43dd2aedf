internal import Dispatch
internal import FieldCore
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// One task of the session, from its start to its answer: it waits for the one, collects the other,
/// and ends exactly once.
///
/// The lock is held while the task is started and cancelled, and while a callback of the delegate
/// decides that the exchange is over. A task is therefore never cancelled once the session has begun
/// to say that it has ended, which is what crashes on Linux. The continuation is resumed outside the
/// lock.
final class Exchange: Sendable {
  /// When the exchange is stopped with ``/FieldCore/FieldError/Code/timeout``.
  let deadline: DispatchTime
  private let request: TransportRequest
  private let exchanges: Exchanges
  private let state = Lock(State())

  private struct State {
    var task: URLSessionDataTask?
    var continuation: CheckedContinuation<TransportResponse, any Error>?
    var incoming = IncomingAnswer()
    /// Why the exchange is about to be stopped; what arrives from then on is dropped.
    var verdict: (any Error)?
    var isOver = false
  }

  init(_ request: TransportRequest, until deadline: DispatchTime, among exchanges: Exchanges) {
    self.request = request
    self.deadline = deadline
    self.exchanges = exchanges
  }

  /// Starts the task and waits for the answer; a redirect is an answer here.
  func run(_ task: URLSessionDataTask) async throws -> TransportResponse {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // In this order: from the second step on the deadline may end the exchange, and from the third
        // on the delegate looks for it.
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

  /// Ends the exchange with an error, soon; nothing when it is over.
  func stop(_ reason: any Error) {
    exchanges.queue.async { self.stopNow(reason) }
  }

  /// Ends the exchange with an error; only on the queue of the exchanges.
  func stopNow(_ reason: any Error) {
    guard let end = end(cancelling: true) else { return }
    end.incoming.discard()
    end.continuation.resume(throwing: reason)
  }

  // MARK: What the delegate reports

  /// The status and the fields are there.
  func receive(_ response: HTTPURLResponse) {
    collect { try $0.start(TransportResponse.Head(response), for: request) }
  }

  /// A piece of the body is there, decoded.
  func receive(_ data: Data) {
    collect { try $0.append(data, for: request) }
  }

  /// The answer is there without the rest of the body, if any: a redirect, or a refusal that the
  /// session would like to talk about. True when the exchange was not over before.
  func finish(early response: HTTPURLResponse) -> Bool {
    guard let end = end() else { return false }
    let result = Result {
      if let verdict = end.verdict { throw verdict }
      return try end.incoming.answer(endingEarly: TransportResponse.Head(response))
    }
    end.continuation.resume(with: result)
    return true
  }

  /// The session says that the task has ended.
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

  /// Takes what is needed for the end, once.
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
