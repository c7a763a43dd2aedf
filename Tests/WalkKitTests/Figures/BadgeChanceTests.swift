import FieldCore
import Foundation
import TestSupport
import Testing
import WalkKit

@Suite("Badges, by chance", .timeLimit(.minutes(60)), .heavy)
struct BadgeChanceTests {
  @Test(
    "badges are never taken away by one more walk, whenever and wherever it was",
    arguments: [Sample.seed() % 100_000])
  func more(seed: UInt64) throws {
    var chance = SeededGenerator(seed: seed)
    for round in 0..<Sample.rounds(400, 60, inDebug: 30) {
      let all = try WalkSample.many(
        Int.random(in: 2...40, using: &chance), seed: seed * 10_000 + UInt64(round), days: 14)
      let rule = StreakRule(
        leastTime: .seconds(Int.random(in: 0...1, using: &chance) * 1_800),
        graceDays: Int.random(in: 0...2, using: &chance))
      var rules = (1...12).map { BadgeRule.streak(days: $0, rule) }
      rules += [
        .walks(3), .totalDistance(.kilometers(9)), .badWeather(2), .rewards(2),
        .weeklyGoal(try WeeklyGoal(.minutes(90)), weeks: 1),
        .weeklyGoal(try WeeklyGoal(.distance(.kilometers(4)), weekStart: .sunday), weeks: 2),
      ]
      let pet = Bool.random(using: &chance) ? WalkSample.tori : nil
      let before = Set(Badges.earned(by: all.dropLast(), of: pet, rules: rules).map(\.id))
      let after = Set(Badges.earned(by: all, of: pet, rules: rules).map(\.id))
      #expect(
        before.isSubset(of: after), "seed \(seed), round \(round): \(before.subtracting(after))")
    }
  }
}
