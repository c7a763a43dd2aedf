public import FieldCore
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
  var isAboutToken: Bool { message?.lowercased().contains(bytesOf: "app_token") ?? false }

  /// The portal's words, for the end of a message.
  private var quotation: String {
    let said = [code, message].compactMap { $0 }.joined(separator: ": ")
    return said.isEmpty ? "" : " The portal said: \(said.prefix(400))."
  }

  /// Returns the problem of a response as an error.
  func error(for answer: TransportResponse, of dataset: SODADataset, operation: String)
    -> FieldError
  {
    let (code, advice): (FieldError.Code, String)
    switch answer.status {
    case 200...299: (code, advice) = (.notData, "The portal returned an object instead of rows.")
    case 400 where self.code?.hasSuffix("no-such-column") == true:
      (code, advice) = (
        .schema,
        "The dataset has no column \(column ?? "that the query names"). Its schema has changed."
      )
    case 400, 405, 406, 412, 413, 414, 415:
      (code, advice) = (.sodaQuery, "The portal rejected the query.")
    case 401, 403:
      (code, advice) = (.sodaDenied, "The portal denies access. Check the app token.")
    case 404, 410:
      (code, advice) = (
        .notFound,
        "There is no dataset \(dataset.id) at \(dataset.portal.absoluteString). The ID may be "
          + "wrong, or the dataset may have been retired."
      )
    case 429: (code, advice) = (.tooManyRequests, "The portal limits requests. Try again later.")
    case 500...: (code, advice) = (.status, "The portal has failed. Try again later.")
    default: (code, advice) = (.status, "The portal didn't return the rows.")
    }
    return FieldError(
      code, "HTTP \(answer.status): \(advice)\(quotation)", operation: operation,
      response: answer.head)
  }
}

extension FieldError.Code {
  /// The portal rejects the query; don't send it again.
  ///
  /// A query for a column that no longer exists has the code `rows.schema` instead.
  public static var sodaQuery: Self { Self(rawValue: "soda.query") { PortalGuidance.table } }
  /// The portal denies access, even without an app token.
  public static var sodaDenied: Self { Self(rawValue: "soda.denied") { PortalGuidance.table } }
  /// Every response came from a replica that reports it is out of date.
  public static var sodaStale: Self { Self(rawValue: "soda.stale") { PortalGuidance.table } }
  /// The portal was still working on the query when the client stopped waiting.
  public static var sodaPending: Self { Self(rawValue: "soda.pending") { PortalGuidance.table } }
  /// The rows lack `:id` or `:updated_at`, which define their order.
  public static var sodaNoSystemFields: Self {
    Self(rawValue: "soda.noSystemFields") { PortalGuidance.table }
  }
}

extension RefreshReport.Notice.Code {
  /// The portal rejected the app token, so the request was repeated without it.
  public static var sodaTokenRefused: Self { Self(rawValue: "soda.tokenRefused") }
}
