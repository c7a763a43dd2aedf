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
