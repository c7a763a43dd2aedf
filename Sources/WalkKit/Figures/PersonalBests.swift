public import FieldCore

/// The record-setting walks among others.
///
/// If two walks are equal, the earlier one holds the record. Walks without a distance don't count
/// for distance or pace, and walks shorter than ``leastDistanceForPace`` don't count for pace.
public struct PersonalBests: Sendable, Hashable, Codable {
  /// The walk with the greatest distance.
  public private(set) var farthest: Walk?
  /// The walk with the longest duration, without the owner's pauses.
  public private(set) var longest: Walk?
  /// The walk with the least moving time per kilometer.
  public private(set) var fastest: Walk?
  /// The walk with the greatest climb.
  public private(set) var highest: Walk?

  /// The minimum distance for a walk's pace to count: 500 m.
  ///
  /// On shorter walks, GPS errors would set records.
  public static var leastDistanceForPace: Distance { .meters(500) }

  /// Creates the personal bests by finding the record-setting walks.
  ///
  /// - Parameters:
  ///   - walks: The walks, in any order.
  ///   - pet: The pet whose walks, and whose part of each, count; `nil` for all. Defaults to `nil`.
  ///   - period: The period whose walks count; `nil` for all time. Defaults to `nil`.
  public init(_ walks: some Sequence<Walk>, pet: Pet.ID? = nil, in period: WalkPeriod? = nil) {
    let shares = walks.filter { period?.contains($0) ?? true }
      .compactMap { WalkShare($0, of: pet) }
      .sorted { ($0.walk.start, $0.walk.id.rawValue) < ($1.walk.start, $1.walk.id.rawValue) }
    farthest = Self.first(shares) { $0.distance > .zero ? $0.distance.meters : nil }
    longest = Self.first(shares) { $0.duration > .zero ? $0.duration.seconds : nil }
    highest = Self.first(shares) { $0.climb.flatMap { $0 > .zero ? $0.meters : nil } }
    fastest = Self.first(shares) { share in
      guard share.distance >= Self.leastDistanceForPace else { return nil }
      return WalkStatistics.pace(share.movingTime, share.distance).map { -$0.seconds }
    }
  }

  private static func first(_ shares: [WalkShare], _ value: (WalkShare) -> Double?) -> Walk? {
    let valued = shares.compactMap { share in value(share).map { (share: share, value: $0) } }
    // Of equal values, this is the first.
    return valued.max { $0.value < $1.value }?.share.walk
  }
}
