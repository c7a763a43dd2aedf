public import FieldFoundation

/// The operations of an ``Outbox`` at one moment.
public struct OutboxView<Payload: Codable & Equatable & Sendable>: Sendable {
  /// The operations, in the order in which they were added.
  public let operations: [OutboxOperation<Payload>]
  /// The earliest date when an operation can be sent; `nil` if there is none to send.
  ///
  /// A date that isn't in the future means that an operation is due.
  public let nextAttempt: Date?
  /// The number of operations that were sent or discarded since ``Outbox/updates()`` began, or since there
  /// was last nothing to send.
  public let completedCount: Int

  init<Record: OutboxRecord>(_ index: OutboxIndex<Record>, after earlier: Self? = nil)
  where Record.Payload == Payload {
    operations = index.operations
    nextAttempt = index.heads.map { $0.lease?.end ?? $0.nextAttempt ?? $0.enqueued }.min()
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

  /// The part of the operations that is completed, from 0 through 1, for a progress bar.
  public var fractionCompleted: Double {
    isEmpty ? 1 : Double(completedCount) / Double(completedCount + count)
  }

  /// The date when the oldest operation was added; `nil` if there is none.
  public var oldest: Date? { operations.lazy.map(\.enqueued).min() }

  /// Why the last attempt of any operation failed; `nil` if none has failed.
  public var lastError: FieldError? {
    operations.filter { $0.lastError != nil }
      .max { ($0.lastAttempt ?? .distantPast) < ($1.lastAttempt ?? .distantPast) }?.lastError
  }

  /// The size of all payloads as they are stored, in bytes.
  public var byteCount: Int { operations.reduce(0) { $0 + $1.byteCount } }

  /// The operations that the server has refused for good, and that wait for your decision.
  public var rejected: [OutboxOperation<Payload>] { operations.filter { $0.state == .rejected } }

  /// Returns the operations that are about a subject, such as a record.
  public func operations(about subject: String) -> [OutboxOperation<Payload>] {
    operations.filter { $0.subject == subject }
  }
}
