/// A server, or a part of one, that an ``Outbox`` sends operations to.
///
/// ### How to implement it
///
/// Send the operation's ``OutboxOperation/payload`` together with its ``OutboxOperation/key``, and throw if
/// the server doesn't confirm it. Errors that contain the server's response are classified by its status;
/// see ``OutboxFailure/init(_:)``.
///
/// ```swift
/// struct CityHall: OutboxTarget {
///   let transport: any Transport
///   let delivery = OutboxDelivery.idempotent()
///
///   func send(_ operation: OutboxOperation<Report>) async throws {
///     let response = try await transport.send(
///       TransportRequest(
///         .post, url: url, fields: ["Idempotency-Key": operation.key.uuidString],
///         body: .text(operation.payload.text), operation: "reports.add"))
///     guard response.isSuccess else {
///       throw FieldError(.status, "HTTP \(response.status)", response: response.head)
///     }
///   }
/// }
/// ```
///
/// - Send one request per call, and don't repeat it: the outbox does.
/// - Throw an error only if you don't know that the server has applied the operation. An error
///   without a response counts as ``OutboxFailure/unknown``, unless the device is offline.
/// - Test an implementation with `OutboxTargetConformance` in `FieldTesting`, which also covers
///   lost requests and lost responses.
public protocol OutboxTarget<Payload>: Sendable {
  /// The operation to send to the server.
  associatedtype Payload: Codable & Equatable & Sendable
  /// The server's result for an applied operation, such as an ID; `Void` if there is none.
  associatedtype Receipt: Sendable

  /// The effect of sending an operation again.
  var delivery: OutboxDelivery { get }

  /// Sends an operation, and returns when the server has applied it.
  ///
  /// - Throws: An error that ``failure(for:)`` classifies. After `CancellationError` the outcome is unknown.
  func send(_ operation: OutboxOperation<Payload>) async throws -> Receipt

  /// Returns what the server knows about an operation that was sent.
  ///
  /// By default, it is ``OutboxStatus/unknown``.
  func status(of operation: OutboxOperation<Payload>) async throws -> OutboxStatus<Receipt>

  /// Returns what an error of ``send(_:)`` or ``status(of:)`` means for the operation.
  ///
  /// By default, it is ``OutboxFailure/init(_:)``.
  func failure(for error: any Error) -> OutboxFailure
}

extension OutboxTarget {
  /// Returns ``OutboxStatus/unknown``.
  public func status(
    of operation: OutboxOperation<Payload>
  ) async throws -> OutboxStatus<Receipt> {
    .unknown
  }

  /// Classifies the error by its HTTP status and code.
  public func failure(for error: any Error) -> OutboxFailure { OutboxFailure(error) }
}

/// The state of an operation on a server.
public enum OutboxStatus<Receipt: Sendable>: Sendable {
  /// The server has applied the operation.
  case applied(Receipt)
  /// The server has not applied the operation.
  case notApplied
  /// The server can't tell.
  case unknown
}

/// A server's guarantee about operations that are sent more than once.
///
/// | Delivery | If the outcome of an attempt is unknown | An operation takes effect |
/// |---|---|---|
/// | ``receipts(lifetime:)`` | The outbox queries the server until it answers. | exactly once |
/// | ``idempotent(lifetime:)`` | The operation is sent again with the same key. | exactly once |
/// | ``atLeastOnce`` | The operation is sent again. | once or more |
public enum OutboxDelivery: Sendable, Hashable {
  /// The server keeps a receipt for each key, which ``OutboxTarget/status(of:)`` reads, and ignores a key
  /// that has one.
  ///
  /// Receipts may expire. If the outcome of an operation is still unknown after the receipts'
  /// lifetime, the operation is rejected with ``FieldError/Code/outcomeUnknown``.
  case receipts(lifetime: Duration? = nil)
  /// The server ignores a key that it has seen, and responds as it did the first time.
  ///
  /// The lifetime is that of the keys, as for receipts.
  case idempotent(lifetime: Duration? = nil)
  /// The server applies an operation as often as it arrives.
  case atLeastOnce

  /// The time for which the server recognizes a key, or `nil` if it does so forever.
  var lifetime: Duration? {
    switch self {
    case .receipts(let lifetime), .idempotent(let lifetime): lifetime
    case .atLeastOnce: nil
    }
  }
}
