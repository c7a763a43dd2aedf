/// An issue with the place of a record, which is kept nevertheless.
public struct ZooPositionIssue: RawRepresentable, Sendable, Hashable, Codable {
  /// The name of the issue.
  public var rawValue: String
  /// Creates an issue from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A place is outside the zoo and the hills around it.
  public static var outsideZoo: Self { Self(rawValue: "outsideZoo") }
  /// The source has swapped latitude and longitude, which have been corrected.
  public static var swapped: Self { Self(rawValue: "swapped") }
  /// The numbers aren't a valid place, or only some of the places can be read.
  public static var unreadable: Self { Self(rawValue: "unreadable") }
}
