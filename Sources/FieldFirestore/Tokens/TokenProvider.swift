/// A type that obtains tokens for requests.
///
/// A provider keeps its token and obtains a new one before the old one expires. Several tasks may
/// call it at the same time.
public protocol TokenProvider: Sendable {
  /// Returns a valid token, or `nil` to send the request without one.
  ///
  /// - Parameter rejected: A token that the server has just rejected; return a different one.
  func token(replacing rejected: FirestoreToken?) async throws -> FirestoreToken?
}

/// A provider that always returns the same token.
public struct FixedTokenProvider: TokenProvider {
  private let token: FirestoreToken?

  /// Creates a provider.
  public init(_ token: FirestoreToken?) { self.token = token }

  /// Returns the token.
  public func token(replacing rejected: FirestoreToken?) async throws -> FirestoreToken? { token }
}

extension TokenProvider where Self == FixedTokenProvider {
  /// A provider without a token, for public data.
  public static var none: FixedTokenProvider { FixedTokenProvider(nil) }
  /// A provider of the token with which an emulator allows every operation.
  public static var owner: FixedTokenProvider {
    FixedTokenProvider(FirestoreToken("owner", kind: .google))
  }
}
