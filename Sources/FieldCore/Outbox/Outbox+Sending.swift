internal import FieldFoundation

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
