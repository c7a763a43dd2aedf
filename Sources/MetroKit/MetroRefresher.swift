internal import FieldCore
internal import FieldFoundation

/// Gets boards from a source into a repository: one at a time, each whole or not at all.
final class MetroRefresher: Sendable {
  private struct State: Sendable {
    var failures = 0
    var lastFailure: FieldError?
    var erasures = 0

    /// Nothing has failed since the last board came, or since all was forgotten.
    mutating func forgetFailures() { (failures, lastFailure) = (0, nil) }
  }

  private let source: any ArrivalSource
  private let repository: any ArrivalRepository
  private let clock: any FieldClock
  private let staleness: StalenessPolicy
  private let network: MetroNetwork
  private let flight = RefreshFlight(kit: "metro")
  private let state = Lock(State())
  /// Lets either a board be saved or all be erased, never one in the middle of the other.
  private let writing = Turnstile()
  /// Told of every board: a new one, a confirmed one, and the old one when a refresh has failed.
  let boards = Broadcast<ArrivalBoard>()

  init(
    source: any ArrivalSource, repository: any ArrivalRepository, clock: any FieldClock,
    staleness: StalenessPolicy, network: MetroNetwork
  ) {
    self.source = source
    self.repository = repository
    self.clock = clock
    self.staleness = staleness
    self.network = network
  }

  /// A refresh is always due, so one in flight is as good as any other.
  func refresh() async throws -> RefreshReport {
    try await flight.run(onFailure: { [self] failure in await note(failure) }) { [self] broadcast in
      try await run(telling: broadcast)
    }
  }

  func steps() -> RefreshSteps { flight.steps() }

  /// How many refreshes in a row have failed.
  var failures: Int { state.withLock(\.failures) }

  /// Forgets the board, and shows that to all who listen. A refresh in flight stores nothing any more.
  func eraseAll() async throws {
    try await writing.pass {
      state.withLock { $0.erasures += 1 }
      try await repository.eraseAll()
    }
    state.withLock { $0.forgetFailures() }
    boards.tell(dressed(.empty(asOf: clock.now)))
  }

  func close() {
    flight.close()
    boards.close()
  }

  /// The last board, as it looks now.
  func board() async throws -> ArrivalBoard {
    let stored = try await FieldError.wrapping(
      "the last board cannot be read", operation: "metro.board"
    ) { try await repository.load() }
    return dressed(stored ?? .empty(asOf: clock.now))
  }

  /// The last board as it looks now; an empty one that says why when it cannot be read.
  func boardOrFailure() async -> ArrivalBoard {
    do {
      return try await board()
    } catch {
      var board = dressed(.empty(asOf: clock.now))
      board.lastFailure = board.lastFailure ?? (error as? FieldError)
      return board
    }
  }

  private func dressed(_ board: ArrivalBoard) -> ArrivalBoard {
    var board = board.judged(asOf: clock.now)
    board.policy = staleness
    board.network = network
    board.lastFailure = state.withLock(\.lastFailure)
    return board
  }

  // MARK: One run

  private func run(telling broadcast: RefreshBroadcast) async throws -> RefreshReport {
    let (board, report) = try await work(telling: broadcast)
    state.withLock { $0.forgetFailures() }
    boards.tell(dressed(board))
    return report
  }

  private func note(_ failure: FieldError) async {
    state.withLock { state in
      state.failures += 1
      state.lastFailure = failure
    }
    boards.tell(await boardOrFailure())
  }

  private func work(
    telling broadcast: RefreshBroadcast
  ) async throws -> (ArrivalBoard, RefreshReport) {
    let erasures = state.withLock(\.erasures)
    let before = try await repository.load()
    broadcast.tell(.requesting, 0.05)
    let isOfThisReader = before?.readBy == ArrivalBoard.reader(network)
    let delivery = try await source.fetch(
      ArrivalRequest(validators: isOfThisReader ? before?.validators ?? [:] : [:]))
    let fetchedAt = clock.now
    try Task.checkCancellation()
    broadcast.tell(.reading, 0.6)
    let (board, report) = try compare(delivery, at: fetchedAt, with: before)
    broadcast.tell(.storing, 0.9)
    try await writing.pass {
      guard state.withLock(\.erasures) == erasures else {
        throw FieldError(
          .conflict, "the board was erased while a new one was on its way; refresh once more")
      }
      try await repository.save(board)
    }
    return (board, report)
  }

  private func compare(
    _ delivery: ArrivalDelivery, at date: Date, with before: ArrivalBoard?
  ) throws -> (ArrivalBoard, RefreshReport) {
    guard let rows = delivery.rows else {
      let before = before ?? .empty(asOf: date, network: network)
      let board = before.confirmed(
        at: date, serverDate: delivery.serverDate, validators: delivery.validators)
      let report = RefreshReport(
        outcome: .notModified, unchanged: board.arrivals.count, origin: delivery.origin,
        date: date)
      return (board, report)
    }
    try rejectUseless(rows.arrivals, rows.failures, over: before)
    let next = ArrivalBoard(
      rows.arrivals, fetchedAt: date, serverDate: delivery.serverDate, origin: delivery.origin,
      failures: rows.failures, validators: delivery.validators, policy: staleness,
      network: network)
    let board = before?.followed(by: next) ?? next
    let changes = next.changes(since: before ?? .empty(asOf: date, network: network))
    let report = RefreshReport(
      outcome: changes.isEmpty ? .unchanged : .updated,
      rows: rows.arrivals.count + rows.failures.count, added: changes.arrived.count,
      updated: changes.updated.count, removed: changes.left.count,
      unchanged: changes.unchangedCount, failures: rows.failures, origin: delivery.origin,
      date: date)
    return (board, report)
  }

  /// An answer without a row is no board: the last one stays, and grows stale in sight of everybody.
  private func rejectUseless(
    _ arrivals: [Arrival], _ failures: [RowFailure], over before: ArrivalBoard?
  ) throws {
    guard arrivals.isEmpty else { return }
    if let first = failures.first {
      throw FieldError(
        .malformed,
        "none of the \(failures.count) rows can be read as an arrival; the first: \(first)")
    }
    let kept = before.map { "the last board, of \($0.arrivals.count) rows, is kept as it was" }
    throw FieldError(
      .emptyFeed,
      """
      the feed gave no rows at all; \(kept ?? "there is no board yet"). At night, when no trains run, \
      that is to be expected; else check the source.
      """)
  }
}
