extension Meteorite {
  /// The year of a fall or find, in the proleptic Gregorian calendar.
  public struct Year: RawRepresentable, Hashable, Comparable, Sendable, Codable {
    /// The number of the year.
    public var rawValue: Int
    /// Creates a year from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Creates a year from its number.
    public init(_ number: Int) { rawValue = number }

    /// Returns the plausibility of the year, as seen from `currentYear`.
    ///
    /// The source contains one future year, 2101 for Northwest Africa 7701. Older copies contain
    /// 2501 for a find of 2501 BCE that had lost its sign.
    public func validity(currentYear: Int) -> Validity {
      if rawValue > currentYear { return .future }
      return rawValue < 1 ? .beforeOurEra : .plausible
    }

    /// Returns a Boolean value that indicates whether the left year is earlier.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The plausibility of a year.
    public enum Validity: String, Hashable, Sendable, Codable, CaseIterable {
      /// The year is plausible.
      case plausible
      /// The year is in the future, which is impossible for a find.
      case future
      /// The year is 0 or less, which the source's files can't represent reliably.
      case beforeOurEra
    }
  }
}

extension Meteorite.Year: ExpressibleByIntegerLiteral {
  /// Creates a year from its number.
  public init(integerLiteral value: Int) { rawValue = value }
}

extension Meteorite.Year: CustomStringConvertible {
  /// The number of the year.
  public var description: String { String(rawValue) }
}
