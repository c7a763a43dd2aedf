public import FieldFoundation

/// A snapshot of the operations of an ``Outbox``.
public struct OutboxView<Payload: Codable & Equatable & Sendable>: Sendable {
  /// The operations, in the order in which they were added.
  public let operations: [OutboxOperation<Payload>]
  /// The earliest date at which an operation can be sent, or `nil` if there is none to send.
  ///
  /// If the date isn't in the future, an operation is due.
  public let nextAttempt: Date?
  /// The number of operations that were sent or discarded since ``Outbox/updates()`` began, or
  /// since the outbox was last empty.
  public let completedCount: Int

  init<Record: OutboxRecord>(_ index: OutboxIndex<Record>, after earlier: Self? = nil)
  where Record.Payload == Payload {
    operations = index.operations
    nextAttempt = index.heads.map { operation in
      operation.lease.flatMap { $0.isAbandoned ? nil : $0.end } ?? operation.nextAttempt
        ?? operation.enqueued
    }.min()
    guard let earlier, !earlier.isEmpty else {
      completedCount = 0
      return
    }
    completedCount = earlier.completedCount + earlier.operations.count { index[$0.id] == nil }
  }

  /// A Boolean value that indicates whether there are no operations.
  public var isEmpty: Bool { operations.isEmpty }

  /// The number of operations.
  public var count: Int { operations.count }

  /// The completed fraction of the operations, from 0 through 1, for a progress bar.
  public var fractionCompleted: Double {
    isEmpty ? 1 : Double(completedCount) / Double(completedCount + count)
  }

  /// The date at which the oldest operation was added, or `nil` if there is none.
  public var oldest: Date? { operations.lazy.map(\.enqueued).min() }

  /// The error of the most recent failed attempt, or `nil` if none has failed.
  public var lastError: FieldError? {
    operations.filter { $0.lastError != nil }
      .max { ($0.lastAttempt ?? .distantPast) < ($1.lastAttempt ?? .distantPast) }?.lastError
  }

  /// The size of all payloads in the store, in bytes.
  public var byteCount: Int { operations.reduce(0) { $0 + $1.byteCount } }

  /// The operations that the server has permanently rejected, which wait for your decision.
  public var rejected: [OutboxOperation<Payload>] { operations.filter { $0.state == .rejected } }

  /// Returns the operations that concern a subject, such as a record.
  public func operations(about subject: String) -> [OutboxOperation<Payload>] {
    operations.filter { $0.subject == subject }
  }
}
