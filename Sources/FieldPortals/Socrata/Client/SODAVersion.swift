/// A version of the SODA API.
public struct SODAVersion: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The number of the version, such as `2.1`.
  public var rawValue: String
  /// Creates a version from its number.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The number of the version.
  public var description: String { rawValue }

  /// SODA 2.0 of 2011: at most 50,000 rows per page, and case-insensitive text comparison.
  public static var v2_0: Self { Self(rawValue: "2.0") }
  /// SODA 2.1 of 2015: pages of any size.
  public static var v2_1: Self { Self(rawValue: "2.1") }
  /// SODA 3 of 2025: queries are sent by POST and require an app token or a sign-in.
  public static var v3: Self { Self(rawValue: "3.0") }
}
