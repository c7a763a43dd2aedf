internal import FieldCore

/// A method of the REST interface.
enum FirestoreMethod: String {
  case get, list, batchGet, runQuery, runAggregationQuery, beginTransaction, rollback, commit

  var operation: String { "firestore.\(rawValue)" }

  func error(_ code: FieldError.Code, _ message: String) -> FieldError {
    FieldError(code, message, operation: operation)
  }

  var timeout: Duration {
    switch self {
    case .batchGet, .runQuery, .runAggregationQuery: .seconds(300)
    default: .seconds(60)
    }
  }

  /// Whether a failed call may be repeated, according to Google's service configuration.
  ///
  /// Unlike Google's, this client repeats a commit after "unavailable" only if the commit is safe
  /// to repeat, because its outcome is unknown then. Such a commit may be repeated after every
  /// transient failure.
  func isRetried(_ error: FieldError, isSafeToRepeat: Bool) -> Bool {
    switch error.code {
    case .firestoreResourceExhausted:
      self != .batchGet && self != .runQuery && self != .runAggregationQuery
    case .firestoreAborted: self == .commit
    case .firestoreUnavailable, .firestoreInternal, .firestoreDeadlineExceeded, .connectionLost,
      .timeout, .bodyCut, .transport, .cut, .emptyBody:
      self != .commit || isSafeToRepeat
    case .firestoreUnknown, .firestoreCancelled: self == .commit && isSafeToRepeat
    default: false
    }
  }
}
