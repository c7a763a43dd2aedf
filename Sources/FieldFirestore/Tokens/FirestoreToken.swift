public import FieldFoundation

/// A token that authenticates requests.
///
/// Its value is a secret: no description, dump, or reflection shows it.
public struct FirestoreToken: Sendable, Hashable {
  /// The value to send.
  public let value: String
  /// The time at which the token expires, or `nil` if that is unknown.
  public let expiry: Date?
  /// The issuer of the token.
  public let kind: Kind

  /// Creates a token.
  public init(_ value: String, expiry: Date? = nil, kind: Kind = .firebase) {
    self.value = value
    self.expiry = expiry
    self.kind = kind
  }

  /// The issuer of a token.
  public enum Kind: Sendable, Hashable {
    /// Firebase Authentication, for a user of the app.
    case firebase
    /// Google, for a service account.
    case google
  }
}

extension FirestoreToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The word `FirestoreToken`, without the token's value.
  public var description: String { "FirestoreToken" }
  /// The word `FirestoreToken`, without the token's value.
  public var debugDescription: String { description }
  /// A mirror that doesn't show the token's value.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
