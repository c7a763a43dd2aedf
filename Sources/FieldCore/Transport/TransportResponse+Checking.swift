internal import FieldFoundation

extension TransportResponse {
  /// Throws an error for the status if it is neither a success nor 304.
  package func checkStatus(operation: String) throws(FieldError) {
    if isSuccess || status == 304 { return }
    // A query may contain a signature or a key, which must not appear in a message.
    let place =
      url.map { " at " + Redaction.default.redact($0).prefix { $0 != "?" } } ?? ""
    let (code, advice): (FieldError.Code, String) =
      switch status {
      case 404, 410: (.notFound, "There is nothing\(place). Check the URL.")
      case 429: (.tooManyRequests, "The server\(place) limits requests. Try again later.")
      case 401, 403: (.status, "The server\(place) denies access. Check the credentials.")
      case 500...: (.status, "The server\(place) has failed. Try again later.")
      default: (.status, "The server\(place) didn't return the data. Check the URL.")
      }
    throw FieldError(code, "HTTP \(status): \(advice)", operation: operation, response: head)
  }
}
