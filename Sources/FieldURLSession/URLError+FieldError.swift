internal import FieldCore
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension URLError {
  /// Returns `CancellationError`, or a ``/FieldCore/FieldError`` that keeps this error as
  /// `underlying`.
  ///
  /// Only the code and the description are kept. The rest repeats the whole URL, including any keys
  /// in its query, and errors are logged.
  func fieldError(response: TransportResponse.Head?) -> any Error {
    if code == .cancelled || code == .userCancelledAuthentication { return CancellationError() }
    let (fieldCode, message): (FieldError.Code, String) =
      switch code {
      case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
        (.offline, "The device is offline.")
      case .cannotFindHost, .dnsLookupFailed: (.offline, "The host name can't be resolved.")
      case .cannotConnectToHost:
        (.offline, "The host refused the connection. Check the URL, or try again later.")
      case .timedOut: (.timeout, "The connection timed out.")
      case .networkConnectionLost: (.connectionLost, "The connection was lost.")
      case .badURL:
        (.invalidInput, "The URL isn't supported. On Linux, IPv6 literals aren't either.")
      // The scheme was checked before; on Linux, a response without a head causes this error.
      case .unsupportedURL: (.transport, "The response isn't HTTP.")
      #if canImport(FoundationNetworking)
        // On Linux, a connection that closes without a response is a bad response, not a lost one.
        case .badServerResponse: (.connectionLost, "The connection was closed without a response.")
      #endif
      default: (.transport, "The session failed: \(localizedDescription)")
      }
    return FieldError(fieldCode, message, response: response, underlying: withoutAddress)
  }

  /// A copy of the error with only the code and the description.
  var withoutAddress: URLError {
    URLError(code, userInfo: [NSLocalizedDescriptionKey: localizedDescription])
  }
}

extension URLError.Code {
  /// A Boolean value that indicates whether the connection may have ended within the body.
  var isLossOfConnection: Bool {
    switch self {
    case .unknown, .networkConnectionLost, .cannotConnectToHost, .badServerResponse: true
    default: false
    }
  }
}
