public import FieldCore

extension FieldError.Code {
  // MARK: Server errors, by the status in the body

  /// The request is invalid; sending it again won't help.
  public static var firestoreInvalidArgument: Self { guided("firestore.invalidArgument") }
  /// The document that a write requires, or the database, doesn't exist.
  public static var firestoreNotFound: Self { guided("firestore.notFound") }
  /// The document that a write creates already exists.
  public static var firestoreAlreadyExists: Self { guided("firestore.alreadyExists") }
  /// The security rules of the database don't allow the request.
  public static var firestorePermissionDenied: Self { guided("firestore.permissionDenied") }
  /// The token is missing, expired, or invalid.
  public static var firestoreUnauthenticated: Self { guided("firestore.unauthenticated") }
  /// A precondition isn't met, or a query needs an index that doesn't exist.
  public static var firestoreFailedPrecondition: Self { guided("firestore.failedPrecondition") }
  /// A quota is exhausted.
  public static var firestoreResourceExhausted: Self { guided("firestore.resourceExhausted") }
  /// The commit conflicted with another transaction.
  public static var firestoreAborted: Self { guided("firestore.aborted") }
  /// The server is temporarily unavailable, for example because it is starting.
  public static var firestoreUnavailable: Self { guided("firestore.unavailable") }
  /// The server didn't finish in time.
  public static var firestoreDeadlineExceeded: Self { guided("firestore.deadlineExceeded") }
  /// The server failed with an internal error.
  public static var firestoreInternal: Self { guided("firestore.internal") }
  /// The server failed without reporting a reason.
  public static var firestoreUnknown: Self { guided("firestore.unknown") }
  /// The server canceled the request.
  public static var firestoreCancelled: Self { guided("firestore.cancelled") }
  /// A value is out of range, such as a page after the last.
  public static var firestoreOutOfRange: Self { guided("firestore.outOfRange") }
  /// The server doesn't implement the method.
  public static var firestoreUnimplemented: Self { guided("firestore.unimplemented") }
  /// The server lost data.
  public static var firestoreDataLoss: Self { guided("firestore.dataLoss") }

  // MARK: Errors that the client detects

  /// The response is complete, but lacks something that was requested.
  public static var firestoreIncomplete: Self { guided("firestore.incomplete") }
  /// The operation is older than the receipts' lifetime, so its outcome can't be determined.
  public static var firestoreReceiptExpired: Self { guided("firestore.receiptExpired") }
  /// The token service rejected the refresh token or the signature; the user may have to sign in
  /// again.
  public static var tokenRefused: Self { guided("token.refused") }
  /// The content of the object doesn't match its checksum.
  public static var storageChecksum: Self { guided("storage.checksum") }
  /// The object was replaced while it was being read.
  public static var storageChanged: Self { guided("storage.changed") }
  /// The server has ended the upload session; start another.
  public static var storageSessionEnded: Self { guided("storage.sessionEnded") }
  /// The upload session is at another server than the one in the configuration, so nothing was sent
  /// to it.
  public static var storageForeignSession: Self { guided("storage.foreignSession") }

  /// Returns the code of a status such as `NOT_FOUND`.
  static func firestore(status: String) -> Self {
    let words = status.lowercased().split(separator: "_")
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return guided("firestore." + (words.first.map(String.init) ?? "unknown") + rest.joined())
  }

  private static func guided(_ rawValue: String) -> Self {
    Self(rawValue: rawValue) { FirestoreGuidance.table }
  }
}
