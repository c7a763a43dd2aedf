import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("Dates of header fields", .heavy)
struct HTTPDateFormTests {
  static let now = Date(timeIntervalSince1970: 1_767_225_600)  // 2026-01-01

  @Test(
    "dates of header fields are read in all three forms",
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
      ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777),
      ("Sun Nov 16 08:49:37 1994", 784_975_777),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
      ("thu, 1 jan 1970 00:00:00 UTC", 0),
      ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
    ])
  func forms(text: String, seconds: Int) {
    #expect(
      HTTPDate.date(from: text, now: Self.now) == Date(timeIntervalSince1970: Double(seconds)))
  }

  @Test(
    "dates of header fields with two-digit years lie within fifty years of now",
    arguments: [("26", 2026), ("75", 2075), ("77", 1977), ("00", 2000), ("99", 1999)])
  func twoDigits(digits: String, year: Int) {
    let short = HTTPDate.date(from: "Monday, 02-Mar-\(digits) 10:00:00 GMT", now: Self.now)
    let long = HTTPDate.date(from: "Mon, 02 Mar \(year) 10:00:00 GMT", now: Self.now)
    #expect(short != nil)
    #expect(short == long)
  }

  @Test(
    "dates of header fields are nil if they are invalid",
    arguments: [
      "", "soon", "2026-01-01T00:00:00Z", "Sun, 31 Feb 2025 00:00:00 GMT",
      "Sun, 29 Feb 2100 00:00:00 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
      "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 194 08:49:37 GMT",
      "Sun, 00 Nov 1994 08:49:37 GMT", "06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994",
      "Sun, 06 Nou 1994 08:49:37 GMT", "Sun, ٠٦ Nov 1994 08:49:37 GMT",
    ])
  func none(text: String) {
    #expect(HTTPDate.date(from: text, now: Self.now) == nil)
  }

  @Test(
    "dates of header fields agree with Foundation's formatter",
    arguments: Sample.of([11, 12] as [UInt64], 1))
  func differential(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    for _ in 0..<Sample.rounds(500, 150) {
      // 1900 to 2199, well within four digits.
      let date = Date(
        timeIntervalSince1970: Double(
          Int.random(in: -2_208_988_800...7_258_118_399, using: &random)))
      formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
      #expect(
        HTTPDate.date(from: formatter.string(from: date), now: Self.now) == date, "seed \(seed)")
      formatter.dateFormat = "EEE MMM d HH:mm:ss yyyy"
      #expect(
        HTTPDate.date(from: formatter.string(from: date), now: Self.now) == date, "seed \(seed)")
      formatter.dateFormat = "EEEE, dd-MMM-yy HH:mm:ss 'GMT'"
      let near = Date(
        timeIntervalSince1970: Self.now.timeIntervalSince1970
          + Double(Int.random(in: -1_546_300_800...1_546_300_800, using: &random)))
      #expect(
        HTTPDate.date(from: formatter.string(from: near), now: Self.now) == near, "seed \(seed)")
    }
  }
}
