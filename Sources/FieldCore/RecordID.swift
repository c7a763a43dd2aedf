/// A string that identifies one value among all values of its kind.
///
/// Each model declares its own ID type as `ID`. The IDs of different kinds are different types, so
/// code that passes the ID of a walk where the ID of a pet is expected doesn't compile.
///
/// ```swift
/// struct Trail: Identifiable {
///   typealias ID = RecordID<Trail>
///   var id: ID
/// }
/// let lengths: [Trail.ID: Distance] = ["ridge": .kilometers(12)]
/// ```
///
/// An ID is encoded as its string alone, and IDs are ordered like their strings.
@frozen
public struct RecordID<Subject>: RawRepresentable, Hashable, Comparable, Sendable, Codable,
  CodingKeyRepresentable,
  ExpressibleByStringLiteral, CustomStringConvertible
{
  /// The string that identifies the value.
  public var rawValue: String

  /// Creates an ID from its string.
  @inlinable
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates an ID from a string literal.
  @inlinable
  public init(stringLiteral value: String) { rawValue = value }

  /// The string that identifies the value.
  @inlinable
  public var description: String { rawValue }

  /// Returns a Boolean value that indicates whether two IDs have the same string.
  @inlinable
  public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

  /// Returns a Boolean value that indicates whether the string of one ID precedes that of another.
  @inlinable
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
