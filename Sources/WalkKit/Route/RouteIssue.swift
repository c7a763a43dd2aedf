/// Something odd about a point of a ``WalkRoute``, which is kept all the same.
public struct RouteIssue: Sendable, Hashable, Codable {
  /// What is odd.
  public var kind: Kind
  /// The segment, from 0.
  public var segment: Int
  /// The point in its segment, from 0.
  public var point: Int

  /// Makes an issue.
  public init(kind: Kind, segment: Int, point: Int) {
    self.kind = kind
    self.segment = segment
    self.point = point
  }

  /// What can be odd: an open set of words.
  public struct Kind: RawRepresentable, Sendable, Hashable, Codable {
    /// The word.
    public var rawValue: String
    /// Makes a kind of its word.
    public init(rawValue: String) { self.rawValue = rawValue }
  }
}

extension RouteIssue.Kind {
  /// The point has no time, or one that is not finite.
  public static let noTime = Self(rawValue: "noTime")
  /// The point has no elevation, or one that is not finite.
  public static let noElevation = Self(rawValue: "noElevation")
  /// The elevation is deeper than the sea or higher than the air, and counts for no climb.
  public static let implausibleElevation = Self(rawValue: "implausibleElevation")
  /// The point is at 0, 0 exactly, where receivers are that have no fix.
  public static let nullIsland = Self(rawValue: "nullIsland")
  /// The point has the place and the time of the one before, which therefore is there twice.
  public static let duplicate = Self(rawValue: "duplicate")
  /// The point has the time of the one before and another place.
  public static let repeatedTime = Self(rawValue: "repeatedTime")
  /// The point is earlier than the one with a time before it, in this segment or the ones before.
  public static let wrongOrder = Self(rawValue: "wrongOrder")
  /// The point is 1,024 weeks, or two or three times as many, before another one of the route: its
  /// receiver has counted the weeks of GPS from zero again.
  public static let weekRollover = Self(rawValue: "weekRollover")
  /// The time is before GPS was (1980), such as the 1901 of an overflown counter, or after 2200.
  public static let implausibleTime = Self(rawValue: "implausibleTime")
  /// The point cannot be reached from the one before in the time between them.
  public static let jump = Self(rawValue: "jump")
}

extension RouteIssue: CustomStringConvertible {
  /// The kind and the place in the route, such as `jump at point 7 of segment 0`.
  public var description: String { "\(kind.rawValue) at point \(point) of segment \(segment)" }
}

extension RouteIssue: Identifiable {
  /// The issue itself.
  public var id: RouteIssue { self }
}
