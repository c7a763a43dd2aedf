/// Figures about meteorites: how many and how heavy, by group, by decade and by fall.
public struct MeteoriteStatistics: Hashable, Sendable, Codable, CustomStringConvertible {
  /// All of them.
  public private(set) var total = Tally()
  /// By the group of their class.
  public private(set) var byGroup: [Meteorite.ClassGroup: Tally] = [:]
  /// By the decade of their year: 1990 stands for 1990 to 1999; those without a year are left out.
  public private(set) var byDecade: [Int: Tally] = [:]
  /// By whether their fall was seen.
  public private(set) var byFall: [Meteorite.Fall: Tally] = [:]

  /// Makes figures about nothing.
  public init() {}

  /// Makes figures about `meteorites`.
  public init(of meteorites: some Sequence<Meteorite>) {
    for meteorite in meteorites { count(meteorite) }
  }

  /// Adds a meteorite to the figures.
  public mutating func count(_ meteorite: Meteorite) {
    total.count(meteorite)
    byGroup[meteorite.classification.group, default: Tally()].count(meteorite)
    byFall[meteorite.fall, default: Tally()].count(meteorite)
    guard let year = meteorite.year?.rawValue else { return }
    let decade = (year >= 0 ? year / 10 : (year - 9) / 10) * 10
    byDecade[decade, default: Tally()].count(meteorite)
  }

  /// How many meteorites, and how heavy.
  public struct Tally: Hashable, Sendable, Codable {
    /// How many there are.
    public private(set) var count = 0
    /// How many of them have a mass.
    public private(set) var withMass = 0
    /// The sum of the masses that are known, in grams.
    public private(set) var massInGrams = 0.0
    /// The id of the heaviest one, of the least id among equals; nil when no mass is known.
    public private(set) var heaviest: Meteorite.ID?
    /// The mass of the heaviest one, in grams.
    public private(set) var heaviestMassInGrams: Double?

    /// Makes an empty tally.
    public init() {}

    mutating func count(_ meteorite: Meteorite) {
      count += 1
      guard let mass = meteorite.massInGrams else { return }
      withMass += 1
      massInGrams += mass
      if let heaviest, let heaviestMassInGrams,
        (heaviestMassInGrams, meteorite.id) >= (mass, heaviest)
      {
        return
      }
      heaviest = meteorite.id
      heaviestMassInGrams = mass
    }
  }

  /// The number of meteorites.
  public var description: String { "\(total.count) meteorites" }
}
