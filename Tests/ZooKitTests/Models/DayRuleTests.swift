import FieldCore
import Testing
import ZooKit

@Suite("A rule of days")
struct DayRuleTests {
  // 2.4 of Docs/old-apps.md
  @Test(
    "a rule of days is parsed as the zoo writes it",
    arguments: [
      ("每週三", [.wednesday], []), ("每周二", [.tuesday], []), ("第3個週三\t", [.wednesday], [3]),
      (
        "每週二至週日", [.tuesday, .wednesday, .thursday, .friday, .saturday, .sunday], []
      ),
      ("每月第二個週一", [.monday], [2]), ("每週六、日", [.saturday, .sunday], []),
      ("每週六日", [.saturday, .sunday], []), ("週一三五", [.monday, .wednesday, .friday], []),
      ("每月第一、三個星期六", [.saturday], [1, 3]), ("每月第二及第四個週日", [.sunday], [2, 4]),
      ("週五~週一", [.friday, .saturday, .sunday, .monday], []),
      ("每週一、每週三", [.monday, .wednesday], []), ("禮拜天", [.sunday], []),
      (
        "每日",
        [.monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday], []
      ),
    ] as [(String, [CalendarDay.Weekday], [Int])])
  func reading(text: String, weekdays: [CalendarDay.Weekday], weeks: [Int]) {
    #expect(
      ZooDayRule(reading: text) == ZooDayRule(weekdays: weekdays, weeksOfMonth: weeks))
  }

  @Test(
    "a rule of days isn't parsed from text that says something else, or more",
    arguments: [
      "", "三", "每月", "每週", "第6個週一", "第個週一", "每月最後一個週一", "隔週三", "單週三", "每週八",
      "每週三下午", "詳見官網", "第二個", "第", "每月第", "每月第一、", "每月第一、第", "週", "每週一、",
    ])
  func none(text: String) {
    #expect(ZooDayRule(reading: text) == nil)
  }

  @Test("a rule of days has the days of a week, or of some weeks of a month")
  func includes() throws {
    let every = ZooDayRule(weekdays: [.monday])
    let second = ZooDayRule(weekdays: [.monday], weeksOfMonth: [2])
    let secondSunday = ZooDayRule(weekdays: [.sunday], weeksOfMonth: [2])
    // 1 June 2026 was a Monday.
    for day in 1...30 {
      let date = try CalendarDay(year: 2026, month: 6, day: day)
      #expect(every.includes(date) == [1, 8, 15, 22, 29].contains(day))
      #expect(second.includes(date) == (day == 8))
      // The first seven days are the first week, whatever day the month begins with.
      #expect(secondSunday.includes(date) == (day == 14))
    }
    #expect(try ZooDayRule(weekdays: [.monday], weeksOfMonth: [5]).includes(.init("2026-06-29")))
  }
}

@Suite("The opening rules of an area")
struct OpeningRulesTests {
  private static let mondays = ZooDayRule(weekdays: [.monday])
  private static func monday(_ week: Int) -> ZooDayRule {
    ZooDayRule(weekdays: [.monday], weeksOfMonth: [week])
  }

  // 2.4 of Docs/old-apps.md
  @Test(
    "the opening rules of an area are parsed from all memos of the captures",
    arguments: [
      ("每週一休館，入館門票：全票20元、優待票10元", ZooOpeningRules(closed: [mondays])),
      ("每週一休館", ZooOpeningRules(closed: [mondays])),
      ("每月第一個週一休館", ZooOpeningRules(closed: [monday(1)])),
      ("每月第二個週一休館", ZooOpeningRules(closed: [monday(2)])),
      ("每月第三個週一休館", ZooOpeningRules(closed: [monday(3)])),
      ("每月第四個週一休館", ZooOpeningRules(closed: [monday(4)])),
      (
        "每週六、日13:30-15:30開放參觀",
        ZooOpeningRules(
          open: [ZooDayRule(weekdays: [.saturday, .sunday])],
          times: [ZooTimeSpan(startMinute: 810, endMinute: 930)])
      ),
      (
        "開放時間：每週四 14:00-16:00",
        ZooOpeningRules(
          open: [ZooDayRule(weekdays: [.thursday])],
          times: [ZooTimeSpan(startMinute: 840, endMinute: 960)])
      ),
    ])
  func reading(memo: String, rules: ZooOpeningRules) {
    #expect(ZooOpeningRules(reading: memo) == rules)
  }

  @Test(
    "opening rules aren't parsed from a memo that doesn't contain them, or contains others",
    arguments: ["", "整修中", "每月最後一個週一休館", "隔週一休館", "全票20元", "每週一導覽"])
  func none(memo: String) {
    #expect(ZooOpeningRules(reading: memo) == nil)
  }

  @Test("opening rules report whether an area is closed on a day; an unread memo is unknown")
  func closed() throws {
    let secondMonday = try CalendarDay("2026-06-08")
    let thursday = try CalendarDay("2026-06-11")
    #expect(ZooArea(name: "企鵝館", memo: "每月第二個週一休館").isClosed(on: secondMonday) == true)
    #expect(ZooArea(name: "企鵝館", memo: "每月第二個週一休館").isClosed(on: thursday) == false)
    #expect(
      ZooArea(name: "頭廷魁文史館", memo: "開放時間：每週四 14:00-16:00")
        .isClosed(on: secondMonday) == true)
    #expect(
      ZooArea(name: "頭廷魁文史館", memo: "開放時間：每週四 14:00-16:00").isClosed(on: thursday)
        == false)
    #expect(ZooArea(name: "鳥園區").isClosed(on: secondMonday) == false)
    #expect(ZooArea(name: "鳥園區", memo: "整修中").isClosed(on: secondMonday) == nil)
  }
}

@Suite("The times of an event")
struct TimeSpanTests {
  // 2.4 of Docs/old-apps.md
  @Test(
    "the times of an event are parsed in every form",
    arguments: [
      ("13:30、14:30", "13:30 14:30"), ("11:00-11:25", "11:00-11:25"),
      ("09:30~11:30、13:30~15:30", "09:30-11:30 13:30-15:30"), ("13：00-16：00", "13:00-16:00"),
      ("11:00", "11:00"), ("9:05 ~ 10:00", "09:05-10:00"),
      ("09:00 - 10:00 11:00 - 12:00", "09:00-10:00 11:00-12:00"), ("22:00至24:00", "22:00-24:00"),
    ])
  func reading(text: String, spans: String) {
    let read = ZooTimeSpan.spans(reading: text) ?? []
    #expect(read.map(\.description).joined(separator: " ") == spans)
  }

  @Test(
    "the times of an event aren't parsed from text without times",
    arguments: ["", "全天", "25:00", "11:60", "24:01", "11", "11:00-10:00", "1-2-3", "上午11:00", "~"])
  func none(text: String) {
    #expect(ZooTimeSpan.spans(reading: text) == nil)
  }
}

@Suite("An event of the zoo")
struct ZooEventTests {
  private static func event(
    _ title: String = "無尾熊的外觀", category: String? = "保母講古", brief: String? = "每週三",
    time: String? = "11:00-11:25"
  ) throws -> ZooEvent {
    ZooEvent(
      category: category, title: title, brief: brief, start: try CalendarDay("2026-05-20"),
      end: try CalendarDay("2026-06-30"), timeText: time,
      publishedFrom: try CalendarDay("2026-05-19"), publishedUntil: try CalendarDay("2026-07-01"))
  }

  @Test("an event of the zoo takes place on its days by its rule, unless it is paused")
  func takesPlace() throws {
    let event = try Self.event()
    #expect(try event.takesPlace(on: CalendarDay("2026-05-20")))
    #expect(try event.takesPlace(on: CalendarDay("2026-05-27")))
    #expect(try !event.takesPlace(on: CalendarDay("2026-05-28")))
    #expect(try !event.takesPlace(on: CalendarDay("2026-05-13")))
    #expect(try !event.takesPlace(on: CalendarDay("2026-07-01")))
    #expect(
      try !Self.event(category: "保母講古暫停").takesPlace(on: CalendarDay("2026-05-27")))
    #expect(try Self.event(category: "保母講古暫停").isPaused)
    // A rule that cannot be read leaves the days of the event.
    let days = try ["2026-05-19", "2026-05-20", "2026-05-28", "2026-06-30", "2026-07-01"].map {
      try Self.event(brief: "詳見官網").takesPlace(on: CalendarDay($0))
    }
    #expect(days == [false, true, true, true, false])
  }

  // 2.4 of Docs/old-apps.md
  @Test("an event of the zoo is shown from the day it was added until the day it was removed")
  func published() throws {
    let event = try Self.event()
    let days = try ["2026-05-18", "2026-05-19", "2026-07-01", "2026-07-02"].map {
      try CalendarDay($0)
    }
    #expect(days.map(event.isPublished) == [false, true, true, false])
  }

  @Test("an event of the zoo lasts the whole day or has times")
  func times() throws {
    #expect(try Self.event(time: "全天").isAllDay)
    #expect(try Self.event(time: "全天").times.isEmpty)
    #expect(try Self.event().times == [ZooTimeSpan(startMinute: 660, endMinute: 685)])
    #expect(try !Self.event().isAllDay)
  }
}
