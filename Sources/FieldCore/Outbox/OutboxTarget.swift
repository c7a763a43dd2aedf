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
/// - Throw an error only if you don't know that the server has applied the operation. An error without a
///   response counts as ``OutboxFailure/unknown``, unless the device is offline.
/// - `OutboxTargetConformance` in `FieldTesting` proves an implementation, with lost requests, lost
///   responses, and the rest.
public protocol OutboxTarget<Payload>: Sendable {
  /// What the server is asked to do.
  associatedtype Payload: Codable & Equatable & Sendable
  /// What the server returns when it has applied an operation, such as an ID; `Void` if nothing.
  associatedtype Receipt: Sendable

  /// What happens if an operation is sent again.
  var delivery: OutboxDelivery { get }

  /// Sends an operation, and returns when the server has applied it.
  ///
  /// - Throws: An error that ``failure(for:)`` classifies. After `CancellationError` the outcome is unknown.
  func send(_ operation: OutboxOperation<Payload>) async throws -> Receipt

  /// Asks the server what has become of an operation that was sent.
  ///
  /// By default, it's unknown.
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

  /// Returns what the error's code and HTTP status mean.
  public func failure(for error: any Error) -> OutboxFailure { OutboxFailure(error) }
}

/// What a server knows about an operation.
public enum OutboxStatus<Receipt: Sendable>: Sendable {
  /// The server has applied the operation.
  case applied(Receipt)
  /// The server has not applied the operation.
  case notApplied
  /// The server can't tell.
  case unknown
}

/// What a server promises about operations that are sent more than once.
///
/// | Delivery | The outcome of an attempt is unknown | An operation takes effect |
/// |---|---|---|
/// | ``receipts(lifetime:)`` | The server is asked until it answers. | exactly once |
/// | ``idempotent(lifetime:)`` | The operation is sent again with the same key. | exactly once |
/// | ``atLeastOnce`` | The operation is sent again. | once or more |
public enum OutboxDelivery: Sendable, Hashable {
  /// The server keeps a receipt for each key, which ``OutboxTarget/status(of:)`` reads, and ignores a key
  /// that has one.
  ///
  /// Receipts may expire. An operation that is still unsure after the receipts' lifetime is rejected with
  /// ``FieldError/Code/outcomeUnknown``, because nobody can tell whether it was applied.
  case receipts(lifetime: Duration? = nil)
  /// The server ignores a key that it has seen, and responds as it did the first time.
  ///
  /// The lifetime is that of the keys, as for receipts.
  case idempotent(lifetime: Duration? = nil)
  /// The server applies an operation as often as it arrives.
  case atLeastOnce

  /// How long the server recognizes a key; `nil` for ever.
  var lifetime: Duration? {
    switch self {
    case .receipts(let lifetime), .idempotent(let lifetime): lifetime
    case .atLeastOnce: nil
    }
  }
}
