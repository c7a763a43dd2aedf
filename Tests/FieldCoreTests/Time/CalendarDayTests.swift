import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("Calendar days")
struct CalendarDayTests {
  @Test(
    "calendar days are read and written as yyyy-MM-dd",
    arguments: [
      "2020-01-01", "2024-02-29", "2000-02-29", "0000-01-01", "0860-12-31", "9999-12-31",
      "1970-01-01",
    ])
  func text(text: String) throws {
    let day = try CalendarDay(text)
    #expect(day.description == text)
    #expect(try CalendarDay(year: day.year, month: day.month, day: day.day) == day)
    let json = try JSONEncoder().encode([day])
    #expect(String(decoding: json, as: UTF8.self) == "[\"\(text)\"]")
    #expect(try JSONDecoder().decode([CalendarDay].self, from: json) == [day])
  }

  @Test(
    "calendar days reject invalid days",
    arguments: [
      "", "2020-1-1", "2020-01-01 ", "2020-13-01", "2020-00-01", "2020-01-00", "2020-01-32",
      "2023-02-29", "1900-02-29",
      "2020/01/01", "20200101", "-020-01-01", "２０２０-01-01", "2020-01-1x", "2020-04-31",
    ])
  func refused(text: String) {
    #expect {
      try CalendarDay(text)
    } throws: {
      ($0 as? FieldError)?.code == .invalidInput
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([CalendarDay].self, from: JSONEncoder().encode([text]))
    }
  }

  @Test("calendar days follow one another from year 1 through 9999, without gaps")
  func everyDay() throws {
    var day = try CalendarDay("0001-01-01")
    #expect(day.weekday == .monday)
    var (year, month, number, weekday) = (1, 1, 1, 1)
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var failures = 0
    while year <= 9999 {
      // These dates of each month are enough: taking a day apart is slow in a debug build.
      if number % 13 == 0 || number > 27 || number == 1 {
        let isSame = day.year == year && day.month == month && day.day == number
        if !isSame || day.weekday.rawValue != weekday { failures += 1 }
      }
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      number += 1
      weekday = weekday % 7 + 1
      if number > lengths[month - 1] + (month == 2 && isLeap ? 1 : 0) {
        (number, month) = (1, month + 1)
        if month == 13 { (month, year) = (1, year + 1) }
      }
      day = day.adding(days: 1)
    }
    #expect(failures == 0)
    #expect(day == .last)
  }

  @Test("calendar days count days, and stop at the first and the last")
  func arithmetic() throws {
    let day = try CalendarDay("2020-02-28")
    #expect(day.adding(days: 2).description == "2020-03-01")
    #expect(day.adding(days: -59).description == "2019-12-31")
    #expect(day.days(until: try CalendarDay("2021-02-28")) == 366)
    #expect(CalendarDay.last.days(until: .first) == -3_652_424)
    #expect(day.adding(days: .max) == .last && day.adding(days: .min) == .first)
    #expect(
      CalendarDay.first.description == "0000-01-01" && CalendarDay.last.description == "9999-12-31")
    #expect(CalendarDay.first < day && !(day < day))
  }

  @Test(
    "calendar days are derived from a moment in a zone",
    arguments: [
      (0.0, FixedZone.utc, "1970-01-01"), (-0.000_1, .utc, "1969-12-31"),
      (1_795_046_399.999_999_7, .utc, "2026-11-18"),
      (57_600, .taipei, "1970-01-02"), (57_599.999, .taipei, "1970-01-01"),
      (54_000, .seoul, "1970-01-02"), (-62_167_219_200, .utc, "0000-01-01"),
      (1e300, .utc, "9999-12-31"), (-1e300, .seoul, "0000-01-01"),
      (.infinity, .utc, "9999-12-31"), (.nan, .utc, "0000-01-01"),
    ] as [(Double, FixedZone, String)])
  func dates(seconds: Double, zone: FixedZone, text: String) throws {
    let day = CalendarDay(Date(timeIntervalSince1970: seconds), in: zone)
    #expect(day.description == text)
    #expect(CalendarDay(day.start(in: zone), in: zone) == day)
  }

  @Test("calendar days are the same as Foundation's for random moments")
  func foundation() throws {
    let seed: UInt64 = 12
    var random = SeededGenerator(seed: seed)
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 8 * 3600))
    for _ in 0..<3_000 {
      // From 1600 on: before 1582 Foundation's calendar is the Julian one.
      let date = Date(
        timeIntervalSince1970: Double.random(in: -11_676_096_000...250_000_000_000, using: &random))
      let parts = calendar.dateComponents(
        [.year, .month, .day, .weekday, .hour, .minute], from: date)
      let day = CalendarDay(date, in: .taipei)
      #expect(
        day.year == parts.year && day.month == parts.month && day.day == parts.day,
        "seed \(seed): \(date)")
      #expect(day.weekday.rawValue % 7 + 1 == parts.weekday, "seed \(seed): \(date)")
    }
  }
}

@Suite("Fixed zones")
struct FixedZoneTests {
  @Test("fixed zones are named by their offset from UTC")
  func names() throws {
    #expect(FixedZone.utc.description == "Z" && FixedZone.taipei.description == "+08:00")
    #expect(try FixedZone(secondsFromUTC: -12_600).description == "-03:30")
    #expect(try FixedZone(secondsFromUTC: 29_160).description == "+08:06")
    #expect(try FixedZone(secondsFromUTC: 29_161).description == "+08:06:01")
    #expect(throws: FieldError.self) { try FixedZone(secondsFromUTC: 64_801) }
  }

  @Test("fixed zones are coded as seconds, and rejected if they are invalid")
  func coding() throws {
    #expect(
      String(decoding: try JSONEncoder().encode([FixedZone.seoul]), as: UTF8.self) == "[32400]")
    #expect(try JSONDecoder().decode([FixedZone].self, from: Data("[28800]".utf8)) == [.taipei])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([FixedZone].self, from: Data("[99999]".utf8))
    }
  }
}
