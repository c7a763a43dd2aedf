/// The state of a store after a commit: a number that grows with each.
public struct Revision: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
  /// How many commits led here; 0 is the empty store.
  public var number: UInt64

  /// Makes a revision.
  public init(number: UInt64) { self.number = number }

  /// The revision of a store that was never written to.
  public static var zero: Revision { Revision(number: 0) }

  /// Whether the left revision came before the right one.
  public static func < (left: Revision, right: Revision) -> Bool { left.number < right.number }

  /// The number, after an `r`.
  public var description: String { "r\(number)" }
}
