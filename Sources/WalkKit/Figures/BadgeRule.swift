public import FieldCore

/// The condition for winning a badge.
public enum BadgeRule: Sendable, Hashable, Codable {
  /// A number of walks; the first walk is `walks(1)`.
  case walks(Int)
  /// A total distance of all walks.
  case totalDistance(Distance)
  /// A distance in a single walk.
  case oneWalk(Distance)
  /// A number of consecutive days, according to a rule.
  case streak(days: Int, StreakRule)
  /// A number of rewards, which are earned at the goal of a walk.
  case rewards(Int)
  /// A number of walks in bad weather, according to ``WalkWeather/isBad``.
  case badWeather(Int)
  /// A number of weeks in which a weekly goal was met.
  case weeklyGoal(WeeklyGoal, weeks: Int)

  private enum WalksCodingKeys: String, CodingKey { case _0 = "count" }
  private enum TotalDistanceCodingKeys: String, CodingKey { case _0 = "meters" }
  private enum OneWalkCodingKeys: String, CodingKey { case _0 = "meters" }
  private enum StreakCodingKeys: String, CodingKey { case days, _1 = "rule" }
  private enum RewardsCodingKeys: String, CodingKey { case _0 = "count" }
  private enum BadWeatherCodingKeys: String, CodingKey { case _0 = "count" }
  private enum WeeklyGoalCodingKeys: String, CodingKey { case _0 = "goal", weeks }

  /// The default rules.
  public static var standard: [BadgeRule] {
    [
      .walks(1), .walks(10), .walks(100), .walks(365), .totalDistance(.kilometers(10)),
      .totalDistance(.kilometers(100)), .totalDistance(.kilometers(1000)),
      .oneWalk(.kilometers(10)), .streak(days: 7, StreakRule()), .streak(days: 30, StreakRule()),
      .rewards(1), .badWeather(1), .badWeather(10),
    ]
  }

  /// A name for the rule that is the same on every device, such as `walks-10`.
  public var name: String {
    switch self {
    case .walks(let count): "walks-\(count)"
    case .totalDistance(let distance): "total-\(Self.text(distance.meters))m"
    case .oneWalk(let distance): "one-\(Self.text(distance.meters))m"
    case .streak(let days, let rule):
      "streak-\(days)-\(Self.text(rule.leastTime.seconds))s-"
        + "\(Self.text(rule.leastDistance.meters))m-\(rule.graceDays)"
    case .rewards(let count): "rewards-\(count)"
    case .badWeather(let count): "badweather-\(count)"
    case .weeklyGoal(let goal, let weeks):
      "weekly-\(Self.text(goal.target))-from\(goal.weekStart.rawValue)-\(weeks)"
        + (goal.pet.map { "-of-\($0.rawValue)" } ?? "")
    }
  }

  private static func text(_ target: WeeklyGoal.Target) -> String {
    switch target {
    case .minutes(let count): "\(count)min"
    case .distance(let distance): "\(text(distance.meters))m"
    case .walks(let count): "\(count)walks"
    }
  }

  /// Returns a number, without a fraction if it is whole, as part of an ID.
  private static func text(_ number: Double) -> String {
    number.rounded() == number && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
  }
}
