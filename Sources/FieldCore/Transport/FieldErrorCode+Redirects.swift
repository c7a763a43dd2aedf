extension FieldError.Code {
  /// The server redirected more often than the transport's `redirectLimit` allows.
  public static var tooManyRedirects: Self {
    Self(rawValue: "transport.tooManyRedirects") { RedirectGuidance.table }
  }
  /// The server redirected to a URL that the request can't or mustn't go to.
  ///
  /// The URL isn't an HTTP URL, or it would send a body unencrypted.
  public static var redirectRefused: Self {
    Self(rawValue: "transport.redirectRefused") { RedirectGuidance.table }
  }
}
