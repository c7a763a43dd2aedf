/// A type that obtains tokens for requests.
///
/// A provider keeps the token that it has and gets a new one before it expires. Calls may come from many
/// tasks at once.
public protocol TokenProvider: Sendable {
  /// Returns a token that is valid now, or `nil` to send the request without one.
  ///
  /// - Parameter rejected: A token that the server has just refused; return another one.
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
  /// A provider without a token, for what everybody may read.
  public static var none: FixedTokenProvider { FixedTokenProvider(nil) }
  /// A provider of the token by which an emulator lets everything be done.
  public static var owner: FixedTokenProvider {
    FixedTokenProvider(FirestoreToken("owner", kind: .google))
  }
}
