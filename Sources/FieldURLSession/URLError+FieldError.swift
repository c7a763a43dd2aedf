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
    let (fieldCode, message): (FieldError.Code, String)
    switch code {
    case .cancelled, .userCancelledAuthentication:
      return CancellationError()
    case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
      (fieldCode, message) = (.offline, "The device is offline.")
    case .cannotFindHost, .dnsLookupFailed:
      (fieldCode, message) = (.offline, "The host name can't be resolved.")
    case .cannotConnectToHost:
      (fieldCode, message) = (
        .offline, "The host refused the connection. Check the URL, or try again later."
      )
    case .timedOut:
      (fieldCode, message) = (.timeout, "The connection timed out.")
    case .networkConnectionLost:
      (fieldCode, message) = (.connectionLost, "The connection was lost.")
    case .badURL:
      (fieldCode, message) = (
        .invalidInput,
        "The URL isn't supported. On Linux, IPv6 literals aren't either."
      )
    case .unsupportedURL:
      // The scheme was checked before; on Linux, a response without a head causes this error.
      (fieldCode, message) = (.transport, "The response isn't HTTP.")
    case .badServerResponse where Self.emptyAnswerIsBad:
      (fieldCode, message) = (.connectionLost, "The connection was closed without a response.")
    default:
      (fieldCode, message) = (.transport, "The session failed: \(localizedDescription)")
    }
    return FieldError(fieldCode, message, response: response, underlying: withoutAddress)
  }

  /// A copy of the error with only the code and the description.
  var withoutAddress: URLError {
    URLError(code, userInfo: [NSLocalizedDescriptionKey: localizedDescription])
  }

  /// On Linux, a connection that closes without a response is a bad response, not a lost
  /// connection.
  private static var emptyAnswerIsBad: Bool {
    #if canImport(FoundationNetworking)
      true
    #else
      false
    #endif
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
