import FieldCore
import Foundation
import TestSupport
import Testing
import WalkKit

@Suite("A streak")
struct StreakTests {
  private func walks(on days: String...) throws -> [Walk] {
    try days.map { try WalkSample.walk("2024-03-\($0) 10:00", id: $0) }
  }

  private func today(_ day: String) throws -> CalendarDay { try CalendarDay("2024-03-\(day)") }

  @Test("a streak is empty without walks")
  func nothing() throws {
    let streak = StreakRule().streak(of: [], on: try today("10"))
    #expect(streak.current == 0)
    #expect(streak.longest == 0)
    #expect(streak.currentRun == nil)
    #expect(!streak.isTodayDone)
  }

  @Test("a streak counts days in a row, and two walks on a day once")
  func days() throws {
    let walks = try walks(on: "08", "09", "09", "10")
    let streak = StreakRule().streak(of: walks, on: try today("10"))
    #expect(streak.current == 3)
    #expect(streak.longest == 3)
    #expect(streak.isTodayDone)
    #expect(streak.currentRun?.first == (try today("08")))
  }

  @Test("a streak continues until the next day is over")
  func yesterday() throws {
    let walks = try walks(on: "08", "09")
    let open = StreakRule().streak(of: walks, on: try today("10"))
    #expect(open.current == 2)
    #expect(!open.isTodayDone)
    let broken = StreakRule().streak(of: walks, on: try today("11"))
    #expect(broken.current == 0)
    #expect(broken.longest == 2)
  }

  @Test(
    "a streak forgives as many consecutive missed days as configured, and counts none of them",
    arguments: [(0, 1, 2), (1, 4, 4), (2, 5, 5), (-3, 1, 2)])
  func grace(graceDays: Int, current: Int, longest: Int) throws {
    // 01, then two missed, 04 05, one missed, 07, one missed, 09.
    let walks = try walks(on: "01", "04", "05", "07", "09")
    let streak = StreakRule(graceDays: graceDays).streak(of: walks, on: try today("09"))
    #expect(streak.current == current)
    #expect(streak.longest == longest)
  }

  @Test("a streak keeps a run alive through the days of grace")
  func graceAlive() throws {
    let walks = try walks(on: "08", "09")
    let rule = StreakRule(graceDays: 1)
    #expect(rule.streak(of: walks, on: try today("11")).current == 2)
    #expect(rule.streak(of: walks, on: try today("12")).current == 0)
  }

  @Test("a streak requires the minimum time and distance, from all walks of a day together")
  func least() throws {
    let walks = [
      try WalkSample.walk("2024-03-08 08:00", minutes: 6, meters: 300),
      try WalkSample.walk("2024-03-08 20:00", minutes: 4, meters: 300),
      try WalkSample.walk("2024-03-09 08:00", minutes: 9, meters: 900),
      try WalkSample.walk("2024-03-10 08:00", minutes: 10, meters: 600),
    ]
    let time = StreakRule(leastTime: .seconds(600)).streak(of: walks, on: try today("10"))
    #expect(time.current == 1)
    #expect(time.longest == 1)
    let both = StreakRule(leastTime: .seconds(540), leastDistance: .meters(600))
      .streak(of: walks, on: try today("10"))
    #expect(both.current == 3)
  }

  @Test("a streak reports the earliest of equally long runs as the longest")
  func ties() throws {
    let streak = StreakRule().streak(
      of: try walks(on: "01", "02", "05", "06"), on: try today("06"))
    #expect(streak.longestRun?.first == (try today("01")))
  }

  @Test("a streak survives the night of a time change")
  func summerTime() throws {
    // Berlin: +01:00 until 31 March 2024, then +02:00.
    let winter = try FixedZone(secondsFromUTC: 3600)
    let summer = try FixedZone(secondsFromUTC: 7200)
    let walks = [
      try WalkSample.walk("2024-03-30 23:30", zone: winter),
      try WalkSample.walk("2024-03-31 23:30", zone: summer),
      try WalkSample.walk("2024-04-01 00:10", zone: summer),
    ]
    let streak = StreakRule().streak(of: walks, on: try CalendarDay("2024-04-01"))
    #expect(streak.current == 3)
  }

  @Test("a streak isn't broken by clocks that go forward on a missed day")
  func summerTimeGap() throws {
    let winter = try FixedZone(secondsFromUTC: 3600)
    let summer = try FixedZone(secondsFromUTC: 7200)
    // A day is missed: 23 hours and 20 minutes are no journey.
    let walks = [
      try WalkSample.walk("2024-03-30 23:50", zone: winter),
      try WalkSample.walk("2024-04-01 00:10", zone: summer),
    ]
    #expect(StreakRule().streak(of: walks, on: try CalendarDay("2024-04-01")).current == 1)
  }

  @Test("a streak isn't broken for a traveler who skips a day at the date line")
  func dateLine() throws {
    let honolulu = try FixedZone(secondsFromUTC: -36_000)
    let kiritimati = try FixedZone(secondsFromUTC: 50_400)
    let walks = [
      try WalkSample.walk("2024-03-08 20:00", zone: honolulu),
      // Six hours later it is the 10th over there.
      try WalkSample.walk("2024-03-10 02:00", zone: kiritimati),
    ]
    #expect(StreakRule().streak(of: walks, on: try today("10")).current == 2)
    // Westward, a day comes twice and counts once for each of its dates.
    let back = walks + [try WalkSample.walk("2024-03-09 10:00", zone: honolulu)]
    #expect(StreakRule().streak(of: back, on: try today("10")).current == 3)
  }

  @Test("a streak isn't broken by one more walk, for a traveler who missed days")
  func oneMore() throws {
    let utc = FixedZone.utc
    // Two days are missed, in less than 46 hours; then only one is, in less than 40.
    let two = [
      try WalkSample.walk("2024-03-04 23:50", zone: utc),
      try WalkSample.walk("2024-03-07 00:10", zone: .seoul),
    ]
    let three = two + [try WalkSample.walk("2024-03-05 00:10", zone: utc)]
    let today = try CalendarDay("2024-03-07")
    for rule in [StreakRule(), StreakRule(graceDays: 1), StreakRule(graceDays: 2)] {
      let (fewer, more) = (rule.streak(of: two, on: today), rule.streak(of: three, on: today))
      #expect(fewer.longest <= more.longest)
      #expect(fewer.current <= more.current)
    }
    #expect(StreakRule().streak(of: two, on: today).current == 1)
    #expect(StreakRule(graceDays: 1).streak(of: three, on: today).current == 3)
  }

  @Test(
    "a streak counts a walk of tomorrow in the owner's earlier zones, but none of a wrong clock")
  func future() throws {
    let walks = try walks(on: "09", "10", "11", "25")
    let streak = StreakRule().streak(of: walks, on: try today("10"))
    #expect(streak.current == 3)
    #expect(streak.longest == 3)
    #expect(streak.isTodayDone)
  }

  @Test("a streak belongs to one pet")
  func pet() throws {
    var walks = try walks(on: "08", "09", "10")
    walks[1].pets = [.init(pet: WalkSample.tori, joined: walks[1].start)]
    #expect(
      StreakRule().streak(of: walks, pet: WalkSample.mesh, on: try today("10")).current == 1)
    #expect(StreakRule().streak(of: walks, on: try today("10")).current == 3)
  }

  @Test("a streak matches a simple loop over the days, for random walks", .heavy)
  func reference() throws {
    for seed in UInt64(200)..<300 {
      var random = SeededGenerator(seed: seed)
      // One zone: travel has tests of its own.
      let walks = try WalkSample.many(Int.random(in: 0...60, using: &random), seed: seed, days: 40)
        .map { walk in
          var walk = walk
          walk.utcOffset = .seoul
          return walk
        }
      let grace = Int.random(in: 0...2, using: &random)
      let least = Duration.seconds(Int.random(in: 0...3000, using: &random))
      let today = try CalendarDay("2023-11-20")
        .adding(days: Int.random(in: 0...45, using: &random))
      let streak = StreakRule(leastTime: least, graceDays: grace).streak(of: walks, on: today)

      var (run, missed, longest) = (0, 0, 0)
      for offset in 0...60 {
        let day = try CalendarDay("2023-11-15").adding(days: offset)
        guard day <= today.adding(days: 1) else { break }
        let own = walks.filter { $0.day == day }
        let time = own.reduce(Duration.zero) { $0 + $1.duration }
        if !own.isEmpty, time >= least {
          run += 1
          missed = 0
        } else if day < today {
          missed += 1
          if missed > grace { run = 0 }
        }
        longest = max(longest, run)
      }
      #expect(streak.current == run, "seed \(seed)")
      #expect(streak.longest == longest, "seed \(seed)")
    }
  }
}
