internal import FieldCore
internal import FieldFoundation

// Figures are functions of walks alone; here they are given the walks of the diary.

extension WalkDiary {
  /// The figures of the walks of a pet and a period taken together.
  ///
  /// - Parameters:
  ///   - pet: The pet; nil for all walks, each of them once.
  ///   - period: The calendar days, each walk's in its own zone; nil for all time.
  @concurrent
  public func statistics(
    of pet: Pet.ID? = nil, in period: WalkPeriod? = nil
  ) async throws -> WalkStatistics {
    WalkStatistics(try await walks(around: period, of: pet), pet: pet, in: period)
  }

  /// The best walks of a pet and a period.
  @concurrent
  public func personalBests(
    of pet: Pet.ID? = nil, in period: WalkPeriod? = nil
  ) async throws -> PersonalBests {
    PersonalBests(try await walks(around: period, of: pet), pet: pet, in: period)
  }

  /// How far a weekly goal is reached in the week that it is now.
  @concurrent
  public func progress(of goal: WeeklyGoal) async throws -> WeeklyGoal.Progress {
    let today = core.today
    let week = WalkCalendar(weekStart: goal.weekStart).period(.week, containing: today)
    return goal.progress(of: try await walks(around: week, of: goal.pet), inWeekOf: today)
  }

  /// How many days in a row a pet went out.
  @concurrent
  public func streak(
    of pet: Pet.ID? = nil, rule: StreakRule = StreakRule()
  ) async throws -> Streak {
    rule.streak(of: try await allWalks(of: pet), pet: pet, on: core.today)
  }

  /// The badges that a pet's walks have won, in order.
  @concurrent
  public func badges(
    of pet: Pet.ID? = nil, rules: [BadgeRule] = BadgeRule.standard
  ) async throws -> [Badge] {
    Badges.earned(by: try await allWalks(of: pet), of: pet, rules: rules)
  }

  /// The walks that can be in a period, and few others: a day begins up to 18 hours before or after
  /// it does in UTC.
  private func walks(around period: WalkPeriod?, of pet: Pet.ID?) async throws -> [Walk] {
    guard let period else { return try await allWalks(of: pet) }
    let first = period.first.start(in: .utc).addingTimeInterval(-64_800)
    let last = period.last.start(in: .utc).addingTimeInterval(86_400 + 64_800)
    return try await allWalks(of: pet, in: first..<max(first, last))
  }
}
