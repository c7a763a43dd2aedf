public import FieldCore

/// The result of recording a fix.
public enum FixResult: Sendable, Codable, CustomStringConvertible {
  /// The fix is on the route and in the journal, so it survives a crash of the app.
  case accepted
  /// The fix isn't on the route, for the given reason.
  case ignored(FixPolicy.Reason)
  /// The fix couldn't be written, for example because the device is full.
  ///
  /// The recorder keeps the fix in memory as part of the walk, and writes it as soon as possible.
  /// If 5 MB are already waiting, the fix is dropped.
  case notSaved(FieldError)

  private enum IgnoredCodingKeys: String, CodingKey { case _0 = "reason" }
  private enum NotSavedCodingKeys: String, CodingKey { case _0 = "error" }

  /// A Boolean value that indicates whether the fix is on the route and saved.
  public var isAccepted: Bool { if case .accepted = self { true } else { false } }

  /// The reason why the fix isn't on the route, or `nil` if it is.
  public var reason: FixPolicy.Reason? {
    if case .ignored(let reason) = self { reason } else { nil }
  }

  /// `accepted`, `ignored: ` with the reason, or `not saved: ` with the error.
  public var description: String {
    switch self {
    case .accepted: "accepted"
    case .ignored(let reason): "ignored: \(reason)"
    case .notSaved(let error): "not saved: \(error)"
    }
  }
}
