import FieldFakes
import Foundation
import MetroKit
import TestSupport

/// A source that gives what the test says, and counts how often it was asked.
final class ScriptedFeed: RecordSource {
  enum Step: Sendable {
    /// These rows.
    case rows([Arrival])
    /// Nothing newer.
    case notModified
    /// This error.
    case failure(FieldError)
    /// Nothing before the gate opens, and then these rows.
    case gate(Gate, [Arrival])
  }

  /// Opens when told to.
  final class Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    init() { (stream, continuation) = AsyncStream.makeStream() }
    func open() { continuation.finish() }
    func pass() async throws {
      for await _ in stream {}
      try Task.checkCancellation()
    }
  }

  private struct State: Sendable {
    var steps: [Step]
    var requests: [RecordRequest] = []
    var cancelled = 0
  }

  private let state: Lock<State>
  private let serverDate: @Sendable () -> Date?

  /// Gives the steps one after the other, the last one again and again.
  init(_ steps: Step..., serverDate: @escaping @Sendable () -> Date? = { nil }) {
    state = Lock(State(steps: steps))
    self.serverDate = serverDate
  }

  var dataSource: DataSource? { .boardRows }
  var requests: [RecordRequest] { state.withLock(\.requests) }
  var count: Int { requests.count }
  /// How many requests were cancelled under way.
  var cancelled: Int { state.withLock(\.cancelled) }

  func fetch(_ request: RecordRequest) async throws -> Batch<Arrival> {
    let step = state.withLock { state in
      state.requests.append(request)
      return state.steps.count > 1 ? state.steps.removeFirst() : state.steps[0]
    }
    switch step {
    case .rows(let rows): return delivery(rows)
    case .notModified: return notModified()
    case .failure(let error): throw error
    case .gate(let gate, let rows):
      do {
        try await gate.pass()
      } catch {
        state.withLock { $0.cancelled += 1 }
        throw error
      }
      return delivery(rows)
    }
  }

  private func notModified() -> Batch<Arrival> {
    var batch = Batch<Arrival>.notModified()
    batch.facts.serverDate = serverDate()
    return batch
  }

  private func delivery(_ rows: [Arrival]) -> Batch<Arrival> {
    var batch = BoardRows.rows(rows)
    batch.facts.serverDate = serverDate()
    return batch
  }
}

extension DataSource {
  /// The source of what the tests write down.
  static var boardRows: DataSource {
    DataSource(
      name: "Rows of a test", chineseName: "測試", publisher: "nobody",
      page: address("https://example.org"),
      license: "none", attribution: "nobody")
  }
}
