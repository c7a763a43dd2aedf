/// Something whose first start is told once: the app, a screen, or whatever an app names itself.
public struct LaunchFlag: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The name.
  public let rawValue: String
  /// Makes a flag from its name, which an app may choose.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Makes a flag from its name.
  public init(stringLiteral value: String) { self.init(rawValue: value) }
  /// The name.
  public var description: String { rawValue }

  /// The app itself: its welcome.
  public static var app: Self { Self(rawValue: "app") }
  /// The screen of messages.
  public static var messages: Self { Self(rawValue: "messages") }
  /// The screen of facilities.
  public static var facilities: Self { Self(rawValue: "facilities") }
  /// The map.
  public static var map: Self { Self(rawValue: "map") }
}
