public import FieldCore

/// What became of a fix that was recorded.
public enum FixResult: Sendable, Codable {
  /// The fix is on the route, and in the journal: it survives the end of the app, however it ends.
  case accepted
  /// The fix is not on the route; the reason is what ``FixPolicy`` has against it.
  case ignored(FixPolicy.Reason)
  /// The fix counts for the walk as it is in memory and could not be written down, for example since
  /// the device is full. The recorder goes on, and writes it as soon as it can.
  case notSaved(FieldError)

  private enum IgnoredCodingKeys: String, CodingKey { case _0 = "reason" }
  private enum NotSavedCodingKeys: String, CodingKey { case _0 = "error" }

  /// Whether the fix is on the route and saved.
  public var isAccepted: Bool {
    if case .accepted = self { true } else { false }
  }

  /// Why the fix is not on the route; nil when it is.
  public var reason: FixPolicy.Reason? {
    if case .ignored(let reason) = self { reason } else { nil }
  }
}

extension FixResult: CustomStringConvertible {
  /// `accepted`, `ignored: ` with the reason, or `not saved: ` with the error.
  public var description: String {
    switch self {
    case .accepted: "accepted"
    case .ignored(let reason): "ignored: \(reason)"
    case .notSaved(let error): "not saved: \(error)"
    }
  }
}
