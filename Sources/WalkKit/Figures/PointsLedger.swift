internal import FieldCore
public import FieldFoundation

/// A ledger of the points that were earned by walks and badges, and of those that were spent.
///
/// ```swift
/// let ledger = PointsLedger(walks: walks, badges: badges, spending: treats)
/// print(ledger.balance)
/// ```
///
/// A ledger depends only on its input. Deleted walks don't count, and nothing counts twice, because
/// the ID of each entry is derived from what it is for.
public struct PointsLedger: Sendable, Hashable, Codable {
  /// The entries, the earliest first.
  public let entries: [Entry]

  /// Creates a ledger.
  ///
  /// - Parameters:
  ///   - walks: The walks, each of which counts once.
  ///   - badges: The badges, each of which counts once.
  ///   - spending: Points that were spent, as negative numbers, or given. If entries have the same
  ///     ID, or the ID of an entry for a walk or badge, the first one counts.
  ///   - rules: The numbers of points to award.
  public init(
    walks: some Sequence<Walk>, badges: [Badge] = [], spending: [Entry] = [],
    rules: PointRules = PointRules()
  ) {
    var entries: [Entry] = []
    for walk in walks {
      let kilometers = WalkShare(walk, of: nil)?.distance.kilometers ?? 0
      let (product, overflow) = rules.perKilometer.multipliedReportingOverflow(
        by: Int(limiting: kilometers.rounded(.down)))
      let (points, tooMuch) = rules.perWalk.addingReportingOverflow(overflow ? 0 : product)
      entries.append(Entry(id: "walk:\(walk.id)", points: tooMuch ? 0 : points, date: walk.end))
      if walk.reward != nil {
        entries.append(Entry(id: "reward:\(walk.id)", points: rules.perReward, date: walk.end))
      }
    }
    entries += badges.map { Entry(id: "badge:\($0.id)", points: rules.perBadge, date: $0.earned) }
    entries += spending
    self.entries = entries.uniqued(by: \.id).sorted { ($0.date, $0.id) < ($1.date, $1.id) }
  }

  /// The sum of all entries, which is the number of points left.
  public var balance: Int {
    entries.reduce(0) { sum, entry in
      let (total, overflow) = sum.addingReportingOverflow(entry.points)
      return overflow ? (entry.points < 0 ? .min : .max) : total
    }
  }

  /// A number of points and the reason for them.
  public struct Entry: Identifiable, Sendable, Hashable, Codable {
    /// The reason for the points; the same reason always has the same ID.
    public let id: String
    /// The points; negative if they were spent.
    public let points: Int
    /// The date on which the points were earned or spent.
    public let date: Date

    /// Creates an entry.
    public init(id: String, points: Int, date: Date) {
      self.id = id
      self.points = points
      self.date = date
    }
  }
}

/// The numbers of points that walks and badges are worth.
public struct PointRules: Sendable, Hashable, Codable {
  /// The points for each walk.
  ///
  /// Defaults to 1.
  public var perWalk: Int
  /// The points for each whole kilometer of a walk.
  ///
  /// Defaults to 1.
  public var perKilometer: Int
  /// The points for each reward.
  ///
  /// Defaults to 5.
  public var perReward: Int
  /// The points for each badge.
  ///
  /// Defaults to 10.
  public var perBadge: Int

  /// Creates rules.
  public init(perWalk: Int = 1, perKilometer: Int = 1, perReward: Int = 5, perBadge: Int = 10) {
    self.perWalk = perWalk
    self.perKilometer = perKilometer
    self.perReward = perReward
    self.perBadge = perBadge
  }
}
