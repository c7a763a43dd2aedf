internal import FieldFoundation

extension TransportResponse {
  /// Throws an error for the status if it is neither a success nor 304.
  package func checkStatus(operation: String) throws(FieldError) {
    if isSuccess || status == 304 { return }
    // A query may contain a signature or a key, which must not appear in a message.
    let place = url.map { " at \($0.absoluteString.prefix { $0 != "?" })" } ?? ""
    let (code, advice): (FieldError.Code, String) =
      switch status {
      case 404, 410: (.notFound, "there is nothing\(place); check the address")
      case 429: (.tooManyRequests, "the server\(place) asks to slow down; try again later")
      case 401, 403: (.status, "the server\(place) refuses access; check the credentials")
      case 500...: (.status, "the server\(place) has failed; try again later")
      default: (.status, "the server\(place) did not give the data; check the address")
      }
    throw FieldError(code, "HTTP \(status): \(advice)", operation: operation, response: head)
  }
}
