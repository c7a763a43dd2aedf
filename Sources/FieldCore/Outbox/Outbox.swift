public import FieldFoundation

/// A durable queue of operations that are sent to a server, exactly once and in order.
///
/// ```swift
/// let outbox = Outbox(store: storage.store("reports", of: ReportRecord.self), target: cityHall)
/// try await outbox.update { reports, changes in
///   changes.upsert(.report(report))
///   changes.enqueue(report, lane: "report/\(report.id)")
/// }
/// try await outbox.run()  // sends until its task is canceled
/// ```
///
/// An operation is committed in one step with the records that it concerns, so after a crash either
/// both exist or neither does. It leaves the outbox only when the server has applied it, or when
/// you discard it. If an outcome is unknown, because a response was lost or the process ended, the
/// outbox asks the server. The guarantee depends on the server; the target declares it as its
/// ``OutboxDelivery``.
///
/// Creating an outbox does no I/O. Several outboxes can share a store, also in several processes;
/// only one of them at a time sends an operation. For a complete example, see
/// <doc:Writing-while-offline>.
public final class Outbox<Record: OutboxRecord>: Sendable {
  /// The operation to send to the server.
  public typealias Payload = Record.Payload
  /// An operation of the outbox.
  public typealias Operation = OutboxOperation<Payload>

  package let store: any RecordStore<Record>
  let endpoint: OutboxEndpoint<Record>
  let sender: OutboxSender
  private let merge: OutboxChanges<Record>.Merge
  let schedule = Lock(OutboxSchedule<Record>())
  /// Wakes the tasks that wait for something to send.
  let wakeups = Broadcast<Void>()

  /// Creates an outbox that changes records after the server has applied an operation.
  ///
  /// ```swift
  /// Outbox(store: store, target: cityHall) { operation, receipt, reports, changes in
  ///   changes.upsert(.report(operation.payload.numbered(receipt)))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - store: The store of the operations and the records that they concern.
  ///   - target: The server that the operations are sent to.
  ///   - policy: The delays between attempts and the maximum concurrency.
  ///   - clock: The clock to use.
  ///   - merging: Returns one payload that replaces two consecutive ones in a lane, or `nil` if
  ///     both have to be sent. By default, nothing is merged.
  ///   - random: Returns a number from 0 through 1 for each delay.
  ///   - completion: Changes the records after the server has applied an operation, in the commit
  ///     that removes the operation. It may run more than once, so it must not have other side
  ///     effects.
  public init<Target: OutboxTarget<Payload>>(
    store: any RecordStore<Record>, target: Target, policy: OutboxPolicy = OutboxPolicy(),
    clock: any FieldClock = .system,
    merging: @escaping @Sendable (_ earlier: Payload, _ later: Payload) -> Payload? = { _, _ in nil
    },
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
    // Without a default, so that a trailing closure is this one.
    completion:
      @escaping @Sendable (
        _ operation: Operation, _ receipt: Target.Receipt, _ snapshot: Snapshot<Record>,
        _ changes: inout OutboxChanges<Record>
      ) -> Void
  ) {
    self.store = store
    sender = OutboxSender(policy: policy, clock: clock, random: random)
    merge = merging
    endpoint = OutboxEndpoint(target, completion)
  }

  /// Creates an outbox whose records don't change when the server has applied an operation.
  ///
  /// - Parameters:
  ///   - store: The store of the operations and the records that they concern.
  ///   - target: The server that the operations are sent to.
  ///   - policy: The delays between attempts and the maximum concurrency.
  ///   - clock: The clock to use.
  ///   - merging: Returns one payload that replaces two consecutive ones in a lane, or `nil` if
  ///     both have to be sent. By default, nothing is merged.
  ///   - random: Returns a number from 0 through 1 for each delay.
  public convenience init(
    store: any RecordStore<Record>, target: some OutboxTarget<Payload>,
    policy: OutboxPolicy = OutboxPolicy(), clock: any FieldClock = .system,
    merging: @escaping @Sendable (_ earlier: Payload, _ later: Payload) -> Payload? = { _, _ in nil
    },
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.init(
      store: store, target: target, policy: policy, clock: clock, merging: merging, random: random
    ) { _, _, _, _ in }
  }

  /// Changes records and operations in one step.
  ///
  /// ```swift
  /// try await outbox.update { reports, changes in
  ///   changes.upsert(.report(report))
  ///   changes.enqueue(report, lane: "report/\(report.id)")
  /// }
  /// ```
  ///
  /// When the method returns, the changes are durable.
  ///
  /// - Parameter body: Makes the changes, given the store's content. It may run more than once,
  ///   so it must not have other side effects.
  /// - Returns: The revision that contains the changes.
  /// - Throws: An error from `body` or from the store; nothing has been changed then.
  @discardableResult
  public func update(
    _ body: (Snapshot<Record>, inout OutboxChanges<Record>) throws -> Void
  ) async throws -> Revision {
    let revision = try await store.update { snapshot, changes in
      let index = schedule.withLock { $0.index(of: snapshot) }
      var batch = OutboxChanges(over: index, at: sender.clock.now, merge: merge)
      try body(snapshot, &batch)
      changes = try batch.finished()
    }
    wakeups.send()
    return revision
  }

  /// Returns the operations that the server hasn't applied.
  @concurrent
  public func pending() async throws -> OutboxView<Payload> {
    let snapshot = try await store.snapshot()
    return OutboxView(schedule.withLock { $0.index(of: snapshot) })
  }

  /// Returns the operations that the server hasn't applied, now and after each change.
  ///
  /// Slow consumers skip intermediate states, but never miss the latest.
  public func updates() -> ViewUpdates<OutboxView<Payload>> {
    SnapshotUpdates(following: { [store] in store.updates() }).scan(OutboxProgress<Record>()) {
      (progress: inout OutboxProgress<Record>, snapshot) in progress.view(of: snapshot)
    }
  }

  /// Changes the payload of an operation, and sends it as soon as possible:
  /// see ``OutboxChanges/edit(_:_:)``.
  public func edit(_ id: UUID, _ body: (inout Payload) throws -> Void) async throws {
    try await update { _, changes in try changes.edit(id, body) }
  }

  /// Sends an operation as soon as possible: see ``OutboxChanges/resend(_:)``.
  public func resend(_ id: UUID) async throws {
    try await update { _, changes in try changes.resend(id) }
  }

  /// Removes an operation without sending it: see ``OutboxChanges/discard(_:)``.
  public func discard(_ id: UUID) async throws {
    try await update { _, changes in try changes.discard(id) }
  }
}

/// The target of an outbox, and the completion of its operations.
struct OutboxEndpoint<Record: OutboxRecord>: Sendable {
  typealias Operation = OutboxOperation<Record.Payload>
  typealias Completion = @Sendable (Snapshot<Record>, inout OutboxChanges<Record>) -> Void

  let delivery: OutboxDelivery
  let send: @Sendable (Operation) async throws -> Completion
  let status: @Sendable (Operation) async throws -> OutboxStatus<Completion>
  let failure: @Sendable (any Error) -> OutboxFailure

  init<Target: OutboxTarget<Record.Payload>>(
    _ target: Target,
    _ completion:
      @escaping @Sendable (
        Operation, Target.Receipt, Snapshot<Record>, inout OutboxChanges<Record>
      ) -> Void
  ) {
    delivery = target.delivery
    send = { operation in
      let receipt = try await target.send(operation)
      return { completion(operation, receipt, $0, &$1) }
    }
    status = { operation in
      switch try await target.status(of: operation) {
      case .applied(let receipt): .applied { completion(operation, receipt, $0, &$1) }
      case .notApplied: .notApplied
      case .unknown: .unknown
      }
    }
    failure = { target.failure(for: $0) }
  }
}

/// The views of one iteration of updates.
private struct OutboxProgress<Record: OutboxRecord>: Sendable {
  private var index: OutboxIndex<Record>?
  private var newest: OutboxView<Record.Payload>?

  /// Returns the view of a snapshot, or `nil` if its operations haven't changed.
  mutating func view(of snapshot: Snapshot<Record>) -> OutboxView<Record.Payload>? {
    guard index?.follow(snapshot) != false else { return nil }
    let index = index ?? OutboxIndex(of: snapshot)
    self.index = index
    newest = OutboxView(index, after: newest)
    return newest
  }
}

// MARK: - Attempts

extension Outbox {
  /// Sends an operation that is marked as being sent, and records the outcome.
  func send(_ operation: Operation) async throws {
    switch await result(of: { try await self.endpoint.send(operation) }) {
    case .success(let completion): try await complete(operation, completion)
    case .failure(let error): try await fail(operation, error, isAsking: false)
    }
  }

  /// Asks the server whether it has applied an operation, and sends it again if not.
  func ask(_ operation: Operation) async throws {
    switch await result(of: { try await self.endpoint.status(operation) }) {
    case .success(.applied(let completion)):
      try await complete(operation, completion)
    case .success(.unknown) where endpoint.delivery.hasReceipts && !isExpired(operation):
      let error = FieldError(
        .outcomeUnknown, "The server can't tell yet whether it has applied the operation.")
      try await fail(operation, error, isAsking: true)
    case .success:
      if let operation = try await reclaim(operation) { try await send(operation) }
    case .failure(let error):
      try await fail(operation, error, isAsking: true)
    }
  }

  /// Makes a request, and repeats it once if the server needs a new token.
  private func result<Success: Sendable>(
    of request: @Sendable () async throws -> Success
  ) async -> Result<Success, any Error> {
    var result = await Result(catching: request)
    if case .failure(let error) = result, meaning(of: error) == .unauthorized {
      result = await Result(catching: request)
    }
    return result
  }

  private func meaning(of error: any Error) -> OutboxFailure {
    error is CancellationError ? .unknown : endpoint.failure(error)
  }

  private func isExpired(_ operation: Operation) -> Bool {
    guard let lifetime = endpoint.delivery.lifetime, let first = operation.firstAttempt else {
      return false
    }
    return sender.clock.now.timeIntervalSince(first) > lifetime / .seconds(1)
  }

  /// Marks an operation as being sent again, unless another outbox has done so in the meantime.
  private func reclaim(_ operation: Operation) async throws -> Operation? {
    var claimed: Operation?
    try await update { _, changes in
      claimed = nil
      guard var current = changes[operation.id], current.isSameAttempt(as: operation) else {
        return
      }
      if isExpired(current) {
        let error = FieldError(
          .outcomeUnknown,
          "The server no longer knows whether it has applied the operation. Check, and then resend or discard it."
        )
        current.fail(.rejected, error, isCounted: false, next: nil)
      } else {
        current.begin(sender.lease(), at: sender.clock.now)
        claimed = current
      }
      changes.put(current)
    }
    return claimed
  }

  /// Removes an operation that the server has applied.
  private func complete(
    _ operation: Operation, _ completion: @escaping OutboxEndpoint<Record>.Completion
  ) async throws {
    try await record { snapshot, changes in
      guard let current = changes[operation.id], current.key == operation.key else { return }
      changes.removeOperation(current)
      completion(snapshot, &changes)
    }
  }

  /// Records the failure of an attempt, or of a question about one.
  private func fail(_ operation: Operation, _ error: any Error, isAsking: Bool) async throws {
    let meaning = meaning(of: error)
    var (state, isCounted) = (Operation.State.waiting, true)
    var delay = sender.policy.delay(
      afterFailures: operation.attempts + 1, random: sender.random())
    switch meaning {
    case .notApplied: break
    case .unknown: state = .unsure
    case .rejected: state = .rejected
    case .unauthorized: (delay, isCounted) = (sender.policy.maximumDelay, false)
    case .rateLimited(let retryAfter):
      delay = max(
        delay, min(retryAfter ?? sender.policy.maximumDelay, sender.policy.maximumRetryAfter))
    }
    if error is CancellationError { (delay, isCounted) = (.zero, false) }
    // A response to the question says nothing about the operation.
    if isAsking { state = .unsure }
    let (now, uptime) = (sender.clock.now, sender.clock.uptime + delay)
    let next = state == .rejected ? nil : now.addingTimeInterval(delay / .seconds(1))
    schedule.withLock { schedule in
      if case .rateLimited = meaning { schedule.heldUntil = max(schedule.heldUntil, uptime) }
      if let next { schedule.setDue(operation.id, next, uptime) }
    }
    let stored = FieldError.stored(error)
    try await record { [state, isCounted] _, changes in
      guard var current = changes[operation.id], current.isSameAttempt(as: operation) else {
        return
      }
      current.fail(state, stored, isCounted: isCounted, next: next)
      changes.put(current)
    }
  }

  /// Records a server's response, even if the task has been canceled in the meantime.
  private func record(
    _ body: @escaping @Sendable (Snapshot<Record>, inout OutboxChanges<Record>) -> Void
  ) async throws {
    _ = try await Task { try await self.update { body($0, &$1) } }.value
  }
}

extension OutboxOperation {
  /// Returns a Boolean value that indicates whether the operation hasn't been sent, edited, or
  /// resent since.
  fileprivate func isSameAttempt(as earlier: Self) -> Bool {
    key == earlier.key && state == earlier.state && lease == earlier.lease
  }
}

extension OutboxDelivery {
  /// A Boolean value that indicates whether the server can report what it has applied.
  fileprivate var hasReceipts: Bool { if case .receipts = self { true } else { false } }
}

extension FieldError {
  /// Returns an error as it will be read from the store, without secrets.
  fileprivate static func stored(_ error: any Error) -> FieldError {
    let error =
      error is CancellationError
      ? FieldError(.transport, "The attempt was canceled.")
      : (error as? FieldError)
        ?? FieldError(.transport, "The attempt failed.", underlying: error)
    let decoded = try? StoredJSON.decode(Self.self, from: StoredJSON.encode(error)[...])
    return decoded ?? FieldError(error.code, error.message)
  }
}

// MARK: - Sending

extension Outbox {
  /// Sends operations and waits for new ones until the task is canceled.
  ///
  /// ```swift
  /// .task { try? await outbox.run() }
  /// ```
  ///
  /// Operations that another process adds are sent after the next change that this process makes or
  /// sees; call ``send(_:)`` when the app becomes active.
  ///
  /// - Throws: `CancellationError`, or an error from the store. Server errors aren't thrown; they
  ///   are part of ``pending()``.
  @concurrent
  public func run() async throws { try await drain(isEndless: true) }

  /// Sends the operations that are due, each at most once, and returns the remaining ones.
  ///
  /// Use it where ``run()`` isn't possible, such as in a background task, and schedule the next
  /// call at ``OutboxView/nextAttempt``.
  ///
  /// - Parameter when: Pass ``RefreshTrigger/now`` to include operations that wait after a failed
  ///   attempt.
  /// - Throws: `CancellationError`, or an error from the store.
  @concurrent
  @discardableResult
  public func send(_ when: RefreshTrigger = .ifDue) async throws -> OutboxView<Payload> {
    if when.isForced {
      let snapshot = try await store.snapshot()
      schedule.withLock { $0.makeDue(in: snapshot) }
    }
    try await drain(isEndless: false)
    return try await pending()
  }

  private func drain(isEndless: Bool) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      if isEndless { group.addTask { try await self.follow() } }
      var tried: Set<UUID> = []
      // A store error in one of the tasks cancels the group.
      while !group.isCancelled {
        let count = wakeups.count
        // What ends during the claim may make others due that the plan doesn't have.
        let wasIdle = schedule.withLock(\.inFlight.isEmpty)
        let plan = try await claim(skipping: tried)
        for operation in plan.operations {
          if !isEndless { tried.insert(operation.id) }
          group.addTask { try await self.attempt(operation) }
        }
        guard plan.operations.isEmpty else { continue }
        if !isEndless && wasIdle && schedule.withLock(\.inFlight.isEmpty) { return }
        try await pause(after: count, until: isEndless ? plan.next : nil)
      }
    }
    try Task.checkCancellation()
  }

  /// Wakes the waiting tasks after each change of the store, and when it is closed.
  private func follow() async throws {
    defer { wakeups.send() }
    for try await _ in store.updates() { wakeups.send() }
  }

  /// Waits until a wakeup after `count` others, or until an operation is due.
  private func pause(after count: Int, until uptime: Duration?) async throws {
    guard let stream = wakeups.listen(after: count)?.stream else { return }
    let clock = sender.clock
    try await withThrowingTaskGroup { group in
      group.addTask { for await _ in stream { return } }
      if let uptime { group.addTask { try await clock.sleep(for: uptime - clock.uptime) } }
      try await group.next()
      group.cancelAll()
    }
    try Task.checkCancellation()
  }

  /// Claims the operations that are due, and marks those to send, in one commit.
  private func claim(skipping tried: Set<UUID>) async throws -> OutboxSchedule<Record>.Plan {
    let snapshot = try await store.snapshot()
    var plan = schedule.withLock { $0.plan(for: snapshot, by: sender, skipping: tried) }
    guard !plan.operations.isEmpty else { return plan }
    plan.operations = []
    do {
      try await store.update { snapshot, changes in
        release(plan.operations)
        plan = schedule.withLock { schedule in
          let plan = schedule.plan(for: snapshot, by: sender, skipping: tried)
          schedule.inFlight.formUnion(plan.operations.map(\.id))
          return plan
        }
        for place in plan.operations.indices {
          guard plan.operations[place].state == .waiting else {
            // It was sent before, and its outcome wasn't recorded.
            plan.operations[place].isInDoubt = true
            continue
          }
          plan.operations[place].begin(sender.lease(), at: sender.clock.now)
          changes.upsert(.operation(plan.operations[place]))
        }
      }
    } catch {
      release(plan.operations)
      throw error
    }
    return plan
  }

  private func release(_ operations: [Operation]) {
    schedule.withLock { $0.inFlight.subtract(operations.map(\.id)) }
  }

  private func attempt(_ operation: Operation) async throws {
    defer {
      release([operation])
      wakeups.send()
    }
    if operation.isInDoubt { try await ask(operation) } else { try await send(operation) }
  }
}
