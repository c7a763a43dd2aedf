internal import FieldCore
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension URLError {
  /// The package's form of the session's error: `CancellationError`, or a ``/FieldCore/FieldError``
  /// that keeps this one as `underlying`.
  func fieldError(response: HTTPResponse.Head?) -> any Error {
    let (fieldCode, message): (FieldError.Code, String)
    switch code {
    case .cancelled, .userCancelledAuthentication:
      return CancellationError()
    case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
      (fieldCode, message) = (.offline, "the device is offline")
    case .cannotFindHost, .dnsLookupFailed:
      (fieldCode, message) = (.offline, "no address was found for the host")
    case .cannotConnectToHost:
      (fieldCode, message) = (.offline, "the host does not take the connection")
    case .timedOut:
      (fieldCode, message) = (.timeout, "the connection timed out")
    case .networkConnectionLost:
      (fieldCode, message) = (.connectionLost, "the connection was lost")
    case .badURL, .unsupportedURL:
      (fieldCode, message) = (
        .invalidInput,
        "the session does not understand the address; on Linux it takes no IPv6 literals"
      )
    case .badServerResponse where Self.emptyAnswerIsBad:
      (fieldCode, message) = (.connectionLost, "the connection was closed without an answer")
    default:
      (fieldCode, message) = (.transport, "the session failed: \(localizedDescription)")
    }
    return FieldError(fieldCode, message, response: response, underlying: self)
  }

  /// On Linux a connection that closes without an answer is a bad answer; elsewhere it is lost.
  private static var emptyAnswerIsBad: Bool {
    #if canImport(FoundationNetworking)
      true
    #else
      false
    #endif
  }
}

extension URLError.Code {
  /// Whether this is how a session says that the connection ended within the body.
  var isLossOfConnection: Bool {
    switch self {
    case .unknown, .networkConnectionLost, .cannotConnectToHost, .badServerResponse: true
    default: false
    }
  }
}
