import FieldCore
import Foundation
import TestSupport
import Testing
import WalkKit

@Suite("A calendar of walks")
struct WalkCalendarTests {
  @Test(
    "a calendar of walks begins weeks on Monday by default",
    arguments: [
      ("2024-03-06", "2024-03-04", "2024-03-10"), ("2024-03-04", "2024-03-04", "2024-03-10"),
      ("2024-03-10", "2024-03-04", "2024-03-10"), ("2024-01-01", "2024-01-01", "2024-01-07"),
      ("2023-01-01", "2022-12-26", "2023-01-01"),
    ])
  func weeks(day: String, first: String, last: String) throws {
    let week = WalkCalendar().period(.week, containing: try CalendarDay(day))
    #expect(week == WalkPeriod(try CalendarDay(first), try CalendarDay(last)))
  }

  @Test("a calendar of walks begins weeks on any day", arguments: CalendarDay.Weekday.allCases)
  func otherWeeks(start: CalendarDay.Weekday) throws {
    let calendar = WalkCalendar(weekStart: start)
    for offset in 0..<400 {
      let day = try CalendarDay("2024-01-01").adding(days: offset)
      let week = calendar.period(.week, containing: day)
      #expect(week.first.weekday == start)
      #expect(week.dayCount == 7)
      #expect(week.contains(day))
    }
  }

  @Test(
    "a calendar of walks knows the ends of months and years",
    arguments: [
      ("2024-02-10", "2024-02-01", "2024-02-29"), ("2023-02-28", "2023-02-01", "2023-02-28"),
      ("2023-12-31", "2023-12-01", "2023-12-31"), ("2023-04-30", "2023-04-01", "2023-04-30"),
      ("1900-02-01", "1900-02-01", "1900-02-28"), ("9999-12-05", "9999-12-01", "9999-12-31"),
    ])
  func months(day: String, first: String, last: String) throws {
    let month = WalkCalendar().period(.month, containing: try CalendarDay(day))
    #expect(month == WalkPeriod(try CalendarDay(first), try CalendarDay(last)))
    let year = WalkCalendar().period(.year, containing: try CalendarDay(day))
    #expect(year.first.description == "\(day.prefix(4))-01-01")
    #expect(year.last.description == "\(day.prefix(4))-12-31")
  }

  @Test(
    "a calendar of walks limits periods to the range of dates",
    arguments: WalkCalendar.Unit.allCases)
  func ends(unit: WalkCalendar.Unit) {
    for day in [CalendarDay.first, .last] {
      #expect(WalkCalendar().period(unit, containing: day).contains(day))
    }
  }

  @Test("a calendar of walks assigns each walk to the period of its day, and only to one")
  func grouping() throws {
    let walks = try WalkSample.many(300, seed: 62)
    for unit in WalkCalendar.Unit.allCases {
      let groups = WalkCalendar(weekStart: .sunday).periods(of: walks, by: unit)
      #expect(groups.map(\.period) == groups.map(\.period).sorted())
      #expect(Set(groups.map(\.period)).count == groups.count)
      #expect(groups.reduce(0) { $0 + $1.walks.count } == walks.count)
      for group in groups {
        #expect(group.walks.allSatisfy { group.period.contains($0.day) })
      }
    }
  }

  @Test("a calendar counts a walk for the day of its start in its own zone, past midnight, too")
  func ownDay() throws {
    let late = try WalkSample.walk("2024-03-06 23:50", minutes: 30)
    #expect(late.day == (try CalendarDay("2024-03-06")))
    // The same moment in Honolulu was the morning of the day.
    var hawaii = late
    hawaii.utcOffset = try FixedZone(secondsFromUTC: -36_000)
    #expect(hawaii.day == (try CalendarDay("2024-03-06")))
    hawaii.start = try CalendarDay("2024-03-06").start(in: .seoul)
    #expect(hawaii.day == (try CalendarDay("2024-03-05")))
  }

  @Test("a calendar of walks leaves walks without a date out of all periods")
  func undated() throws {
    var walk = try WalkSample.walk("2024-03-06 10:00")
    walk.start = Walk.undatedStart
    #expect(walk.isUndated)
    #expect(WalkCalendar().periods(of: [walk], by: .day).isEmpty)
    #expect(!WalkPeriod(.first, .last).contains(walk))
    #expect(WalkStatistics([walk]).walkCount == 1)
    #expect(WalkStatistics([walk], in: WalkPeriod(.first, .last)).walkCount == 0)
  }

  @Test(
    "a calendar of walks numbers weeks like Python, on 4,000 random days and around each New Year",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"))
  func isoWeeks() throws {
    var random = SeededGenerator(seed: 63)
    var days = (0..<4000).compactMap { _ in
      try? CalendarDay(
        year: Int.random(in: 1...9998, using: &random),
        month: Int.random(in: 1...12, using: &random),
        day: Int.random(in: 1...28, using: &random))
    }
    for year in 1990..<2040 {
      let newYear = try CalendarDay(year: year, month: 1, day: 1)
      days += (-5...5).map { newYear.adding(days: $0) }
    }
    let script = """
      import sys, datetime
      for line in sys.stdin:
        year, week, _ = datetime.date.fromisoformat(line.strip()).isocalendar()
        print(f"{year:04d}-W{week:02d}")
      """
    let input = days.map(\.description).joined(separator: "\n")
    let output = try Tool.run("python3", "-c", script, input: Data(input.utf8))
    let expected = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(expected.count == days.count)
    #expect(days.map { ISOWeek($0).description } == expected)
  }

  @Test("a calendar of walks orders weeks, and begins each on the Monday that the calendar does")
  func isoOrder() throws {
    var previous = ISOWeek(try CalendarDay("2019-12-01"))
    for offset in 1..<900 {
      let day = try CalendarDay("2019-12-01").adding(days: offset)
      let week = ISOWeek(day)
      #expect(day.weekday == .monday ? week > previous : week == previous)
      previous = week
    }
  }
}
