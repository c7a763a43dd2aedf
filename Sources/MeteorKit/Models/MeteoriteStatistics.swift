/// Statistics about meteorites: their numbers and masses, by group, decade, and fall.
public struct MeteoriteStatistics: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The tally of all meteorites.
  public private(set) var total = Tally()
  /// The tallies by the group of the meteorites' classes.
  public private(set) var byGroup: [Meteorite.ClassGroup: Tally] = [:]
  /// The tallies by decade, skipping meteorites without a year; 1990 stands for 1990 through 1999.
  public private(set) var byDecade: [Int: Tally] = [:]
  /// The tallies by whether the fall was seen.
  public private(set) var byFall: [Meteorite.Fall: Tally] = [:]

  /// Creates empty statistics.
  public init() {}

  /// Creates statistics about meteorites.
  public init(of meteorites: some Sequence<Meteorite>) {
    for meteorite in meteorites { count(meteorite) }
  }

  /// Adds a meteorite to the statistics.
  public mutating func count(_ meteorite: Meteorite) {
    total.count(meteorite)
    byGroup[meteorite.classification.group, default: Tally()].count(meteorite)
    byFall[meteorite.fall, default: Tally()].count(meteorite)
    guard let year = meteorite.year?.rawValue else { return }
    let decade = (year >= 0 ? year / 10 : (year - 9) / 10) * 10
    byDecade[decade, default: Tally()].count(meteorite)
  }

  /// The number of meteorites, and their masses.
  public struct Tally: Hashable, Sendable, Codable {
    /// The number of meteorites.
    public private(set) var count = 0
    /// The number of meteorites with a known mass.
    public private(set) var withMass = 0
    /// The sum of the known masses, in grams.
    public private(set) var massInGrams = 0.0
    /// The ID of the heaviest meteorite, the lowest of equals; `nil` if no mass is known.
    public private(set) var heaviest: Meteorite.ID?
    /// The mass of the heaviest meteorite, in grams.
    public private(set) var heaviestMassInGrams: Double?

    /// Creates an empty tally.
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

  /// A description with the number of meteorites.
  public var description: String { "\(total.count) meteorites" }
}
