internal import FieldCore
internal import FieldFoundation

/// A portal's error message, in any of its formats.
///
/// | format | from |
/// |---|---|
/// | `{"code":…,"error":true,"message":…,"data":{…}}` | the documented API |
/// | `{"message":"Query coordinator error: …","errorCode":…,"data":{…}}` | the query coordinator |
/// | `{"error":{"message":…}}`, XML, HTML, nothing | CKAN, a file store, a proxy |
struct SODAProblem {
  var code: String?
  var message: String?
  var column: String?

  init(_ body: [UInt8]) {
    let value: JSONValue
    do {
      value = try JSONDocument.value(body)
    } catch {
      // A body other than JSON describes no problem; the status does.
      return
    }
    let inner = value["error"]
    code = value["code"]?.string ?? value["errorCode"]?.string
    message = value["message"]?.string ?? inner?["message"]?.string ?? inner?.string
    column = value["data"]?["column"]?.string
  }

  /// Whether the portal rejected the token.
  var isAboutToken: Bool {
    message?.lowercased().contains("app_token") ?? false
  }

  /// The portal's words, for the end of a message.
  private var quotation: String {
    let said = [code, message].compactMap { $0 }.joined(separator: ": ")
    return said.isEmpty ? "" : " (it said: \(said.prefix(400)))"
  }

  /// Returns the problem of a response as an error.
  func error(for answer: TransportResponse, of dataset: SODADataset, operation: String)
    -> FieldError
  {
    let (code, advice): (FieldError.Code, String)
    switch answer.status {
    case 200...299:
      (code, advice) = (.notData, "the portal returned an object instead of rows")
    case 400 where self.code?.hasSuffix("no-such-column") == true:
      (code, advice) = (
        .schema,
        "the dataset has no column \(column ?? "that the query names"): its schema has changed"
      )
    case 400, 405, 406, 412, 413, 414, 415:
      (code, advice) = (.sodaQuery, "the portal rejected the query")
    case 401, 403:
      (code, advice) = (.sodaDenied, "the portal denies access; check the app token")
    case 404, 410:
      (code, advice) = (
        .notFound,
        "there is no dataset \(dataset.id) at \(dataset.portal.absoluteString): the ID may be wrong, "
          + "or the dataset has been retired"
      )
    case 429:
      (code, advice) = (.tooManyRequests, "the portal limits requests; try again later")
    case 500...:
      (code, advice) = (.status, "the portal has failed; try again later")
    default:
      (code, advice) = (.status, "the portal didn't return the rows")
    }
    return FieldError(
      code, "HTTP \(answer.status): \(advice)\(quotation)", operation: operation,
      response: answer.head)
  }
}
