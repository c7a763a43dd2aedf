/// The size of a meteorite, in the three classes of the old app's map.
public enum MeteoriteSizeClass: String, Hashable, Sendable, Codable, CaseIterable {
  /// 10 kg or more.
  case big
  /// At least 1 kg, but less than 10 kg.
  case small
  /// Less than 1 kg, or unknown.
  case other

  /// Creates the class of a mass in grams, or of an unknown mass if `nil`.
  public init(massInGrams: Double?) {
    self = Self.allCases.first { massInGrams ?? 0 >= $0.leastMassInGrams ?? 0 } ?? .other
  }

  /// The minimum mass of the class, in grams, inclusive; `nil` for ``other``.
  public var leastMassInGrams: Double? {
    switch self {
    case .big: 10_000
    case .small: 1_000
    case .other: nil
    }
  }
}

extension Meteorite {
  /// The meteorite's size class.
  public var sizeClass: MeteoriteSizeClass { MeteoriteSizeClass(massInGrams: massInGrams) }
}
