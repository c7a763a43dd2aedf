public import FieldCore

/// What an owner wants to do every week: so many minutes, so far, or so often.
///
/// ```swift
/// let goal = try WeeklyGoal(.minutes(150), pet: pet.id)
/// let progress = goal.progress(of: walks, inWeekOf: today)
/// print(progress.fraction, progress.isMet)
/// ```
public struct WeeklyGoal: Sendable, Hashable, Codable {
  /// What is wanted.
  public let target: Target
  /// The pet whose walks count; nil for all walks.
  public let pet: Pet.ID?
  /// The day that weeks begin on.
  public let weekStart: CalendarDay.Weekday

  /// Makes a goal.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` when the target is not above zero.
  public init(
    _ target: Target, pet: Pet.ID? = nil, weekStart: CalendarDay.Weekday = .monday
  ) throws {
    guard target.amount.isFinite, target.amount > 0 else {
      throw FieldError(.invalidInput, "a goal is above zero, not \(target.amount)")
    }
    self.target = target
    self.pet = pet
    self.weekStart = weekStart
  }

  /// What is wanted every week.
  public enum Target: Sendable, Hashable, Codable {
    /// So many minutes out, without the owner's pauses.
    case minutes(Int)
    /// So far.
    case distance(Distance)
    /// So many walks.
    case walks(Int)

    private enum MinutesCodingKeys: String, CodingKey { case _0 = "count" }
    private enum DistanceCodingKeys: String, CodingKey { case _0 = "meters" }
    private enum WalksCodingKeys: String, CodingKey { case _0 = "count" }

    /// The number of minutes, metres or walks.
    public var amount: Double {
      switch self {
      case .minutes(let count), .walks(let count): Double(count)
      case .distance(let distance): distance.meters
      }
    }
  }

  /// How far a goal has been reached in a week.
  public struct Progress: Sendable, Hashable, Codable {
    /// The week.
    public let week: WalkPeriod
    /// The minutes, metres or walks that are done.
    public let done: Double
    /// The minutes, metres or walks that are wanted.
    public let wanted: Double

    /// How much is done, 0 to 1.
    public var fraction: Double { min(done / wanted, 1) }
    /// The minutes, metres or walks that are left; 0 when the goal is met.
    public var remaining: Double { max(wanted - done, 0) }
    /// Whether the goal is met.
    public var isMet: Bool { done >= wanted }
  }

  /// How far the goal has been reached in the week that a day is in.
  ///
  /// - Parameters:
  ///   - walks: The walks, of that week and of others.
  ///   - day: A day of the week.
  public func progress(of walks: some Sequence<Walk>, inWeekOf day: CalendarDay) -> Progress {
    let week = WalkCalendar(weekStart: weekStart).period(.week, containing: day)
    return Progress(
      week: week, done: done(WalkStatistics(walks, pet: pet, in: week)), wanted: target.amount)
  }

  /// The weeks from the first walk's to the last walk's in which the goal was met, the earliest first.
  public func weeksMet(by walks: some Sequence<Walk>) -> [WalkPeriod] {
    WalkCalendar(weekStart: weekStart).periods(of: walks, by: .week)
      .filter { done(WalkStatistics($0.walks, pet: pet)) >= target.amount }
      .map(\.period)
  }

  /// The same goal for a pet's walks, unless it is for a pet's already.
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
}

extension WeeklyGoal {
  private enum CodingKeys: String, CodingKey {
    case target, pet, weekStart
  }

  /// Reads a goal; one that is not above zero is refused.
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
