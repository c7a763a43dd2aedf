internal import FieldCore
internal import FieldFoundation

/// Fetches boards from a source into a repository, one at a time, each completely or not at all.
final class MetroRefresher: Sendable {
  private let source: any RecordSource<Arrival>
  private let store: any ArrivalRepository
  private let clock: any FieldClock
  private let staleness: StalenessPolicy
  private let network: MetroNetwork
  private let alerts: AlertRefresher?
  private let timetables: TimetableRefresher?
  /// The reason why the last refresh failed; `nil` if it didn't.
  private let lastFailure = Lock<FieldError?>(nil)
  /// Sends every board: a new one, a confirmed one, and the old one after a failed refresh.
  let boards = Broadcast<ArrivalBoard>()

  init(
    source: any RecordSource<Arrival>, store: any ArrivalRepository, clock: any FieldClock,
    staleness: StalenessPolicy, network: MetroNetwork, alerts: AlertRefresher? = nil,
    timetables: TimetableRefresher? = nil
  ) {
    self.source = source
    self.store = store
    self.clock = clock
    self.staleness = staleness
    self.network = network
    self.alerts = alerts
    self.timetables = timetables
  }

  static let partName = "arrivals"

  /// The parts of the metro's engine. Arrivals and alerts are fetched on every visit, arrivals first, so that they
  /// never wait for the others.
  var parts: [RefreshPart] {
    // Late alerts don't keep a metro that nobody uses anymore.
    let changed: @Sendable () async -> Void = { [weak self] in
      if let self { boards.send(await boardOrFailure()) }
    }
    return [part]
      + [alerts?.part(changed: changed), timetables?.part(changed: changed)].compactMap(\.self)
  }

  private var part: RefreshPart {
    RefreshPart(Self.partName, policy: .always) { [self] in
      let fetchedAt = try await stored()?.fetchedAt
      return RefreshPart.Status(lastSuccess: fetchedAt, isComplete: fetchedAt != nil)
    } work: { [self] progress in
      do {
        let (board, report) = try await work(progress)
        lastFailure.withLock { $0 = nil }
        boards.send(await decorated(board))
        return report
      } catch {
        let wrapped = FieldError.wrapping(
          error, as: .transport, "The arrivals can't be refreshed.", operation: "metro.refresh")
        await note(wrapped)
        throw wrapped
      }
    }
  }

  /// Shows all listeners the error, unless it was a cancellation.
  func note(_ error: any Error) async {
    guard let failure = error as? FieldError else { return }
    lastFailure.withLock { $0 = failure }
    boards.send(await boardOrFailure())
  }

  /// Shows all listeners that the board was erased.
  func erased() async {
    lastFailure.withLock { $0 = nil }
    boards.send(await decorated(.empty(asOf: clock.now)))
  }

  private func stored() async throws -> ArrivalBoard? {
    try await store.snapshot()[id: ArrivalBoard.onlyID]
  }

  /// Returns the last board as it looks now.
  func board() async throws -> ArrivalBoard {
    let board = try await FieldError.wrapping(
      "The last board can't be read.", operation: "metro.board"
    ) { try await stored() }
    return await decorated(board ?? .empty(asOf: clock.now))
  }

  /// Returns the last board as it looks now, or an empty one with the reason if it can't be read.
  func boardOrFailure() async -> ArrivalBoard {
    do {
      return try await board()
    } catch {
      var board = await decorated(.empty(asOf: clock.now))
      board.lastFailure = board.lastFailure ?? (error as? FieldError)
      return board
    }
  }

  private func decorated(_ board: ArrivalBoard) async -> ArrivalBoard {
    var board = board.evaluatingFreshness(at: clock.now)
    board.policy = staleness
    board.network = network
    board.lastFailure = lastFailure.withLock { $0 }
    board = await alerts?.adding(to: board) ?? board
    return await timetables?.adding(to: board) ?? board
  }

  // MARK: One run

  private func work(
    _ progress: RefreshPart.Progress
  ) async throws -> (ArrivalBoard, RefreshReport) {
    let snapshot = try await store.snapshot()
    let before = snapshot[id: ArrivalBoard.onlyID]
    let isOfThisReader = before?.readBy == ArrivalBoard.reader(network)
    let batch = try await source.fetch(
      RecordRequest(validators: isOfThisReader ? before?.validators ?? [:] : [:]))
    let fetchedAt = clock.now
    try Task.checkCancellation()
    progress.send(.reading, 0.6)
    let (board, report) = try compare(batch, at: fetchedAt, with: before)
    progress.send(.storing, 0.9)
    try await store.update(inRunFrom: snapshot.checkpoint) { _, changes, checkpoint in
      changes.upsert(board)
      checkpoint = checkpoint ?? Checkpoint()
      checkpoint?.lastSuccess = fetchedAt
    }
    return (board, report)
  }

  private func compare(
    _ batch: Batch<Arrival>, at date: Date, with before: ArrivalBoard?
  ) throws -> (ArrivalBoard, RefreshReport) {
    let earlier = before ?? .empty(asOf: date, network: network)
    let facts = batch.facts
    guard !facts.isNotModified else {
      let board = earlier.confirmed(
        at: date, serverDate: facts.serverDate, validators: facts.validators)
      let report = RefreshReport(
        outcome: .notModified, unchanged: board.arrivals.count, origin: facts.origin,
        date: date)
      return (board, report)
    }
    try rejectUseless(batch, over: before)
    let next = ArrivalBoard(
      batch.records, fetchedAt: date, serverDate: facts.serverDate, origin: facts.origin,
      failures: batch.failures, validators: facts.validators, policy: staleness,
      network: network)
    let changes = next.changes(since: earlier)
    let report = RefreshReport(
      outcome: changes.isEmpty ? .unchanged : .updated,
      rows: batch.records.count + batch.failures.count, added: changes.arrived.count,
      updated: changes.updated.count, removed: changes.left.count,
      unchanged: changes.unchangedCount, failures: batch.failures, origin: facts.origin,
      date: date)
    return (earlier.followed(by: next), report)
  }

  /// Throws an error if there are no rows. The last board stays, and visibly grows stale.
  private func rejectUseless(_ batch: Batch<Arrival>, over before: ArrivalBoard?) throws {
    guard batch.records.isEmpty else { return }
    if let first = batch.failures.first {
      throw FieldError(
        .malformed,
        "None of the \(batch.failures.count) rows can be read as an arrival. The first: \(first)")
    }
    throw Batch<Arrival>.noRows(
      before.map { " The last board with \($0.arrivals.count) rows is kept." } ?? "")
  }
}
