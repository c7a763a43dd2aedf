internal import FieldCore
public import FieldFakes
internal import FieldFirestore
internal import FieldFoundation

/// The parts of a request to a ``FakeFirestore``.
struct FakeFirestoreRequest {
  var method: TransportRequest.Method
  /// The full name before the verb.
  var name: String
  /// The verb after the last colon, or `nil` if there is none.
  var verb: String?
  var parameters: QueryItems
  var token: String?
  var contentType: String
  var body: [UInt8]

  init(_ request: TransportRequest) throws {
    method = request.method
    let address = request.url.absoluteString.prefix { $0 != "?" }
    var path = address.firstRange(of: "/v1/").map { address[$0.upperBound...] } ?? ""
    // A colon in an ID is escaped, so an unescaped one in the last segment precedes a verb.
    let last = path.lastIndex(of: "/") ?? path.startIndex
    if let colon = path[last...].lastIndex(of: ":") {
      verb = String(path[path.index(after: colon)...])
      path = path[..<colon]
    }
    name = path.split(separator: "/", omittingEmptySubsequences: false)
      .map { PercentEncoding.decoded($0) }.joined(separator: "/")
    parameters = request.query
    token = request.fields["Authorization"].map { _ in request.bearer ?? "" }
    contentType = request.fields["Content-Type"]?.lowercased() ?? ""
    body = try request.body?.bytes() ?? []
  }

  /// Whether the response is an array of rows, in which an error is also a row.
  var isStreamed: Bool { ["batchGet", "runQuery", "runAggregationQuery"].contains(verb) }
}

/// An error of the server.
struct FakeFirestoreError: Error {
  var status: String
  var message: String

  init(_ status: String, _ message: String) {
    self.status = status
    self.message = message
  }

  static func invalid(_ message: String) -> FakeFirestoreError {
    FakeFirestoreError("INVALID_ARGUMENT", message)
  }

  private var code: Int {
    switch status {
    case "INVALID_ARGUMENT", "FAILED_PRECONDITION", "OUT_OF_RANGE": 400
    case "UNAUTHENTICATED": 401
    case "PERMISSION_DENIED": 403
    case "NOT_FOUND": 404
    case "ABORTED", "ALREADY_EXISTS": 409
    case "RESOURCE_EXHAUSTED": 429
    case "CANCELLED": 499
    case "UNIMPLEMENTED": 501
    case "UNAVAILABLE": 503
    case "DEADLINE_EXCEEDED": 504
    default: 500
    }
  }

  func response(isStreamed: Bool) -> TransportResponse {
    let json: JSONValue = [
      "error": [
        "code": .number(String(code)), "message": .string(message), "status": .string(status),
      ]
    ]
    return .json(isStreamed ? [json] : json, status: code)
  }
}

extension TransportResponse {
  /// Returns a response of one of Google's services.
  static func json(_ value: JSONValue, status: Int = 200) -> TransportResponse {
    TransportResponse(
      status: status, fields: ["Content-Type": "application/json; charset=UTF-8"],
      body: .text(value.canonicalText))
  }
}

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
