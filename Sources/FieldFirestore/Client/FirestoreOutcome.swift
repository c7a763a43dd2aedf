public import FieldCore

/// The known outcome of a failed commit.
public enum FirestoreOutcome: Sendable, Hashable {
  /// The server rejected the commit, and will reject it again.
  case rejected
  /// The commit wasn't applied.
  ///
  /// You can send it again unchanged.
  case notApplied
  /// The commit may or may not have been applied.
  ///
  /// You can send it again safely only with a receipt, or if its writes are idempotent.
  case unknown
}

extension FieldError {
  /// The known outcome of a commit that failed with this error.
  public var firestoreOutcome: FirestoreOutcome {
    switch code {
    case .firestoreInvalidArgument, .firestoreNotFound, .firestoreAlreadyExists,
      .firestorePermissionDenied, .firestoreFailedPrecondition, .firestoreOutOfRange,
      .firestoreUnimplemented, .firestoreDataLoss, .firestoreReceiptExpired,
      .storageForeignSession, .invalidInput:
      .rejected
    case .firestoreAborted, .firestoreResourceExhausted, .firestoreUnauthenticated, .tokenRefused,
      .offline, .notFound, .status, .tooManyRequests:
      .notApplied
    default:
      // An HTML page may come from a proxy in front of a server that has applied the commit.
      .unknown
    }
  }
}

/// The documents that a query or a list returned.
public struct FirestoreResults: Sendable, Hashable {
  /// The documents, in the server's order.
  public var documents: [FirestoreDocument]
  /// The documents that couldn't be read, each with its name.
  public var failures: [RowFailure]
  /// The time at which the documents were read, or `nil` if the server doesn't report it.
  public var readTime: FirestoreTimestamp?
  /// The token of the next page of a list, or `nil` if there is none.
  public var nextPageToken: String?

  /// Creates results.
  public init(
    documents: [FirestoreDocument] = [], failures: [RowFailure] = [],
    readTime: FirestoreTimestamp? = nil, nextPageToken: String? = nil
  ) {
    self.documents = documents
    self.failures = failures
    self.readTime = readTime
    self.nextPageToken = nextPageToken
  }
}
