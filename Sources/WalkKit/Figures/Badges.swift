internal import FieldCore

/// A namespace for awarding badges to walks.
///
/// ```swift
/// let badges = Badges.earned(by: walks, of: pet.id)
/// let new = badges.filter { !known.contains($0.id) }
/// ```
///
/// Badges depend only on the walks: their order doesn't matter, and further walks never remove a
/// badge. Each badge has the date of the walk that won it.
public enum Badges {
  /// Returns the badges that walks have won, in the order in which they were won.
  ///
  /// - Parameters:
  ///   - walks: All walks so far.
  ///   - pet: The pet that wins the badges; `nil` for all pets together. Defaults to `nil`.
  ///   - rules: The rules, each of which yields one badge at most. Defaults to
  ///     ``BadgeRule/standard``.
  public static func earned(
    by walks: some Sequence<Walk>, of pet: Pet.ID? = nil,
    rules: [BadgeRule] = BadgeRule.standard
  ) -> [Badge] {
    let shares = walks.compactMap { WalkShare($0, of: pet) }
      .sorted { ($0.walk.start, $0.walk.id.rawValue) < ($1.walk.start, $1.walk.id.rawValue) }
    return rules.compactMap { rule in
      winner(of: rule, among: shares, pet: pet).map { Badge(rule, pet: pet, walk: $0) }
    }
    .uniqued(by: \.id)
    .sorted { ($0.earned, $0.id.rawValue) < ($1.earned, $1.id.rawValue) }
  }

  /// Returns the walk that first satisfied a rule, or `nil` if there is none.
  private static func winner(of rule: BadgeRule, among shares: [WalkShare], pet: Pet.ID?) -> Walk? {
    switch rule {
    case .walks(let count):
      return nth(count, of: shares) { _ in true }
    case .rewards(let count):
      return nth(count, of: shares) { $0.walk.reward != nil }
    case .badWeather(let count):
      return nth(count, of: shares) { $0.walk.weather?.isBad == true }
    case .oneWalk(let distance):
      return nth(1, of: shares) { $0.distance >= distance }
    case .totalDistance(let wanted):
      var sum = Distance.zero
      return shares.first { share in
        sum += share.distance
        return sum >= wanted
      }?.walk
    case .streak(let days, let rule):
      return streakWinner(days, rule, shares.map(\.walk), pet)
    case .weeklyGoal(let goal, let weeks):
      return weeklyWinner(goal, weeks, shares.map(\.walk), pet)
    }
  }

  private static func nth(
    _ count: Int, of shares: [WalkShare], _ counts: (WalkShare) -> Bool
  ) -> Walk? {
    guard count > 0 else { return nil }
    return shares.lazy.filter(counts).dropFirst(count - 1).first?.walk
  }

  /// Returns the walk that completed the last day of the first streak of sufficient length.
  private static func streakWinner(
    _ days: Int, _ rule: StreakRule, _ walks: [Walk], _ pet: Pet.ID?
  ) -> Walk? {
    let dated = walks.filter { !$0.isUndated }
    guard days > 0, let end = rule.day(reaching: days, of: dated, pet: pet) else { return nil }
    let ofDay = dated.filter { $0.day == end }
    return ofDay.indices.lazy.map { ofDay[...$0] }
      .first { rule.counts(WalkStatistics($0, pet: pet)) }?.last
  }

  /// Returns the walk that met the goal in the last of the required weeks.
  private static func weeklyWinner(
    _ goal: WeeklyGoal, _ weeks: Int, _ walks: [Walk], _ pet: Pet.ID?
  ) -> Walk? {
    let own = goal.limited(to: pet)
    guard weeks > 0, let week = own.weeksMet(by: walks).dropFirst(weeks - 1).first else {
      return nil
    }
    let ofWeek = walks.filter { week.contains($0) }
    return ofWeek.indices.lazy.map { ofWeek[...$0] }
      .first { own.progress(of: $0, inWeekOf: week.first).isMet }?.last
  }
}
