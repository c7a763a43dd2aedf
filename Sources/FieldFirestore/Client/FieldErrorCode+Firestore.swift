public import FieldCore

extension FieldError.Code {
  // MARK: Server errors, by the status in the body

  /// The request is invalid; sending it again won't help.
  public static var firestoreInvalidArgument: Self {
    Self(rawValue: "firestore.invalidArgument") { FirestoreGuidance.table }
  }
  /// The document that a write requires, or the database, doesn't exist.
  public static var firestoreNotFound: Self {
    Self(rawValue: "firestore.notFound") { FirestoreGuidance.table }
  }
  /// The document that a write creates already exists.
  public static var firestoreAlreadyExists: Self {
    Self(rawValue: "firestore.alreadyExists") { FirestoreGuidance.table }
  }
  /// The security rules of the database don't allow the request.
  public static var firestorePermissionDenied: Self {
    Self(rawValue: "firestore.permissionDenied") { FirestoreGuidance.table }
  }
  /// The token is missing, expired, or invalid.
  public static var firestoreUnauthenticated: Self {
    Self(rawValue: "firestore.unauthenticated") { FirestoreGuidance.table }
  }
  /// A precondition isn't met, or a query needs an index that doesn't exist.
  public static var firestoreFailedPrecondition: Self {
    Self(rawValue: "firestore.failedPrecondition") { FirestoreGuidance.table }
  }
  /// A quota is exhausted.
  public static var firestoreResourceExhausted: Self {
    Self(rawValue: "firestore.resourceExhausted") { FirestoreGuidance.table }
  }
  /// The commit conflicted with another transaction.
  public static var firestoreAborted: Self {
    Self(rawValue: "firestore.aborted") { FirestoreGuidance.table }
  }
  /// The server is temporarily unavailable, for example because it is starting.
  public static var firestoreUnavailable: Self {
    Self(rawValue: "firestore.unavailable") { FirestoreGuidance.table }
  }
  /// The server didn't finish in time.
  public static var firestoreDeadlineExceeded: Self {
    Self(rawValue: "firestore.deadlineExceeded") { FirestoreGuidance.table }
  }
  /// The server failed with an internal error.
  public static var firestoreInternal: Self {
    Self(rawValue: "firestore.internal") { FirestoreGuidance.table }
  }
  /// The server failed without reporting a reason.
  public static var firestoreUnknown: Self {
    Self(rawValue: "firestore.unknown") { FirestoreGuidance.table }
  }
  /// The server canceled the request.
  public static var firestoreCancelled: Self {
    Self(rawValue: "firestore.cancelled") { FirestoreGuidance.table }
  }
  /// A value is out of range, such as a page after the last.
  public static var firestoreOutOfRange: Self {
    Self(rawValue: "firestore.outOfRange") { FirestoreGuidance.table }
  }
  /// The server doesn't implement the method.
  public static var firestoreUnimplemented: Self {
    Self(rawValue: "firestore.unimplemented") { FirestoreGuidance.table }
  }
  /// The server lost data.
  public static var firestoreDataLoss: Self {
    Self(rawValue: "firestore.dataLoss") { FirestoreGuidance.table }
  }

  // MARK: Errors that the client detects

  /// The response is complete, but lacks something that was requested.
  public static var firestoreIncomplete: Self {
    Self(rawValue: "firestore.incomplete") { FirestoreGuidance.table }
  }
  /// The operation is older than the receipts' lifetime, so its outcome can't be determined.
  public static var firestoreReceiptExpired: Self {
    Self(rawValue: "firestore.receiptExpired") { FirestoreGuidance.table }
  }
  /// The token service rejected the refresh token or the signature; the user may have to sign in
  /// again.
  public static var tokenRefused: Self {
    Self(rawValue: "token.refused") { FirestoreGuidance.table }
  }
  /// The content of the object doesn't match its checksum.
  public static var storageChecksum: Self {
    Self(rawValue: "storage.checksum") { FirestoreGuidance.table }
  }
  /// The object was replaced while it was being read.
  public static var storageChanged: Self {
    Self(rawValue: "storage.changed") { FirestoreGuidance.table }
  }
  /// The server has ended the upload session; start another.
  public static var storageSessionEnded: Self {
    Self(rawValue: "storage.sessionEnded") { FirestoreGuidance.table }
  }
  /// The upload session is at another server than the one in the configuration, so nothing was sent
  /// to it.
  public static var storageForeignSession: Self {
    Self(rawValue: "storage.foreignSession") { FirestoreGuidance.table }
  }

  /// Returns the code of a status such as `NOT_FOUND`.
  static func firestore(status: String) -> Self {
    let words = status.lowercased().split(separator: "_")
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return Self(
      rawValue: "firestore." + (words.first.map(String.init) ?? "unknown") + rest.joined()
    ) { FirestoreGuidance.table }
  }
}
