internal import FieldCore

/// Reads responses and finds the errors in them, in any of their formats.
///
/// | format | source |
/// |---|---|
/// | `{"error":{"code":…,"message":…,"status":…}}` | most methods |
/// | `[{"error":{…}}]`, also after rows | methods that stream rows |
/// | an error without a status | a server that failed without reporting a reason |
/// | plain text, HTML, nothing | proxies, and unknown methods |
///
/// The status in the body decides. An HTTP code stands for several of them: 400 for three, 409 for
/// two.
enum FirestoreProblem {
  /// Returns the body of a response as JSON, or throws the error in it.
  static func value(of answer: TransportResponse, operation: String) throws -> JSONValue {
    try answer.reading(operation: operation) { body in
      guard answer.isSuccess else { throw error(answer, body) }
      let value: JSONValue
      do throws(FieldError) {
        value = try JSONDocument.value(body)
      } catch {
        throw ForeignBody.markup(body, insteadOf: "a response") ?? error
      }
      if let problem = problem(in: value) { throw Self.error(problem, answer.status) }
      return value
    }
  }

  /// Returns the error object in a body, or `nil` if there is none.
  private static func problem(in value: JSONValue) -> JSONValue? {
    if let rows = value.elements { return rows.lazy.compactMap { problem(in: $0) }.first }
    guard let problem = value["error"], case .object = problem else { return nil }
    return problem
  }

  private static func error(_ answer: TransportResponse, _ body: [UInt8]) -> FieldError {
    do throws(FieldError) {
      let value = try JSONDocument.value(body)
      if let problem = problem(in: value) { return error(problem, answer.status) }
      // In responses of the token service and of older services, the error is a string.
      if let text = value["error"]?.string { return FieldError(code(ofHTTP: answer.status), text) }
    } catch {
      if answer.status < 500, let page = ForeignBody.markup(body, insteadOf: "a response") {
        return page
      }
    }
    let said = body.isEmpty ? "nothing" : ForeignBody.quotedBeginning(body)
    let code: FieldError.Code =
      switch answer.status {
      case 404, 410: .notFound
      case 429: .firestoreResourceExhausted
      case 401: .firestoreUnauthenticated
      case 499: .firestoreCancelled
      case 504, 408, 524: .firestoreDeadlineExceeded
      // A proxy in front of the server has codes of its own, such as 520, and may send them after the
      // server has applied a commit.
      case 500...: FieldError.isTemporary(answer.status) ? .firestoreUnavailable : .firestoreUnknown
      default: .status
      }
    return FieldError(
      code,
      "The server responded with HTTP \(answer.status) and \(said) instead of a Firestore error. "
        + "Check the URL, and any proxy in front of the server.")
  }

  private static func error(_ problem: JSONValue, _ status: Int) -> FieldError {
    let name = problem["status"]?.string
    let message = problem["message"]?.string ?? "The server gives no reason."
    return FieldError(
      name.map(FieldError.Code.firestore(status:))
        ?? code(ofHTTP: problem["code"]?.integer ?? status), "\(message.prefix(2_000))",
      problems: problem["details"]?.elements?.prefix(10).map { "\($0.canonicalText.prefix(500))" }
        ?? [])
  }

  /// Returns the code of an HTTP status, if there is no other information.
  private static func code(ofHTTP status: Int) -> FieldError.Code {
    switch status {
    case 400: .firestoreFailedPrecondition
    case 401: .firestoreUnauthenticated
    case 403: .firestorePermissionDenied
    case 404: .firestoreNotFound
    case 409: .firestoreAborted
    case 416: .firestoreOutOfRange
    case 429: .firestoreResourceExhausted
    case 499: .firestoreCancelled
    case 501: .firestoreUnimplemented
    case 503, 502: .firestoreUnavailable
    case 504: .firestoreDeadlineExceeded
    default: status < 500 ? .status : .firestoreUnknown
    }
  }
}
