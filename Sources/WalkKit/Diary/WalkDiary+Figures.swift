internal import FieldCore
internal import FieldFoundation

// Statistics are functions of walks only; these methods apply them to the walks in the diary.

extension WalkDiary {
  /// Returns the combined statistics of the walks of a pet in a period.
  ///
  /// ```swift
  /// let statistics = try await diary.statistics(of: mesh.id)
  /// print(statistics.walkCount, statistics.distance, statistics.duration)
  /// ```
  ///
  /// - Parameters:
  ///   - pet: The pet; `nil` to count all walks once. Defaults to `nil`.
  ///   - period: The calendar days, each walk's in its own time zone; `nil` for all time. Defaults
  ///     to `nil`.
  @concurrent
  public func statistics(
    of pet: Pet.ID? = nil, in period: WalkPeriod? = nil
  ) async throws -> WalkStatistics {
    WalkStatistics(try await walks(around: period, of: pet), pet: pet, in: period)
  }

  /// Returns the best walks of a pet in a period.
  ///
  /// ```swift
  /// let bests = try await diary.personalBests(of: mesh.id)
  /// if let longest = bests.longest { show(longest.distance, longest.day) }
  /// ```
  @concurrent
  public func personalBests(
    of pet: Pet.ID? = nil, in period: WalkPeriod? = nil
  ) async throws -> PersonalBests {
    PersonalBests(try await walks(around: period, of: pet), pet: pet, in: period)
  }

  /// Returns the progress toward a weekly goal in the current week.
  ///
  /// ```swift
  /// let goal = try WeeklyGoal(.distance(.kilometers(20)))
  /// print(try await diary.progress(of: goal).fraction)
  /// ```
  @concurrent
  public func progress(of goal: WeeklyGoal) async throws -> WeeklyGoal.Progress {
    let today = core.today
    let week = WalkCalendar(weekStart: goal.weekStart).period(.week, containing: today)
    return goal.progress(of: try await walks(around: week, of: goal.pet), inWeekOf: today)
  }

  /// Returns the number of consecutive days on which a pet went for walks.
  ///
  /// ```swift
  /// print(try await diary.streak(of: mesh.id).current, "days in a row")
  /// ```
  @concurrent
  public func streak(
    of pet: Pet.ID? = nil, rule: StreakRule = StreakRule()
  ) async throws -> Streak {
    rule.streak(of: try await allWalks(of: pet), pet: pet, on: core.today)
  }

  /// Returns the badges that a pet's walks have won, in order.
  ///
  /// ```swift
  /// for badge in try await diary.badges(of: mesh.id) { print(badge, badge.earned) }
  /// ```
  @concurrent
  public func badges(
    of pet: Pet.ID? = nil, rules: [BadgeRule] = BadgeRule.standard
  ) async throws -> [Badge] {
    Badges.earned(by: try await allWalks(of: pet), of: pet, rules: rules)
  }

  /// Returns the walks that may be in a period, and few others: a day begins up to 18 hours before
  /// or after it does in UTC.
  private func walks(around period: WalkPeriod?, of pet: Pet.ID?) async throws -> [Walk] {
    guard let period else { return try await allWalks(of: pet) }
    let first = period.first.start(in: .utc).addingTimeInterval(-64_800)
    let last = period.last.start(in: .utc).addingTimeInterval(86_400 + 64_800)
    return try await allWalks(of: pet, in: first..<max(first, last))
  }
}
