internal import FieldCore
internal import FieldFirestore
internal import FieldFoundation

/// The parts of a request to a ``FakeFirestore``.
struct FakeFirestoreRequest {
  var method: TransportRequest.Method
  /// The full name before the verb.
  var name: String
  /// The verb after the last colon, or `nil` if there is none.
  var verb: String?
  var parameters: [(name: String, value: String)]
  var token: String?
  var contentType: String
  var body: [UInt8]

  init(_ request: TransportRequest) throws {
    method = request.method
    let address = request.url.absoluteString
    let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path = parts[0].firstRange(of: "/v1/").map { parts[0][$0.upperBound...] } ?? ""
    // A colon in an ID is escaped, so an unescaped one in the last segment precedes a verb.
    let last = path.lastIndex(of: "/") ?? path.startIndex
    if let colon = path[last...].lastIndex(of: ":") {
      verb = String(path[path.index(after: colon)...])
      path = path[..<colon]
    }
    name = path.split(separator: "/", omittingEmptySubsequences: false)
      .map { PercentEncoding.decoded($0) }.joined(separator: "/")
    parameters = (parts.count > 1 ? parts[1].split(separator: "&") : []).map { item in
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (
        PercentEncoding.decoded(pair[0]), pair.count > 1 ? PercentEncoding.decoded(pair[1]) : ""
      )
    }
    token = request.fields["Authorization"].map { field in
      field.split(separator: " ").last.map(String.init) ?? ""
    }
    contentType = request.fields["Content-Type"]?.lowercased() ?? ""
    body = try request.body?.bytes() ?? []
  }

  func parameter(_ name: String) -> String? { parameters.last { $0.name == name }?.value }

  func values(of name: String) -> [String] {
    parameters.filter { $0.name == name }.map(\.value)
  }

  /// Whether the response is an array of rows, in which an error is also a row.
  var isStreamed: Bool {
    ["batchGet", "runQuery", "runAggregationQuery"].contains(verb)
  }
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

  var json: JSONValue {
    .object([
      .init(
        key: "error",
        value: .object([
          .init(key: "code", value: .number(String(Self.code(of: status)))),
          .init(key: "message", value: .string(message)),
          .init(key: "status", value: .string(status)),
        ]))
    ])
  }

  static func code(of status: String) -> Int {
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

  func answer(isStreamed: Bool) -> TransportResponse {
    let body = isStreamed ? JSONValue.array([json]) : json
    return TransportResponse(
      status: Self.code(of: status), fields: ["Content-Type": "application/json; charset=UTF-8"],
      body: .text(body.canonicalText))
  }
}
