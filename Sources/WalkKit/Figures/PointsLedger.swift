internal import FieldCore
public import FieldFoundation

/// What walks and badges are worth, entry by entry, and what has been spent.
///
/// ```swift
/// let ledger = PointsLedger(walks: walks, badges: badges, spending: treats)
/// print(ledger.balance)
/// ```
///
/// It is a function of its input: nothing is added up that is not there any more, and nothing counts
/// twice, since each entry has an id that is made of what it is for.
public struct PointsLedger: Sendable, Hashable, Codable {
  /// The entries, the earliest first.
  public let entries: [Entry]

  /// Makes the ledger.
  ///
  /// - Parameters:
  ///   - walks: The walks, each of which counts once.
  ///   - badges: The badges, each of which counts once.
  ///   - spending: What was spent, as points below zero, or given; of entries with the same id, and of
  ///     those with an id of the ledger's own, the first counts.
  ///   - rules: What is worth how much.
  public init(
    walks: some Sequence<Walk>, badges: [Badge] = [], spending: [Entry] = [],
    rules: PointRules = PointRules()
  ) {
    var entries: [Entry] = []
    for walk in walks {
      let kilometers = WalkShare(walk, of: nil)?.distance.kilometers ?? 0
      let (product, overflow) = rules.perKilometer.multipliedReportingOverflow(
        by: Int(kilometers.rounded(.down)))
      let (points, tooMuch) = rules.perWalk.addingReportingOverflow(overflow ? 0 : product)
      entries.append(
        Entry(id: "walk:\(walk.id)", points: tooMuch ? 0 : points, date: walk.end))
      if walk.reward != nil {
        entries.append(
          Entry(id: "reward:\(walk.id)", points: rules.perReward, date: walk.end))
      }
    }
    entries += badges.map {
      Entry(id: "badge:\($0.id)", points: rules.perBadge, date: $0.earned)
    }
    entries += spending
    var seen: Set<String> = []
    self.entries = entries.filter { seen.insert($0.id).inserted }
      .sorted { ($0.date, $0.id) < ($1.date, $1.id) }
  }

  /// The points that are left: all entries together.
  public var balance: Int {
    entries.reduce(0) { sum, entry in
      let (total, overflow) = sum.addingReportingOverflow(entry.points)
      return overflow ? (entry.points < 0 ? .min : .max) : total
    }
  }

  /// Some points and what they are for.
  public struct Entry: Identifiable, Sendable, Hashable, Codable {
    /// What the entry is for; the same thing always has the same id.
    public let id: String
    /// The points; below zero when they were spent.
    public let points: Int
    /// When they were won or spent.
    public let date: Date

    /// Makes an entry.
    public init(id: String, points: Int, date: Date) {
      self.id = id
      self.points = points
      self.date = date
    }
  }
}
