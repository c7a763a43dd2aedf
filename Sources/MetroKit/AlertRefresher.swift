internal import FieldCore

/// Fetches alerts from a source into a repository, each list completely or not at all.
///
/// There is at most one request, which belongs to the refresher and not to a run of the engine: a run
/// that has waited long enough ends without the alerts, which are stored when they arrive, and the
/// next run waits for the same request. The request is canceled with the last run that waits for it,
/// when the metro is erased or closed, and with the refresher.
final class AlertRefresher: Sendable {
  private typealias Outcome = Result<RefreshReport, any Error>
  private typealias Answer = (alerts: MetroAlerts, over: Snapshot<MetroAlerts>)

  /// A request in flight.
  private struct Request: Sendable {
    let number: Int
    let task: Task<Void, Never>
    /// Sends the outcome once, to all runs that wait for it.
    let outcome = Broadcast<Outcome>()
    var waiterCount = 0
  }

  private struct State: Sendable {
    var request: Request?
    var lastNumber = 0
    /// The reason why the last refresh failed; `nil` if it didn't.
    var lastFailure: FieldError?
  }

  /// How long a run waits, so that neither it nor the next poll is late. It is shorter than
  /// ``PollingPolicy/shortestInterval``.
  static let patience = Duration.milliseconds(3_900)

  private let source: any RecordSource<MetroAlerts>
  private let store: any AlertRepository
  private let clock: any FieldClock
  private let state = Lock(State())

  init(source: any RecordSource<MetroAlerts>, store: any AlertRepository, clock: any FieldClock) {
    self.source = source
    self.store = store
    self.clock = clock
  }

  deinit { abandon() }

  /// The part of the metro's engine, which is fetched on every visit.
  ///
  /// - Parameter changed: A closure to call after each attempt, so that listeners see its result.
  func part(changed: @escaping @Sendable () async -> Void) -> RefreshPart {
    RefreshPart("alerts", policy: .always, isMain: false) { [self] in
      let alerts = try await stored()
      return RefreshPart.Status(
        lastSuccess: alerts?.fetchedAt, isComplete: alerts != nil,
        recordCount: alerts?.alerts.count ?? 0)
    } work: { [self] _ in
      let request = join(changed)
      defer { leave(request) }
      if let report = try await outcome(of: request, within: Self.patience) { return report }
      let late = FieldError(
        .timeout,
        "The alerts haven't arrived within four seconds. They will be shown when they arrive.",
        operation: "metro.alerts")
      let isLate = state.withLock { state in
        guard state.request?.number == request.number else { return false }
        state.lastFailure = late
        return true
      }
      // The request may have ended just now.
      guard isLate else { return try await outcome(of: request) }
      await changed()
      throw late
    }
  }

  /// Deletes the alerts and forgets the last failure.
  func eraseAll() async throws {
    abandon(throwing: .erasedInRun)
    try await store.eraseAll()
    // Another run may have begun before the store was empty.
    abandon(throwing: .erasedInRun)
    state.withLock { $0.lastFailure = nil }
  }

  /// Cancels the request in flight, whose alerts are neither stored nor reported.
  ///
  /// - Parameter error: The error for the runs that wait for it. Defaults to a cancellation.
  func abandon(throwing error: FieldError? = nil) {
    guard let request = state.withLock({ $0.request.take() }) else { return }
    request.task.cancel()
    request.outcome.send(.failure(error ?? CancellationError()))
  }

  /// Returns the board together with the stored alerts, or with the reason if they can't be read.
  func adding(to board: ArrivalBoard) async -> ArrivalBoard {
    var board = board
    board.alertsFailure = state.withLock(\.lastFailure)
    do {
      board.alerts = try await stored()
    } catch {
      board.alertsFailure = board.alertsFailure ?? (error as? FieldError)
    }
    return board
  }

  private func stored() async throws -> MetroAlerts? {
    try await store.snapshot()[id: MetroAlerts.onlyID]
  }
}

// MARK: - The runs that wait

extension AlertRefresher {
  /// Returns the request in flight, which is sent if there is none.
  private func join(_ changed: @escaping @Sendable () async -> Void) -> Request {
    state.withLock { state in
      var request = state.request ?? send(number: state.lastNumber + 1, changed)
      request.waiterCount += 1
      state.lastNumber = request.number
      state.request = request
      return request
    }
  }

  /// Ends a run's wait, and cancels the request if the run was canceled and no other waits.
  private func leave(_ request: Request) {
    let isCancelled = Task.isCancelled
    let abandoned = state.withLock { state -> Task<Void, Never>? in
      guard state.request?.number == request.number else { return nil }
      state.request?.waiterCount -= 1
      guard isCancelled, state.request?.waiterCount == 0 else { return nil }
      return state.request.take()?.task
    }
    abandoned?.cancel()
  }

  /// Returns the outcome of a request, or `nil` if it takes longer than a run waits.
  private func outcome(
    of request: Request, within patience: Duration
  ) async throws -> RefreshReport? {
    try await withThrowingTaskGroup(of: RefreshReport?.self) { [clock] group in
      group.addTask { [self] in try await outcome(of: request) }
      group.addTask {
        try await clock.sleep(for: patience)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }

  private func outcome(of request: Request) async throws -> RefreshReport {
    if let (_, stream) = request.outcome.listen() {
      for await outcome in stream { return try outcome.get() }
    }
    throw CancellationError()
  }
}

// MARK: - The request

extension AlertRefresher {
  private func send(
    number: Int, _ changed: @escaping @Sendable () async -> Void
  ) -> Request {
    let task = Task { [weak self, source, store] in
      let answer = await Result<Answer, any Error> {
        let snapshot = try await store.snapshot()
        let batch = try await source.fetch(RecordRequest())
        var alerts = batch.records.last ?? MetroAlerts(alerts: [])
        alerts.failures += batch.failures
        return (alerts, snapshot)
      }
      await self?.finish(number, answer, changed)
    }
    return Request(number: number, task: task)
  }

  /// Stores the alerts, and shows the outcome to listeners before the runs that wait for it end.
  private func finish(
    _ number: Int, _ answer: Result<Answer, any Error>, _ changed: () async -> Void
  ) async {
    let outcome = await Result<RefreshReport, any Error> {
      do {
        try Task.checkCancellation()
        return try await keep(answer.get())
      } catch {
        throw FieldError.wrapping(
          error, as: .transport, "The alerts can't be refreshed.", operation: "metro.alerts")
      }
    }
    let request = state.withLock { state -> Request? in
      guard state.request?.number == number else { return nil }
      switch outcome {
      case .success: state.lastFailure = nil
      case .failure(let failure as FieldError): state.lastFailure = failure
      case .failure: break
      }
      return state.request.take()
    }
    guard let request else { return }
    await changed()
    request.outcome.send(outcome)
  }

  private func keep(_ answer: Answer) async throws -> RefreshReport {
    let date = clock.now
    var next = answer.alerts
    next.fetchedAt = date
    try await store.update(inRunFrom: answer.over.checkpoint) { [next] _, changes, checkpoint in
      changes.upsert(next)
      checkpoint = checkpoint ?? Checkpoint()
      checkpoint?.lastSuccess = date
    }
    // IDs may repeat in a list, so the last alert of each counts.
    let before = answer.over[id: MetroAlerts.onlyID]
    let old = Dictionary((before?.alerts ?? []).map { ($0.id, $0) }) { $1 }
    let new = Dictionary(next.alerts.map { ($0.id, $0) }) { $1 }
    let added = new.keys.count { old[$0] == nil }
    let updated = new.count { id, alert in old[id].map { $0 != alert } ?? false }
    let removed = old.keys.count { new[$0] == nil }
    return RefreshReport(
      outcome: added + updated + removed > 0 ? .updated : .unchanged,
      rows: next.alerts.count + next.failures.count, added: added, updated: updated,
      removed: removed, unchanged: new.count - added - updated, failures: next.failures,
      date: date)
  }
}
