/// How big a meteorite is, in the three classes of the old app's map.
public enum MeteoriteSizeClass: String, Hashable, Sendable, Codable, CaseIterable {
  /// 10 kg and more.
  case big
  /// 1 kg and more.
  case small
  /// Less, or not known.
  case other

  /// The class of a mass in grams; nil is a mass that is not known.
  public init(massInGrams: Double?) {
    self = Self.allCases.first { $0.holds(massInGrams ?? 0) } ?? .other
  }

  /// The least mass of the class in grams, itself included; nil for ``other``.
  public var leastMassInGrams: Double? {
    switch self {
    case .big: 10_000
    case .small: 1_000
    case .other: nil
    }
  }

  private func holds(_ mass: Double) -> Bool { mass >= leastMassInGrams ?? 0 }
}

extension Meteorite {
  /// How big the meteorite is.
  public var sizeClass: MeteoriteSizeClass { MeteoriteSizeClass(massInGrams: massInGrams) }
}
