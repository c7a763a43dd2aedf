/// A record of a store that also contains operations to be sent to a server.
///
/// An ``Outbox`` keeps its operations in the store of the records that they concern, so that both are
/// committed in one step. The store's record is an enum with a case for each kind; `operation` is one of
/// them:
///
/// ```swift
/// enum ReportRecord: OutboxRecord {
///   case report(Report)
///   case operation(OutboxOperation<Report>)
///
///   var id: String {
///     switch self {
///     case .report(let report): "report/\(report.id)"
///     case .operation(let operation): "operation/\(operation.id)"
///     }
///   }
///   var operation: OutboxOperation<Report>? {
///     if case .operation(let operation) = self { operation } else { nil }
///   }
/// }
/// ```
///
/// The ID of an operation's record must depend on ``OutboxOperation/id`` alone. Create, change, and
/// remove operations only through an ``Outbox``.
public protocol OutboxRecord: StoredRecord {
  /// The operation to send to the server, such as a change to a document.
  associatedtype Payload: Codable & Equatable & Sendable

  /// Returns the record of an operation.
  static func operation(_ operation: OutboxOperation<Payload>) -> Self

  /// The operation that the record contains, or `nil` if it contains something else.
  var operation: OutboxOperation<Payload>? { get }
}
