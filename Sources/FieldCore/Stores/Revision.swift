/// The state of a store after a commit: a number that increases with each.
public struct Revision: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
  /// The number of commits so far; 0 is the empty store.
  public var number: UInt64

  /// Creates a revision.
  public init(number: UInt64) { self.number = number }

  /// The revision of a store without commits.
  public static var zero: Revision { Revision(number: 0) }

  /// Returns a Boolean value that indicates whether the left revision precedes the right one.
  public static func < (left: Revision, right: Revision) -> Bool { left.number < right.number }

  /// The letter `r`, followed by the number.
  public var description: String { "r\(number)" }
}
