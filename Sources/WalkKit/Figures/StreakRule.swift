public import FieldCore
internal import FieldFoundation

/// What makes a day count for a streak, and what breaks one.
///
/// ```swift
/// let streak = StreakRule(leastTime: .seconds(600), graceDays: 1).streak(of: walks, on: today)
/// print(streak.current, streak.longest)
/// ```
///
/// - A day counts when the walks that began on it, in their own zones, reach both minimums together.
/// - A streak goes on while no more than ``graceDays`` days in a row are missed. A missed day does not
///   count for its length, and today is not missed before it is over.
/// - A day that a traveller going east never had is not missed either. So a streak also goes on while
///   less real time has passed than ``graceDays`` days and one more take, less two hours for the clocks that
///   are changed in spring.
public struct StreakRule: Sendable, Hashable, Codable {
  /// The least time out on a day, without the owner's pauses; none unless told otherwise.
  public var leastTime: Duration
  /// The least distance on a day; none unless told otherwise.
  public var leastDistance: Distance
  /// How many days in a row may be missed; none unless told otherwise.
  public var graceDays: Int

  /// Makes a rule; by itself, any walk makes its day count.
  public init(leastTime: Duration = .zero, leastDistance: Distance = .zero, graceDays: Int = 0) {
    self.leastTime = leastTime
    self.leastDistance = leastDistance
    self.graceDays = graceDays
  }

  /// The streak of some walks, as it stands on a day.
  ///
  /// - Parameters:
  ///   - walks: The walks, in any order; those without a date play no part, nor do those of days after
  ///     tomorrow, which are of a clock that was wrong. Tomorrow's may be of a traveller.
  ///   - pet: The pet whose walks count; nil for all.
  ///   - today: The day it is for the owner now.
  public func streak(
    of walks: some Sequence<Walk>, pet: Pet.ID? = nil, on today: CalendarDay
  ) -> Streak {
    let days = days(of: walks, pet: pet).filter { $0.day <= today.adding(days: 1) }
    let runs = runs(of: days, on: today)
    let longest = runs.max { $0.dayCount < $1.dayCount }
    let current = runs.last.flatMap { run in
      run.last.days(until: today) - 1 <= max(graceDays, 0) ? run : nil
    }
    return Streak(
      currentRun: current, longestRun: longest,
      isTodayDone: days.contains { $0.day == today })
  }

  /// A day that counts, with its first and last start in seconds.
  private struct Day {
    var day: CalendarDay
    var firstStart: Double
    var lastStart: Double
  }

  private func days(of walks: some Sequence<Walk>, pet: Pet.ID?) -> [Day] {
    WalkCalendar().periods(of: walks, by: .day).compactMap { period, walks in
      let figures = WalkStatistics(walks, pet: pet)
      guard counts(figures), let first = figures.firstStart, let last = figures.lastStart else {
        return nil
      }
      return Day(
        day: period.first, firstStart: first.timeIntervalSince1970,
        lastStart: last.timeIntervalSince1970)
    }
  }

  private func runs(of days: [Day], on today: CalendarDay) -> [Streak.Run] {
    var runs: [Streak.Run] = []
    var previous: Day?
    for day in days {
      if let earlier = previous, let run = runs.last, isBridged(earlier, day, on: today) {
        runs[runs.count - 1] = Streak.Run(
          first: run.first, last: day.day, dayCount: run.dayCount + 1)
      } else {
        runs.append(Streak.Run(first: day.day, last: day.day, dayCount: 1))
      }
      previous = day
    }
    return runs
  }

  /// Whether the walks of a day make it count.
  func counts(_ figures: WalkStatistics) -> Bool {
    figures.walkCount > 0 && figures.duration >= leastTime && figures.distance >= leastDistance
  }

  /// The day on which a streak had so many days for the first time; nil when none has.
  func day(reaching count: Int, of walks: [Walk], pet: Pet.ID?) -> CalendarDay? {
    let days = days(of: walks, pet: pet)
    var previous: Day?
    var length = 0
    for day in days {
      length = previous.map { isBridged($0, day) } ?? false ? length + 1 : 1
      if length >= count { return day.day }
      previous = day
    }
    return nil
  }

  /// - Parameter today: The day that is not over yet; nil when all days are.
  private func isBridged(_ earlier: Day, _ later: Day, on today: CalendarDay? = nil) -> Bool {
    let isOpen = today.map { earlier.day < $0 && $0 < later.day } ?? false
    let missed = earlier.day.days(until: later.day) - (isOpen ? 2 : 1)
    let grace = max(graceDays, 0)
    if missed <= grace { return true }
    // Not the more of time the more days are missed: a walk in between, which leaves fewer days missed on
    // either side of it, would break what it can only mend.
    return later.firstStart - earlier.lastStart < Double(grace) * 86_400 + 79_200
  }
}
