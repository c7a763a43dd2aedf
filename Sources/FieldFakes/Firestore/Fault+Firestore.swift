internal import FieldCore

extension Fault {
  /// An error of Firestore in place of the answer, such as `UNAVAILABLE`; the request isn't sent.
  public static func firestore(
    _ status: String, _ message: String = "The fake was told to fail."
  ) -> Fault {
    let error = FakeFirestoreError(status, message)
    let answer = error.answer(isStreamed: false)
    return .status(answer.status, fields: answer.fields, body: answer.body)
  }

  /// A quota is exhausted.
  public static var firestoreQuota: Fault {
    .firestore("RESOURCE_EXHAUSTED", "Quota exceeded.")
  }

  /// The rules don't allow the request.
  public static var firestoreDenied: Fault {
    .firestore("PERMISSION_DENIED", "Missing or insufficient permissions.")
  }

  /// The token has expired.
  public static var firestoreExpiredToken: Fault {
    .firestore("UNAUTHENTICATED", "The token has expired.")
  }
}
