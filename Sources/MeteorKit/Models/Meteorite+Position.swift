extension Meteorite {
  /// The reason why the position is missing or implausible; `nil` if it is plausible.
  ///
  /// Of the 38,401 positions in NASA's table, 6,214 are 0/0, a placeholder for "unknown", and one,
  /// Meridiani Planum, is on Mars.
  public var positionIssue: PositionIssue? {
    guard let coordinate else {
      return unreadable[MeteoriteColumn.position] == nil ? .missing : .unreadable
    }
    if coordinate.latitude == 0 && coordinate.longitude == 0 { return .zeroPlaceholder }
    if coordinate.longitude > 180 { return .longitudeOutOfRange }
    return nil
  }

  /// A Boolean value that indicates whether the position is known and plausible.
  public var hasPlausiblePosition: Bool { coordinate?.isPlausible ?? false }

  /// A reason why a position is missing or implausible.
  public struct PositionIssue: RawRepresentable, Hashable, Sendable, Codable {
    /// The name of the reason.
    public var rawValue: String
    /// Creates a reason from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The source gives no position.
    public static var missing: Self { Self(rawValue: "missing") }
    /// The source's value isn't a position on a globe; see ``Meteorite/unreadable``.
    public static var unreadable: Self { Self(rawValue: "unreadable") }
    /// The source gives 0/0, its placeholder for "unknown".
    public static var zeroPlaceholder: Self { Self(rawValue: "zeroPlaceholder") }
    /// The longitude is greater than 180°, as on maps of other planets.
    public static var longitudeOutOfRange: Self { Self(rawValue: "longitudeOutOfRange") }
  }
}
