public import FieldCore

/// What has to be done for a badge.
public enum BadgeRule: Sendable, Hashable, Codable {
  /// So many walks; the first is `walks(1)`.
  case walks(Int)
  /// So far, all walks together.
  case totalDistance(Distance)
  /// So far in one walk.
  case oneWalk(Distance)
  /// So many days in a row, by a rule.
  case streak(days: Int, StreakRule)
  /// A reward, which is earned at a walk's goal, so many times.
  case rewards(Int)
  /// So many walks in bad weather, as ``WalkWeather/isBad`` has it.
  case badWeather(Int)
  /// A weekly goal met in so many weeks.
  case weeklyGoal(WeeklyGoal, weeks: Int)

  private enum WalksCodingKeys: String, CodingKey { case _0 = "count" }
  private enum TotalDistanceCodingKeys: String, CodingKey { case _0 = "meters" }
  private enum OneWalkCodingKeys: String, CodingKey { case _0 = "meters" }
  private enum StreakCodingKeys: String, CodingKey { case days, _1 = "rule" }
  private enum RewardsCodingKeys: String, CodingKey { case _0 = "count" }
  private enum BadWeatherCodingKeys: String, CodingKey { case _0 = "count" }
  private enum WeeklyGoalCodingKeys: String, CodingKey { case _0 = "goal", weeks }

  /// The rules that an app may begin with.
  public static var standard: [BadgeRule] {
    [
      .walks(1), .walks(10), .walks(100), .walks(365), .totalDistance(.kilometers(10)),
      .totalDistance(.kilometers(100)), .totalDistance(.kilometers(1000)),
      .oneWalk(.kilometers(10)), .streak(days: 7, StreakRule()), .streak(days: 30, StreakRule()),
      .rewards(1), .badWeather(1), .badWeather(10),
    ]
  }

  /// A name for the rule that is the same on every machine, such as `walks-10`.
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

  /// A whole number without a fraction; digits and letters alone, for ids.
  private static func text(_ number: Double) -> String {
    number.rounded() == number && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
  }
}
