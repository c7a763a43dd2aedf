/// A problem with a point of a ``WalkRoute``, which is kept nevertheless.
public struct RouteIssue: Sendable, Hashable, Codable, CustomStringConvertible, Identifiable {
  /// The kind of problem.
  public var kind: Kind
  /// The index of the segment.
  public var segment: Int
  /// The index of the point in its segment.
  public var point: Int

  /// Creates an issue.
  public init(kind: Kind, segment: Int, point: Int) {
    self.kind = kind
    self.segment = segment
    self.point = point
  }

  /// A kind of problem, as an open set of names.
  public struct Kind: RawRepresentable, Sendable, Hashable, Codable {
    /// The name of the kind.
    public var rawValue: String
    /// Creates a kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The point has no time, or one that is not finite.
    public static let noTime = Self(rawValue: "noTime")
    /// The point has no elevation, or one that is not finite.
    public static let noElevation = Self(rawValue: "noElevation")
    /// The elevation is below the sea floor or above the atmosphere, and is ignored in climbs.
    public static let implausibleElevation = Self(rawValue: "implausibleElevation")
    /// The point is at exactly 0, 0, which receivers without a fix report.
    public static let nullIsland = Self(rawValue: "nullIsland")
    /// The point repeats the place and time of the previous one.
    public static let duplicate = Self(rawValue: "duplicate")
    /// The point has the time of the previous one but another place.
    public static let repeatedTime = Self(rawValue: "repeatedTime")
    /// The point is earlier than the previous one with a time, in this or an earlier segment.
    public static let wrongOrder = Self(rawValue: "wrongOrder")
    /// The point is 1,024 weeks, or two or three times as many, before another point of the route,
    /// because the receiver's week number rolled over.
    public static let weekRollover = Self(rawValue: "weekRollover")
    /// The time is before GPS existed (1980), such as 1901 after an overflow, or after 2200.
    public static let implausibleTime = Self(rawValue: "implausibleTime")
    /// The point can't be reached from the previous one in the time between them.
    public static let jump = Self(rawValue: "jump")
  }

  /// The kind and the position in the route, such as `jump at point 7 of segment 0`.
  public var description: String { "\(kind.rawValue) at point \(point) of segment \(segment)" }

  /// The issue itself.
  public var id: RouteIssue { self }
}
