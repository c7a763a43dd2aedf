public import FieldCore

/// What is known about a commit that has failed.
public enum FirestoreOutcome: Sendable, Hashable {
  /// The server has refused it, and will refuse it again.
  case rejected
  /// It wasn't applied. It may be sent again as it is.
  case notApplied
  /// It may or may not have been applied. Only a receipt, or a write that is idempotent, makes it safe
  /// to send it again.
  case unknown
}

extension FieldError {
  /// What is known about a commit that has failed with this error.
  public var firestoreOutcome: FirestoreOutcome {
    switch code {
    case .firestoreInvalidArgument, .firestoreNotFound, .firestoreAlreadyExists,
      .firestorePermissionDenied, .firestoreFailedPrecondition, .firestoreOutOfRange,
      .firestoreUnimplemented, .firestoreDataLoss, .firestoreReceiptExpired, .invalidInput:
      .rejected
    case .firestoreAborted, .firestoreResourceExhausted, .firestoreUnauthenticated, .tokenRefused,
      .offline, .notFound, .status, .tooManyRequests:
      .notApplied
    default:
      // A web page in place of an answer may stand before a server that has done its work.
      .unknown
    }
  }
}
