import FieldCore
import Foundation
import TestSupport
import Testing
import WalkKit

@Suite("A weekly goal")
struct WeeklyGoalTests {
  private let walks: [Walk]

  init() throws {
    walks = [
      try WalkSample.walk("2024-03-03 23:59", minutes: 50, meters: 2000),  // a Sunday
      try WalkSample.walk("2024-03-04 00:00", minutes: 30, meters: 1000),
      try WalkSample.walk("2024-03-10 23:59", minutes: 60, meters: 3000),
      try WalkSample.walk("2024-03-11 00:00", minutes: 90, meters: 500),
    ]
  }

  @Test(
    "a weekly goal counts minutes, meters, or walks of one week",
    arguments: [
      (WeeklyGoal.Target.minutes(90), 90.0, true), (.minutes(91), 90, false),
      (.distance(.meters(4000)), 4000, true), (.distance(.meters(4001)), 4000, false),
      (.walks(2), 2, true), (.walks(3), 2, false),
    ])
  func counting(target: WeeklyGoal.Target, done: Double, isMet: Bool) throws {
    let progress = try WeeklyGoal(target).progress(
      of: walks, inWeekOf: try WalkSample.day("2024-03-06"))
    #expect(progress.week.first == (try WalkSample.day("2024-03-04")))
    #expect(progress.done == done)
    #expect(progress.isMet == isMet)
    #expect(progress.remaining == max(target.amount - done, 0))
    #expect(progress.fraction == min(done / target.amount, 1))
  }

  @Test("a weekly goal begins its week on the configured day")
  func weekStart() throws {
    let goal = try WeeklyGoal(.minutes(80), weekStart: .sunday)
    let progress = goal.progress(of: walks, inWeekOf: try WalkSample.day("2024-03-06"))
    #expect(progress.week.first == (try WalkSample.day("2024-03-03")))
    #expect(progress.done == 80)
    #expect(progress.isMet)
  }

  @Test("a weekly goal can be for one pet")
  func pet() throws {
    let goal = try WeeklyGoal(.walks(1), pet: WalkSample.tori)
    #expect(
      !goal.progress(of: walks, inWeekOf: try WalkSample.day("2024-03-06")).isMet)
  }

  @Test("a weekly goal reports the weeks in which it was met")
  func weeksMet() throws {
    let goal = try WeeklyGoal(.minutes(60))
    #expect(
      goal.weeksMet(by: walks.reversed()).map(\.first)
        == [try WalkSample.day("2024-03-04"), try WalkSample.day("2024-03-11")])
  }

  @Test(
    "a weekly goal of zero is rejected, in a file, too",
    arguments: [
      WeeklyGoal.Target.minutes(0), .minutes(-5), .walks(0), .distance(.zero),
      .distance(.meters(.nan)), .distance(.meters(.infinity)), .distance(.meters(-1)),
    ])
  func refused(target: WeeklyGoal.Target) throws {
    let error = #expect(throws: FieldError.self) { try WeeklyGoal(target) }
    #expect(error?.code == .invalidInput)
  }

  @Test("a weekly goal survives coding, and a file can't contain one of zero")
  func coding() throws {
    let goal = try WeeklyGoal(.walks(3), pet: WalkSample.mesh, weekStart: .sunday)
    let json = try JSONEncoder().encode(goal)
    #expect(try JSONDecoder().decode(WeeklyGoal.self, from: json) == goal)
    let zero = String(decoding: json, as: UTF8.self).replacing(":3}", with: ":0}")
    #expect(zero != String(decoding: json, as: UTF8.self))
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(WeeklyGoal.self, from: Data(zero.utf8))
    }
  }
}
