public import FieldCore

/// The walks that stand out among others.
///
/// Of two walks that are equal the earlier one holds the record. Walks without a distance hold none for
/// distance or pace, and neither do walks below ``leastDistanceForPace`` for pace.
public struct PersonalBests: Sendable, Hashable, Codable {
  /// The walk that went farthest.
  public private(set) var farthest: Walk?
  /// The walk that took longest, without the owner's pauses.
  public private(set) var longest: Walk?
  /// The walk with the least moving time a kilometre.
  public private(set) var fastest: Walk?
  /// The walk that went up most.
  public private(set) var highest: Walk?

  /// How far a walk has to go for its pace to count: 500 m. Below that, the errors of satellites make
  /// records.
  public static var leastDistanceForPace: Distance { .meters(500) }

  /// Finds the walks that stand out.
  ///
  /// - Parameters:
  ///   - walks: The walks, in any order.
  ///   - pet: The pet whose walks and whose parts of them count; nil for all.
  ///   - period: The period whose walks count; nil for all time.
  public init(_ walks: some Sequence<Walk>, pet: Pet.ID? = nil, in period: WalkPeriod? = nil) {
    let shares = walks.filter { period?.contains($0) ?? true }
      .compactMap { WalkShare($0, of: pet) }
      .sorted { ($0.walk.start, $0.walk.id.rawValue) < ($1.walk.start, $1.walk.id.rawValue) }
    farthest = Self.first(shares) { $0.distance > .zero ? $0.distance.meters : nil }
    longest = Self.first(shares) { $0.duration > .zero ? $0.duration.seconds : nil }
    highest = Self.first(shares) { share in
      share.climb.flatMap { $0 > .zero ? $0.meters : nil }
    }
    fastest = Self.first(shares) { share in
      guard share.distance >= Self.leastDistanceForPace else { return nil }
      return WalkStatistics.pace(share.movingTime, share.distance).map { -$0.seconds }
    }
  }

  private static func first(_ shares: [WalkShare], _ value: (WalkShare) -> Double?) -> Walk? {
    var best: (walk: Walk, value: Double)?
    for share in shares {
      guard let value = value(share) else { continue }
      if best.map({ value > $0.value }) ?? true { best = (share.walk, value) }
    }
    return best?.walk
  }
}
