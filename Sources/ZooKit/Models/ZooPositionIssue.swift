/// What speaks against the place of a record, which is kept all the same.
public struct ZooPositionIssue: RawRepresentable, Sendable, Hashable, Codable {
  /// The name of the issue.
  public var rawValue: String
  /// Makes an issue from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A place lies outside the zoo and the hills around it.
  public static var outsideZoo: Self { Self(rawValue: "outsideZoo") }
  /// The source has latitude and longitude the other way round; they have been put right.
  public static var swapped: Self { Self(rawValue: "swapped") }
  /// Numbers are there that make no place, or only a part of the places can be read.
  public static var unreadable: Self { Self(rawValue: "unreadable") }
}
