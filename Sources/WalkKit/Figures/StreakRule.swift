public import FieldCore
internal import FieldFoundation

/// A rule for which days count for a streak and when a streak is broken.
///
/// ```swift
/// let streak = StreakRule(leastTime: .seconds(600), graceDays: 1).streak(of: walks, on: today)
/// print(streak.current, streak.longest)
/// ```
///
/// - A day counts if the walks that began on it, in their own time zones, reach both minimums
///   together.
/// - A streak continues as long as no more than ``graceDays`` consecutive days are missed. A missed
///   day doesn't add to its length, and today isn't missed before it is over.
/// - A day that an eastbound traveler skipped isn't missed either. A streak therefore also
///   continues if less real time has passed than ``graceDays`` days plus one more day, less two
///   hours for daylight saving time.
public struct StreakRule: Sendable, Hashable, Codable {
  /// The minimum time out on a day, without the owner's pauses.
  ///
  /// Defaults to zero.
  public var leastTime: Duration
  /// The minimum distance on a day.
  ///
  /// Defaults to zero.
  public var leastDistance: Distance
  /// The number of consecutive days that may be missed.
  ///
  /// Defaults to 0.
  public var graceDays: Int

  /// Creates a rule; by default, any walk makes its day count.
  public init(leastTime: Duration = .zero, leastDistance: Distance = .zero, graceDays: Int = 0) {
    self.leastTime = leastTime
    self.leastDistance = leastDistance
    self.graceDays = graceDays
  }

  /// Returns the streak of some walks as of a day.
  ///
  /// - Parameters:
  ///   - walks: The walks, in any order. Walks without a date are ignored, and so are those dated
  ///     after tomorrow, which come from a wrong clock. Walks dated tomorrow may be a traveler's.
  ///   - pet: The pet whose walks count; `nil` for all. Defaults to `nil`.
  ///   - today: The current day where the owner is.
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
      currentRun: current, longestRun: longest, isTodayDone: days.contains { $0.day == today })
  }

  /// A day that counts, with its first and last start in seconds.
  private typealias Day = (day: CalendarDay, firstStart: Double, lastStart: Double)

  private func days(of walks: some Sequence<Walk>, pet: Pet.ID?) -> [Day] {
    WalkCalendar().periods(of: walks, by: .day).compactMap { period, walks in
      let figures = WalkStatistics(walks, pet: pet)
      guard counts(figures), let first = figures.firstStart, let last = figures.lastStart else {
        return nil
      }
      return (period.first, first.timeIntervalSince1970, last.timeIntervalSince1970)
    }
  }

  /// Returns the run of each day, as long as it is on that day.
  ///
  /// - Parameter today: The day that isn't over yet; `nil` if all days are.
  private func runs(of days: [Day], on today: CalendarDay? = nil) -> [Streak.Run] {
    var runs: [Streak.Run] = []
    for (place, day) in days.enumerated() {
      if let run = runs.last, isBridged(days[place - 1], day, on: today) {
        runs.append(Streak.Run(first: run.first, last: day.day, dayCount: run.dayCount + 1))
      } else {
        runs.append(Streak.Run(first: day.day, last: day.day, dayCount: 1))
      }
    }
    return runs
  }

  /// Returns whether the walks of a day make it count.
  func counts(_ figures: WalkStatistics) -> Bool {
    figures.walkCount > 0 && figures.duration >= leastTime && figures.distance >= leastDistance
  }

  /// Returns the day on which a streak first reached a number of days, or `nil` if none has.
  func day(reaching count: Int, of walks: [Walk], pet: Pet.ID?) -> CalendarDay? {
    runs(of: days(of: walks, pet: pet)).first { $0.dayCount >= count }?.last
  }

  /// Returns whether a streak continues from one day to a later one.
  private func isBridged(_ earlier: Day, _ later: Day, on today: CalendarDay?) -> Bool {
    let isOpen = today.map { earlier.day < $0 && $0 < later.day } ?? false
    let missed = earlier.day.days(until: later.day) - (isOpen ? 2 : 1)
    let grace = max(graceDays, 0)
    if missed <= grace { return true }
    // The allowed time doesn't grow with the number of missed days. Otherwise, a walk in between,
    // which leaves fewer missed days on either side, could break the streak that it should mend.
    return later.firstStart - earlier.lastStart < Double(grace) * 86_400 + 79_200
  }
}

/// The number of consecutive days with walks, according to a ``StreakRule``.
public struct Streak: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The current run; `nil` if it is broken or hasn't begun.
  public let currentRun: Run?
  /// The longest run, or the earliest of several; `nil` if no day counts.
  public let longestRun: Run?
  /// A Boolean value that indicates whether today already counts.
  public let isTodayDone: Bool

  /// The number of days in the current run; 0 if there is none.
  public var current: Int { currentRun?.dayCount ?? 0 }
  /// The number of days in the longest run; 0 if there is none.
  public var longest: Int { longestRun?.dayCount ?? 0 }

  /// A run of days that count.
  public struct Run: Sendable, Hashable, Codable {
    /// The first day.
    public let first: CalendarDay
    /// The last day so far.
    public let last: CalendarDay
    /// The number of days that count, without grace days in between.
    public let dayCount: Int
  }

  /// The lengths of the current and the longest run.
  public var description: String { "\(current) days, at most \(longest)" }
}
