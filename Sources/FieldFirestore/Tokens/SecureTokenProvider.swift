public import FieldCore
public import FieldFoundation

/// A provider of a signed-in user's tokens, based on the refresh token from sign-in.
///
/// Concurrent callers share one request. A token is renewed 5 minutes before it expires; if that
/// fails, the old token is used while it is valid.
///
/// ```swift
/// let tokens = SecureTokenProvider(apiKey: key, refreshToken: stored, transport: transport) { rotated in
///   keychain.save(rotated)
/// }
/// ```
public final class SecureTokenProvider: TokenProvider, CustomStringConvertible, CustomReflectable {
  private let refresher: TokenRefresher

  /// Creates a provider.
  ///
  /// - Parameters:
  ///   - apiKey: The API key of the Firebase project.
  ///   - refreshToken: The user's refresh token.
  ///   - transport: The transport that sends requests; it may retry.
  ///   - endpoint: The URL of the service. Defaults to Google's.
  ///   - clock: The clock that determines when tokens expire. Defaults to the system's.
  ///   - onRotation: A closure to call with a new refresh token before it is first used. Store
  ///     the token.
  public init(
    apiKey: String, refreshToken: String, transport: any Transport, endpoint: URL? = nil,
    clock: any FieldClock = .system,
    onRotation: @escaping @Sendable (String) async -> Void = { _ in }
  ) {
    let current = Lock(refreshToken)
    let service = endpoint ?? URL(literal: "https://securetoken.googleapis.com/v1/token")
    refresher = TokenRefresher(clock: clock) {
      let sent = current.withLock { $0 }
      let answer = try await TokenRefresher.answer(
        to: [("grant_type", "refresh_token"), ("refresh_token", sent)],
        at: try PercentEncoding.url(service, adding: [("key", apiKey)]), operation: "token.refresh",
        over: transport)
      let token = try TokenRefresher.token(
        answer["id_token"]?.string ?? answer["access_token"]?.string, of: answer, kind: .firebase,
        at: clock.now, operation: "token.refresh")
      if let rotated = answer["refresh_token"]?.string, !rotated.isEmpty, rotated != sent {
        await onRotation(rotated)
        current.withLock { $0 = rotated }
      }
      return token
    }
  }

  /// Returns a token of the user.
  ///
  /// - Throws: `FieldError` with the code `token.refused` if the user has to sign in again.
  public func token(replacing rejected: FirestoreToken?) async throws -> FirestoreToken? {
    try await refresher.token(replacing: rejected)
  }

  /// The word `SecureTokenProvider`, without the tokens.
  public var description: String { "SecureTokenProvider" }
  /// A mirror that doesn't show the tokens.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
