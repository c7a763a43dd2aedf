public import FieldCore

extension FieldError.Code {
  /// The server redirected more often than ``URLSessionTransport`` was told to follow.
  public static var tooManyRedirects: Self { Self(rawValue: "transport.tooManyRedirects") }
  /// The server redirected to where the request must not or cannot go: not an HTTP address, or
  /// a body that would have to leave encryption.
  public static var redirectRefused: Self { Self(rawValue: "transport.redirectRefused") }
}
