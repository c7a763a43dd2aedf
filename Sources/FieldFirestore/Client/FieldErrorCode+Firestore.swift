public import FieldCore

extension FieldError.Code {
  // MARK: What a server answers, by the status in the body

  /// The request is wrong; sending it again is of no use.
  public static var firestoreInvalidArgument: Self { Self(rawValue: "firestore.invalidArgument") }
  /// The document that a write requires, or the database, doesn't exist.
  public static var firestoreNotFound: Self { Self(rawValue: "firestore.notFound") }
  /// The document that a write creates exists.
  public static var firestoreAlreadyExists: Self { Self(rawValue: "firestore.alreadyExists") }
  /// The rules of the database don't allow it.
  public static var firestorePermissionDenied: Self { Self(rawValue: "firestore.permissionDenied") }
  /// The token is missing, expired, or invalid.
  public static var firestoreUnauthenticated: Self { Self(rawValue: "firestore.unauthenticated") }
  /// A precondition doesn't hold, or a query needs an index that doesn't exist.
  public static var firestoreFailedPrecondition: Self {
    Self(rawValue: "firestore.failedPrecondition")
  }
  /// A quota is exhausted.
  public static var firestoreResourceExhausted: Self {
    Self(rawValue: "firestore.resourceExhausted")
  }
  /// Another transaction was in the way.
  public static var firestoreAborted: Self { Self(rawValue: "firestore.aborted") }
  /// The server can't be reached by its own proxy, or is starting.
  public static var firestoreUnavailable: Self { Self(rawValue: "firestore.unavailable") }
  /// The server didn't finish in time.
  public static var firestoreDeadlineExceeded: Self { Self(rawValue: "firestore.deadlineExceeded") }
  /// The server has failed.
  public static var firestoreInternal: Self { Self(rawValue: "firestore.internal") }
  /// The server has failed without saying how.
  public static var firestoreUnknown: Self { Self(rawValue: "firestore.unknown") }
  /// The server stopped working on the request.
  public static var firestoreCancelled: Self { Self(rawValue: "firestore.cancelled") }
  /// A value is out of range, such as a page after the last.
  public static var firestoreOutOfRange: Self { Self(rawValue: "firestore.outOfRange") }
  /// The server doesn't know the method.
  public static var firestoreUnimplemented: Self { Self(rawValue: "firestore.unimplemented") }
  /// The server has lost data.
  public static var firestoreDataLoss: Self { Self(rawValue: "firestore.dataLoss") }

  // MARK: What the client finds

  /// The answer is whole, but something that was requested isn't in it.
  public static var firestoreIncomplete: Self { Self(rawValue: "firestore.incomplete") }
  /// The operation is older than receipts are kept, so whether it was applied can't be found out.
  public static var firestoreReceiptExpired: Self { Self(rawValue: "firestore.receiptExpired") }
  /// The service that issues tokens refuses to issue another; the user has to sign in again.
  public static var tokenRefused: Self { Self(rawValue: "token.refused") }
  /// The object isn't the one that its checksum describes.
  public static var storageChecksum: Self { Self(rawValue: "storage.checksum") }
  /// The object was replaced while it was read.
  public static var storageChanged: Self { Self(rawValue: "storage.changed") }
  /// The server has ended the upload session; start another.
  public static var storageSessionEnded: Self { Self(rawValue: "storage.sessionEnded") }

  /// The code of a status such as `NOT_FOUND`.
  static func firestore(status: String) -> Self {
    let words = status.lowercased().split(separator: "_")
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return Self(
      rawValue: "firestore." + (words.first.map(String.init) ?? "unknown") + rest.joined())
  }
}
