import MeteorKit

/// A source that gives what the test says, and notes what it was asked.
final class FixedSource: RecordSource {
  private struct State: Sendable {
    var batches: [Result<Batch<Meteorite>, FieldError>]
    var requests: [RecordRequest] = []
  }

  let deletion: DeletionPolicy
  private let state: Lock<State>

  /// Gives the batches one after the other, the last one again and again.
  init(
    deletion: DeletionPolicy = .bySnapshot, _ batches: Result<Batch<Meteorite>, FieldError>...
  ) {
    self.deletion = deletion
    state = Lock(State(batches: batches))
  }

  /// Gives rows one after the other.
  convenience init(deletion: DeletionPolicy = .bySnapshot, json: String...) throws {
    try self.init(
      deletion: deletion, rows: json.map { try Batch<Meteorite>(reading: Array($0.utf8)) })
  }

  init(deletion: DeletionPolicy = .bySnapshot, rows: [Batch<Meteorite>]) {
    self.deletion = deletion
    state = Lock(State(batches: rows.map { .success($0) }))
  }

  var dataSource: DataSource? { .meteoriteLandings }
  var requests: [RecordRequest] { state.withLock(\.requests) }

  func fetch(_ request: RecordRequest) async throws -> Batch<Meteorite> {
    let batch = state.withLock { state in
      state.requests.append(request)
      return state.batches.count > 1 ? state.batches.removeFirst() : state.batches[0]
    }
    return try batch.get()
  }
}
