/// A name for the first launch of the app, of a screen, or of anything else that an app defines.
public struct LaunchFlag: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The name.
  public let rawValue: String
  /// Creates a flag from a name of your choice.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Creates a flag from its name.
  public init(stringLiteral value: String) { self.init(rawValue: value) }
  /// The name.
  public var description: String { rawValue }

  /// The first launch of the app itself.
  public static var app: Self { Self(rawValue: "app") }
  /// The first visit to the messages screen.
  public static var messages: Self { Self(rawValue: "messages") }
  /// The first visit to the facilities screen.
  public static var facilities: Self { Self(rawValue: "facilities") }
  /// The first visit to the map.
  public static var map: Self { Self(rawValue: "map") }
}
