extension Meteorite {
  /// The year of a fall or a find, in the proleptic Gregorian calendar.
  public struct Year: RawRepresentable, Hashable, Comparable, Sendable, Codable {
    /// The number of the year.
    public var rawValue: Int
    /// Makes a year from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Makes a year from its number.
    public init(_ number: Int) { rawValue = number }

    /// Whether the year can be true, seen from `currentYear`.
    ///
    /// The source has one year to come, 2101 of Northwest Africa 7701; older copies have 2501 for a
    /// find of 2501 before our era that had lost its sign.
    public func validity(currentYear: Int) -> Validity {
      if rawValue > currentYear { return .future }
      return rawValue < 1 ? .beforeOurEra : .plausible
    }

    /// Whether the left year is the earlier one.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// Whether a year can be true.
    public enum Validity: String, Hashable, Sendable, Codable, CaseIterable {
      /// It can.
      case plausible
      /// It is still to come, which no find can be.
      case future
      /// It is 0 or less, which the source's files cannot hold without harm.
      case beforeOurEra
    }
  }
}

extension Meteorite.Year: ExpressibleByIntegerLiteral {
  /// Makes a year from its number.
  public init(integerLiteral value: Int) { rawValue = value }
}

extension Meteorite.Year: CustomStringConvertible {
  /// The number.
  public var description: String { String(rawValue) }
}
