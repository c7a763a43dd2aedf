public import FieldCore

/// A goal for each week: a number of minutes, a distance, or a number of walks.
///
/// ```swift
/// let goal = try WeeklyGoal(.minutes(150), pet: pet.id)
/// let progress = goal.progress(of: walks, inWeekOf: today)
/// print(progress.fraction, progress.isMet)
/// ```
public struct WeeklyGoal: Sendable, Hashable, Codable {
  /// The target to reach.
  public let target: Target
  /// The pet whose walks count; `nil` for all walks.
  public let pet: Pet.ID?
  /// The first day of the week.
  public let weekStart: CalendarDay.Weekday

  /// Creates a goal.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if the target isn't greater than zero.
  public init(
    _ target: Target, pet: Pet.ID? = nil, weekStart: CalendarDay.Weekday = .monday
  ) throws {
    guard target.amount.isFinite, target.amount > 0 else {
      throw FieldError(
        .invalidInput, "The goal must be greater than zero, but it is \(target.amount).")
    }
    self.init(valid: target, pet: pet, weekStart: weekStart)
  }

  /// The target for each week.
  public enum Target: Sendable, Hashable, Codable {
    /// A number of minutes out, without the owner's pauses.
    case minutes(Int)
    /// A distance.
    case distance(Distance)
    /// A number of walks.
    case walks(Int)

    private enum MinutesCodingKeys: String, CodingKey { case _0 = "count" }
    private enum DistanceCodingKeys: String, CodingKey { case _0 = "meters" }
    private enum WalksCodingKeys: String, CodingKey { case _0 = "count" }

    /// The number of minutes, meters, or walks.
    public var amount: Double {
      switch self {
      case .minutes(let count), .walks(let count): Double(count)
      case .distance(let distance): distance.meters
      }
    }
  }

  /// The progress toward a goal in a week.
  public struct Progress: Sendable, Hashable, Codable {
    /// The week.
    public let week: WalkPeriod
    /// The number of minutes, meters, or walks so far.
    public let done: Double
    /// The target number of minutes, meters, or walks.
    public let wanted: Double

    /// The fraction of the target that was reached, from 0 through 1.
    public var fraction: Double { min(done / wanted, 1) }
    /// The number of minutes, meters, or walks left; 0 if the goal is met.
    public var remaining: Double { max(wanted - done, 0) }
    /// A Boolean value that indicates whether the goal is met.
    public var isMet: Bool { done >= wanted }
  }

  /// Returns the progress in the week that contains a day.
  ///
  /// - Parameters:
  ///   - walks: The walks, of that week and of others.
  ///   - day: A day in the week.
  public func progress(of walks: some Sequence<Walk>, inWeekOf day: CalendarDay) -> Progress {
    let week = WalkCalendar(weekStart: weekStart).period(.week, containing: day)
    return Progress(
      week: week, done: done(WalkStatistics(walks, pet: pet, in: week)), wanted: target.amount)
  }

  /// Returns the weeks in which walks met the goal, earliest first.
  public func weeksMet(by walks: some Sequence<Walk>) -> [WalkPeriod] {
    WalkCalendar(weekStart: weekStart).periods(of: walks, by: .week)
      .filter { done(WalkStatistics($0.walks, pet: pet)) >= target.amount }
      .map(\.period)
  }

  /// Returns the same goal for a pet's walks, unless it already is for a pet.
  func limited(to pet: Pet.ID?) -> WeeklyGoal {
    WeeklyGoal(valid: target, pet: self.pet ?? pet, weekStart: weekStart)
  }

  private init(valid target: Target, pet: Pet.ID?, weekStart: CalendarDay.Weekday) {
    self.target = target
    self.pet = pet
    self.weekStart = weekStart
  }

  private func done(_ figures: WalkStatistics) -> Double {
    switch target {
    case .minutes: figures.duration.seconds / 60
    case .distance: figures.distance.meters
    case .walks: Double(figures.walkCount)
    }
  }

  /// Creates a goal from its encoded form, and throws if its target isn't greater than zero.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let target = try container.decode(Target.self, forKey: .target)
    do {
      try self.init(
        target, pet: try container.decodeIfPresent(Pet.ID.self, forKey: .pet),
        weekStart: try container.decode(CalendarDay.Weekday.self, forKey: .weekStart))
    } catch let error as FieldError {
      throw DecodingError.dataCorruptedError(
        forKey: .target, in: container, debugDescription: error.message)
    }
  }
}

/// An ISO 8601 week, which begins on a Monday.
///
/// The first week of a year is the one that contains the year's first Thursday.
public struct ISOWeek: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
  /// The year that the week belongs to, which may differ from the year of some of its days.
  public let year: Int
  /// The number of the week, from 1 through 53.
  public let week: Int

  /// Creates the week that contains a day.
  public init(_ day: CalendarDay) {
    // A week belongs to the year of its Thursday. For the calendar's first days, that Thursday lies
    // before the calendar, so they are assigned to the first week of year 0.
    let toThursday = CalendarDay.Weekday.thursday.rawValue - day.weekday.rawValue
    let thursday = day.adding(days: toThursday)
    year = thursday.year
    week = CalendarDay.newYear(year).days(until: thursday) / 7 + 1
  }

  /// Returns whether the left week is before the right one.
  public static func < (left: ISOWeek, right: ISOWeek) -> Bool {
    (left.year, left.week) < (right.year, right.week)
  }

  /// The week in ISO 8601 notation, such as `2020-W07`.
  public var description: String { "\(year.digits(4))-W\(week.digits(2))" }
}
