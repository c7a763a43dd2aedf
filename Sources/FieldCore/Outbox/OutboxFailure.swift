internal import FieldFoundation

/// The consequence of an error for the operation that was sent.
public enum OutboxFailure: Sendable, Hashable {
  /// The server definitely hasn't applied the operation.
  ///
  /// It is sent again after a delay.
  case notApplied
  /// The server may have applied the operation.
  ///
  /// After a delay, the outbox proceeds as the ``OutboxDelivery`` allows.
  case unknown
  /// The server will never apply the operation as it is.
  ///
  /// The operation is kept until you decide.
  case rejected
  /// The server needs a new token.
  ///
  /// The operation is sent again immediately, and then after the maximum delay; neither counts as
  /// an attempt.
  case unauthorized
  /// The server accepts no operations for a while, by default for the maximum delay.
  ///
  /// Nothing is sent in the meantime.
  case rateLimited(retryAfter: Duration?)

  /// Creates a failure from the HTTP status of an error, or from its code if it has no response.
  ///
  /// | Error | Failure |
  /// |---|---|
  /// | 401 | ``unauthorized`` |
  /// | 429, with `Retry-After` if there is one | ``rateLimited(retryAfter:)`` |
  /// | 408, 425, and 5xx except 501; an unusable response with a success status | ``unknown`` |
  /// | any other status | ``rejected`` |
  /// | ``FieldError/Code/offline`` | ``notApplied`` |
  /// | ``FieldError/Code/invalidInput`` | ``rejected`` |
  /// | any other error, such as a timeout | ``unknown`` |
  public init(_ error: any Error) {
    let error = error as? FieldError
    self =
      switch (error?.response?.status, error?.code) {
      case (401?, _): .unauthorized
      case (429?, _), (nil, .tooManyRequests?): .rateLimited(retryAfter: error?.retryAfter)
      case (let status?, _):
        (200..<300).contains(status) || FieldError.isTemporary(status) ? .unknown : .rejected
      case (nil, .offline?): .notApplied
      case (nil, .invalidInput?): .rejected
      case (nil, _): .unknown
      }
  }
}

extension FieldError {
  /// The delay that the server requests. A date counts only if the response contains its own date.
  fileprivate var retryAfter: Duration? {
    response.flatMap {
      RetryAfter.wait($0.fields, now: .distantFuture, longest: .seconds(Int32.max))
    }
  }
}

extension FieldError.Code {
  /// The operation isn't in the outbox, because it was sent or discarded.
  public static var notPending: Self { Self(rawValue: "outbox.notPending") }
  /// The operation can't be changed because the server may have received it.
  public static var alreadySent: Self { Self(rawValue: "outbox.alreadySent") }
  /// It is no longer possible to find out whether the server has applied the operation.
  public static var outcomeUnknown: Self { Self(rawValue: "outbox.outcomeUnknown") }
}
