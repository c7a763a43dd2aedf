/// What a ``StalenessPolicy`` makes of a row.
public struct ArrivalFreshness: RawRepresentable, Sendable, Hashable, Codable,
  CustomStringConvertible
{
  /// The name of the verdict.
  public var rawValue: String
  /// Makes a verdict from its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The name of the verdict.
  public var description: String { rawValue }

  /// The row is young enough to be shown as news.
  public static var fresh: Self { Self(rawValue: "fresh") }
  /// The row is too old.
  public static var old: Self { Self(rawValue: "old") }
  /// The row's time has not moved between boards that are far apart: the feed has stopped there.
  public static var frozen: Self { Self(rawValue: "frozen") }
  /// The row's time lies too far ahead of the clock to be one of something that has happened.
  public static var ahead: Self { Self(rawValue: "ahead") }
  /// The row has no time that can be read, so nobody knows how old it is.
  public static var undated: Self { Self(rawValue: "undated") }

  /// Whether the row is known to be out of date: neither fresh nor undated.
  public var isStale: Bool { self != .fresh && self != .undated }
}
