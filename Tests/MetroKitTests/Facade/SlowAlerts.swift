import FieldCore
import MetroKit

/// A source of alerts that answers when the test says so.
final class SlowAlerts: RecordSource {
  private typealias Caller = CheckedContinuation<MetroAlerts, any Error>

  private struct State {
    var callers: [Int: Caller] = [:]
    var count = 0
    var cancellations = 0
  }

  private let state = Lock(State())
  private let ignoresCancellation: Bool

  init(ignoresCancellation: Bool = false) { self.ignoresCancellation = ignoresCancellation }

  /// The number of requests.
  var count: Int { state.withLock(\.count) }
  /// The number of requests that were canceled before their answer.
  var cancellations: Int { state.withLock(\.cancellations) }
  var dataSource: DataSource? { .tdxMetro }

  func answer(_ result: Result<MetroAlerts, FieldError>) {
    let callers = state.withLock { state in
      defer { state.callers = [:] }
      return state.callers.values
    }
    for caller in callers { caller.resume(with: result.mapError { $0 as any Error }) }
  }

  func fetch(_ request: RecordRequest) async throws -> Batch<MetroAlerts> {
    Batch(records: [try await alerts()])
  }

  private func alerts() async throws -> MetroAlerts {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { caller in
        let isCancelled = state.withLock { state in
          if Task.isCancelled, !ignoresCancellation { return true }
          state.callers[number] = caller
          return false
        }
        if isCancelled { caller.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let caller = state.withLock { state in
        state.cancellations += 1
        return ignoresCancellation ? nil : state.callers.removeValue(forKey: number)
      }
      caller?.resume(throwing: CancellationError())
    }
  }
}
