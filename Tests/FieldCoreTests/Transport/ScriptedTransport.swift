import FieldCore
import Foundation
import TestSupport

/// A transport that gives its outcomes one after the other, the last again and again.
final class ScriptedTransport: Transport {
  typealias Outcome = @Sendable (TransportRequest) async throws -> TransportResponse

  private let outcomes: [Outcome]
  private let seen = Lock<[TransportRequest]>([])

  init(_ outcomes: Outcome...) { self.outcomes = outcomes }

  var requests: [TransportRequest] { seen.withLock { $0 } }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let index = seen.withLock { seen in
      seen.append(request)
      return seen.count - 1
    }
    return try await outcomes[min(index, outcomes.count - 1)](request)
  }

  static func status(
    _ status: Int, _ fields: HTTPHeaderFields = [:], body: String = ""
  ) -> Outcome {
    { _ in TransportResponse(status: status, fields: fields, body: .text(body)) }
  }

  static func error(_ error: any Error) -> Outcome { { _ in throw error } }

  static func error(_ code: FieldError.Code) -> Outcome { error(FieldError(code, "as told")) }
}

/// A transport whose exchanges last until the test ends them.
final class GatedTransport: Transport {
  private struct State {
    var count = 0
    var cancelled = 0
    var open: [Int: CheckedContinuation<TransportResponse, any Error>] = [:]
  }

  private let state = Lock(State())

  /// How many exchanges have begun.
  var count: Int { state.withLock(\.count) }
  /// How many were cancelled while they ran.
  var cancelledCount: Int { state.withLock(\.cancelled) }
  /// How many are running.
  var openCount: Int { state.withLock(\.open.count) }

  func end(_ outcome: Result<TransportResponse, any Error>) {
    let open = state.withLock { state in
      defer { state.open = [:] }
      return state.open.values
    }
    for continuation in open { continuation.resume(with: outcome) }
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          if Task.isCancelled { return true }
          state.open[number] = continuation
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        state.cancelled += 1
        return state.open.removeValue(forKey: number)
      }
      continuation?.resume(throwing: CancellationError())
    }
  }
}

extension TransportRequest {
  /// A request of the tests.
  static func test(
    _ method: Method = .get, _ url: String = "http://field.test/rows",
    fields: HTTPHeaderFields = [:],
    body: TransportBody? = nil, destination: Destination = .memory, isIdempotent: Bool? = nil
  ) -> TransportRequest {
    TransportRequest(
      method, url: address(url), fields: fields, body: body, destination: destination,
      operation: "test.rows", isIdempotent: isIdempotent)
  }
}
