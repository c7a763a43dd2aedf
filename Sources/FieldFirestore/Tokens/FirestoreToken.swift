public import FieldFoundation

/// A token that proves who sends a request.
///
/// Its value is a secret: no description, dump, or reflection shows it.
public struct FirestoreToken: Sendable, Hashable {
  /// The value, as it is sent.
  public let value: String
  /// The time after which the token isn't valid; `nil` if that isn't known.
  public let expiry: Date?
  /// Who issues the token.
  public let kind: Kind

  /// Creates a token.
  public init(_ value: String, expiry: Date? = nil, kind: Kind = .firebase) {
    self.value = value
    self.expiry = expiry
    self.kind = kind
  }

  /// Who issues a token.
  public enum Kind: Sendable, Hashable {
    /// Firebase Authentication, for a user of the app.
    case firebase
    /// Google, for a service account.
    case google
  }
}

extension FirestoreToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The word `FirestoreToken`, and nothing of the token.
  public var description: String { "FirestoreToken" }
  /// The word `FirestoreToken`, and nothing of the token.
  public var debugDescription: String { description }
  /// A mirror that shows nothing of the token.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
