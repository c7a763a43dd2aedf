import FieldCore
import Foundation
import TestSupport
import Testing
import WalkKit

@Suite("Badges")
struct BadgeTests {
  @Test("badges are won by the walk that first meets the rule")
  func winners() throws {
    let walks = try (1...12).map { number in
      try WalkSample.walk(
        "2024-03-\(number < 10 ? "0" : "")\(number) 10:00", minutes: 40, meters: 1000,
        weather: number == 4 ? .rain : .clear, rewarded: number == 6, id: "w\(number)")
    }
    func winner(_ rule: BadgeRule) -> String? {
      Badges.earned(by: walks.shuffled(), rules: [rule]).first?.walk.rawValue
    }
    #expect(winner(.walks(1)) == "w1")
    #expect(winner(.walks(10)) == "w10")
    #expect(winner(.walks(13)) == nil)
    #expect(winner(.totalDistance(.kilometers(5))) == "w5")
    #expect(winner(.oneWalk(.kilometers(1))) == "w1")
    #expect(winner(.oneWalk(.meters(1001))) == nil)
    #expect(winner(.rewards(1)) == "w6")
    #expect(winner(.badWeather(1)) == "w4")
    #expect(winner(.streak(days: 7, StreakRule())) == "w7")
    // 2024-03-04 is a Monday: 1 to 3 in the week before, then seven walks of 40 minutes.
    #expect(winner(.weeklyGoal(try WeeklyGoal(.minutes(200)), weeks: 1)) == "w8")
    #expect(winner(.weeklyGoal(try WeeklyGoal(.walks(2)), weeks: 2)) == "w5")
    #expect(winner(.walks(0)) == nil)
    #expect(winner(.streak(days: 0, StreakRule())) == nil)
    #expect(winner(.weeklyGoal(try WeeklyGoal(.walks(2)), weeks: 0)) == nil)
  }

  @Test("badges are dated by the walk's end, and refer to the walk")
  func dates() throws {
    let walk = try WalkSample.walk("2024-03-06 10:00", id: "w1")
    let badge = try #require(Badges.earned(by: [walk]).first)
    #expect(badge.rule == .walks(1))
    #expect(badge.earned == walk.end)
    #expect(badge.walk == walk.id)
  }

  @Test("badges of a streak go to the walk that made the day count, not to the first of the day")
  func streakWalk() throws {
    let walks = [
      try WalkSample.walk("2024-03-06 10:00", minutes: 10, id: "a"),
      try WalkSample.walk("2024-03-07 08:00", minutes: 4, id: "b"),
      try WalkSample.walk("2024-03-07 18:00", minutes: 7, id: "c"),
      try WalkSample.walk("2024-03-07 22:00", minutes: 7, id: "d"),
    ]
    let rule = BadgeRule.streak(days: 2, StreakRule(leastTime: .seconds(600)))
    #expect(Badges.earned(by: walks, rules: [rule]).first?.walk.rawValue == "c")
  }

  @Test("badges are the same whatever the order of walks, and never won twice")
  func order() throws {
    for seed in Sample.of(UInt64(300)..<320, 4) {
      let walks = try WalkSample.many(150, seed: seed)
      var random = SeededGenerator(seed: seed)
      let badges = Badges.earned(by: walks, rules: BadgeRule.standard + BadgeRule.standard)
      #expect(Badges.earned(by: walks.shuffled(using: &random)) == badges, "seed \(seed)")
      #expect(Set(badges.map(\.id)).count == badges.count)
    }
  }

  @Test("badges are never lost by a later walk", .heavy)
  func growing() throws {
    for seed in Sample.of(UInt64(400)..<405, 1) {
      let walks = try WalkSample.many(60, seed: seed).sorted { $0.start < $1.start }
      var won: [Badge] = []
      for count in 0...walks.count {
        let badges = Badges.earned(by: walks.prefix(count), of: WalkSample.mesh)
        #expect(badges.filter { Set(won.map(\.id)).contains($0.id) } == won, "seed \(seed)")
        won = badges
      }
      #expect(!won.isEmpty)
    }
  }

  @Test("badges have IDs that no two pets and no two rules share")
  func ids() throws {
    let walk = try WalkSample.walk(
      "2024-03-06 10:00",
      pets: [
        Pet.ID(rawValue: "a"), Pet.ID(rawValue: "a:walks-1"), Pet.ID(rawValue: "all"),
      ])
    var ids = Badges.earned(by: [walk]).map(\.id)
    for pet in walk.pets { ids += Badges.earned(by: [walk], of: pet.pet).map(\.id) }
    #expect(Set(ids).count == ids.count)
    let goal = try WeeklyGoal(.walks(1))
    let rules: [BadgeRule] =
      BadgeRule.standard + [
        .streak(days: 7, StreakRule(graceDays: 1)), .weeklyGoal(goal, weeks: 1),
        .weeklyGoal(try WeeklyGoal(.minutes(1)), weeks: 1),
        .weeklyGoal(try WeeklyGoal(.walks(1), weekStart: .sunday), weeks: 1),
        .weeklyGoal(try WeeklyGoal(.walks(1), pet: WalkSample.mesh), weeks: 1), .rewards(2),
        .oneWalk(.meters(12.5)),
      ]
    #expect(Set(rules.map(\.name)).count == rules.count)
  }

  @Test("badges survive coding")
  func coding() throws {
    let badges = Badges.earned(by: try WalkSample.many(200, seed: 9))
    #expect(badges.count > 3)
    let json = try JSONEncoder().encode(badges)
    #expect(try JSONDecoder().decode([Badge].self, from: json) == badges)
  }

  @Test("badges and walks are worth points, each once, minus the spent ones")
  func points() throws {
    let first = try WalkSample.walk("2024-03-06 10:00", meters: 2999, rewarded: true, id: "a")
    let second = try WalkSample.walk("2024-03-07 10:00", meters: 999, id: "b")
    let badges = Badges.earned(by: [first, second], rules: [.walks(1)])
    let treat = PointsLedger.Entry(id: "treat-1", points: -4, date: second.end)
    let ledger = PointsLedger(
      walks: [first, second, first], badges: badges + badges, spending: [treat, treat])
    // (1 + 2) + 5 for the first, 1 for the second, 10 for the badge, 4 spent.
    #expect(ledger.balance == 15)
    #expect(ledger.entries.count == 5)
    #expect(ledger.entries.map(\.date) == ledger.entries.map(\.date).sorted())
    let forged = PointsLedger(
      walks: [second], spending: [.init(id: "walk:b", points: 1000, date: second.end)])
    #expect(forged.balance == 1)
  }

  @Test("badges with absurd rules cause no overflow")
  func overflow() throws {
    let walk = try WalkSample.walk("2024-03-06 10:00", meters: 1e9)
    let rules = PointRules(perWalk: .max, perKilometer: .max, perReward: .max, perBadge: .max)
    let ledger = PointsLedger(
      walks: [walk], spending: [.init(id: "x", points: .max, date: walk.end)], rules: rules)
    #expect(ledger.balance == .max)
  }
}
