internal import FieldCore
public import FieldFakes

extension Fault {
  /// Fails with a Firestore error, such as `UNAVAILABLE`, without sending the request.
  public static func firestore(
    _ status: String, _ message: String = "The failure is scripted."
  ) -> Fault {
    let error = FakeFirestoreError(status, message)
    let response = error.response(isStreamed: false)
    return .status(response.status, fields: response.fields, body: response.body)
  }

  /// Fails because a quota is exhausted.
  public static var firestoreQuota: Fault {
    .firestore("RESOURCE_EXHAUSTED", "Quota exceeded.")
  }

  /// Fails because the security rules don't allow the request.
  public static var firestoreDenied: Fault {
    .firestore("PERMISSION_DENIED", "Missing or insufficient permissions.")
  }

  /// Fails because the token has expired.
  public static var firestoreExpiredToken: Fault {
    .firestore("UNAUTHENTICATED", "The token has expired.")
  }
}
