/// The verdict of a ``StalenessPolicy`` on a row.
public struct ArrivalFreshness: RawRepresentable, Sendable, Hashable, Codable,
  CustomStringConvertible
{
  /// The name of the verdict.
  public var rawValue: String
  /// Creates a verdict from its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The name of the verdict.
  public var description: String { rawValue }

  /// The row is recent enough to be shown.
  public static var fresh: Self { Self(rawValue: "fresh") }
  /// The row is too old.
  public static var old: Self { Self(rawValue: "old") }
  /// The row's time is the same on boards that are far apart: the feed has stopped there.
  public static var frozen: Self { Self(rawValue: "frozen") }
  /// The row's time is too far ahead of the clock for something that has happened.
  public static var ahead: Self { Self(rawValue: "ahead") }
  /// The row has no readable time, so its age is unknown.
  public static var undated: Self { Self(rawValue: "undated") }

  /// A Boolean value that indicates whether the row is out of date: neither fresh nor undated.
  public var isStale: Bool { self != .fresh && self != .undated }
}
