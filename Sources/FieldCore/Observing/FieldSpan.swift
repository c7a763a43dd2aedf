/// An operation that reports to observers when it begins and ends.
///
/// If it ends without having begun, there was nothing to do, and nothing is reported.
package final class FieldSpan: Sendable {
  private enum Phase: Sendable {
    case waiting, running, over
  }

  private struct State: Sendable {
    var phase = Phase.waiting
    var start: Duration
  }

  private static let lastNumber = Lock(0)

  private let event: FieldEvent
  private let observers: [FieldObserver]
  private let clock: any FieldClock
  private let state: Lock<State>

  /// Creates an operation, or returns `nil` if it has no observers.
  package init?(
    _ name: FieldEvent.Name, of subject: String, part: String? = nil, in parent: FieldSpan? = nil,
    observers: [FieldObserver], clock: any FieldClock
  ) {
    guard !observers.isEmpty else { return nil }
    let number = Self.lastNumber.withLock { number in
      number += 1
      return number
    }
    event = FieldEvent(
      name, of: subject, part: part, operation: number, parent: parent?.event.operation,
      step: .began)
    self.observers = observers
    self.clock = clock
    state = Lock(State(start: clock.uptime))
  }

  /// Reports that the operation has begun, once.
  package func begin() {
    let isNew = state.withLock { state in
      guard state.phase == .waiting else { return false }
      state = State(phase: .running, start: clock.uptime)
      return true
    }
    if isNew { send(.began) }
  }

  /// Reports that the operation has succeeded, if it has begun.
  package func end(_ measures: [FieldEvent.Measure: Int] = [:], outcome: String? = nil) {
    guard let (phase, duration) = finish(), phase == .running else { return }
    send(.ended, outcome: outcome, duration: duration, measures: measures)
  }

  /// Reports that the operation has failed, unless it has ended before.
  ///
  /// If it was canceled before it began, nothing is reported.
  package func fail(_ error: any Error) {
    let isCancelled = error is CancellationError
    guard let (phase, duration) = finish(), phase == .running || !isCancelled else { return }
    if phase == .waiting { send(.began) }
    let code = (error as? FieldError)?.code
    send(isCancelled ? .cancelled : .failed, code: code, duration: duration)
  }

  /// Ends the operation without a report, unless it has begun.
  package func abandon() {
    state.withLock { if $0.phase == .waiting { $0.phase = .over } }
  }

  /// Reports something that happened at this moment within the operation, or instead of one.
  package func occur(
    _ name: FieldEvent.Name? = nil, code: FieldError.Code? = nil,
    measures: [FieldEvent.Measure: Int] = [:]
  ) {
    send(.occurred, name, code: code, measures: measures)
  }

  private func finish() -> (Phase, Duration)? {
    state.withLock { state in
      guard state.phase != .over else { return nil }
      defer { state.phase = .over }
      return (state.phase, clock.uptime - state.start)
    }
  }

  private func send(
    _ step: FieldEvent.Step, _ name: FieldEvent.Name? = nil, outcome: String? = nil,
    code: FieldError.Code? = nil, duration: Duration? = nil,
    measures: [FieldEvent.Measure: Int] = [:]
  ) {
    let event = FieldEvent(
      name ?? event.name, of: event.subject, part: event.part, operation: event.operation,
      parent: event.parent, step: step, outcome: outcome, code: code, duration: duration,
      measures: measures)
    for observer in observers { observer.send(event) }
  }
}

extension FieldSpan? {
  /// Runs a closure as the operation, and reports that it begins and how it ends.
  ///
  /// - Parameter measures: A closure that returns the quantities of a result.
  package func run<Result>(
    _ measures: (Result) -> [FieldEvent.Measure: Int] = { _ in [:] },
    _ body: () async throws -> Result
  ) async throws -> Result {
    try await reportingFailure {
      self?.begin()
      let result = try await body()
      self?.end(measures(result))
      return result
    }
  }

  /// Runs a closure, and reports its error as that of the operation.
  package func reportingFailure<Result>(
    _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch {
      self?.fail(error)
      throw error
    }
  }
}
