extension Meteorite {
  /// Why a position is missing, or cannot be true; nil when nothing speaks against it.
  ///
  /// Of the 38,401 positions in NASA's table, 6,214 are 0/0, which stands for "not known", and one,
  /// Meridiani Planum, lies on Mars.
  public var positionIssue: PositionIssue? {
    guard let coordinate else {
      return unreadable[MeteoriteColumn.position] == nil ? .missing : .unreadable
    }
    if coordinate.latitude == 0 && coordinate.longitude == 0 { return .zeroPlaceholder }
    if coordinate.longitude > 180 { return .longitudeOutOfRange }
    return nil
  }

  /// Whether the position is known and nothing speaks against it.
  public var hasPlausiblePosition: Bool {
    guard let coordinate else { return false }
    return coordinate.longitude <= 180
      && (coordinate.latitude != 0 || coordinate.longitude != 0)
  }

  /// Why a position is missing or cannot be true.
  public struct PositionIssue: RawRepresentable, Hashable, Sendable, Codable {
    /// The name of the reason.
    public var rawValue: String
    /// Makes a reason from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The source gives no position.
    public static var missing: Self { Self(rawValue: "missing") }
    /// The source gives something that is no position on a globe; see ``Meteorite/unreadable``.
    public static var unreadable: Self { Self(rawValue: "unreadable") }
    /// The source gives 0/0, its placeholder for "not known".
    public static var zeroPlaceholder: Self { Self(rawValue: "zeroPlaceholder") }
    /// The longitude is beyond 180°, as on maps of other planets.
    public static var longitudeOutOfRange: Self { Self(rawValue: "longitudeOutOfRange") }
  }
}
