internal import FieldFoundation

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
