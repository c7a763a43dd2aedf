import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("Zones of timestamps")
struct TimestampZoneTests {
  @Test(
    "zones of timestamps are read by name, in any case",
    arguments: [
      ("GMT", 0), ("UTC", 0), ("UT", 0), ("Z", 0), ("Zulu", 0), ("Etc/GMT", 0), ("Etc/UTC", 0),
      // POSIX counts to the west.
      ("Etc/GMT+8", -480), ("Etc/GMT-8", 480), ("Etc/GMT-14", 840), ("GMT+8", 480),
      ("GMT-01:01", -61), ("UTC +8", 480), ("UTC+0530", 330),
      ("MET", 60), ("MEST", 120), ("CET", 60), ("CEST", 120), ("MEZ", 60), ("MESZ", 120),
      ("WET", 0), ("WEST", 60), ("BST", 60), ("EET", 120), ("EEST", 180), ("MSK", 180),
      ("EST", -300), ("EDT", -240), ("CDT", -300), ("MST", -420), ("MDT", -360), ("PST", -480),
      ("PDT", -420), ("AST", -240), ("ADT", -180), ("AKST", -540), ("AKDT", -480), ("HST", -600),
      ("JST", 540), ("KST", 540), ("HKT", 480), ("SGT", 480), ("AEST", 600), ("AEDT", 660),
      ("ACST", 570), ("AWST", 480), ("Asia/Taipei", 480), ("Asia/Seoul", 540),
      ("+08:00[Asia/Taipei]", 480), ("CST+0800", 480), ("IST+0530", 330), ("(EST)", -300),
      ("[GMT+9]", 540),
    ])
  func names(name: String, minutes: Int) throws {
    for zone in [FixedZone.utc, .taipei] {
      let parser = TimestampParser(zone: zone)
      for text in ["2024-01-29 12:00:00 \(name)", "Mon, 29 Jan 2024 12:00:00 \(name)"] {
        let instant = try #require(parser.instant(text), "\(text)")
        #expect(instant.seconds == 1_706_529_600 - Int64(minutes) * 60, "\(text)")
        #expect(instant.zone.secondsFromUTC == minutes * 60 && instant.isZoneStated, "\(text)")
      }
    }
    guard !name.contains("/") else { return }
    #expect(
      TimestampParser(zone: .utc).instant("2024-01-29 12:00 \(name.lowercased())")?.seconds
        == 1_706_529_600 - Int64(minutes) * 60)
  }

  @Test("the zone CST is China's time east of Greenwich, and American time west of it")
  func chinaOrAmerica() throws {
    let text = "2024-01-29 12:00:00 CST"
    for (zone, hours) in [
      (FixedZone.taipei, 8), (.seoul, 8), (.utc, -6), (try FixedZone(secondsFromUTC: -3600), -6),
    ] {
      #expect(
        TimestampParser(zone: zone).instant(text)?.seconds == 1_706_529_600 - Int64(hours) * 3600,
        "\(zone)")
    }
  }

  @Test(
    "zones of timestamps follow the time changes of America and Moscow",
    arguments: Sample.of(
      [
        ("ET", "America/New_York", 1967), ("CT", "America/Chicago", 1967),
        ("MT", "America/Denver", 1968), ("PT", "America/Los_Angeles", 1967),
        ("AT", "America/Halifax", 1974), ("MSK", "Europe/Moscow", 2011),
      ], 2, inDebug: 1))
  func seasons(name: String, identifier: String, firstYear: Int) throws {
    let zone = try #require(TimeZone(identifier: identifier))
    let parser = TimestampParser(zone: .utc)
    // Every half hour around a change of the clocks, otherwise once a day. 2037 is the last year that is
    // sure to be in the system's tables.
    func offset(_ seconds: Int) -> Int {
      zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
    }
    func start(_ year: Int) throws -> Int {
      Int(try CalendarDay(year: year, month: 4, day: 1).start(in: .utc).timeIntervalSince1970)
    }
    var seconds = try start(firstYear)
    let end = try start(2037)
    while seconds < end {
      defer {
        let isChange = offset(seconds - 172_800) != offset(seconds + 172_800)
        seconds += isChange ? 1800 : 86_400 + 1800
      }
      // Halifax kept its own dates until 1976.
      if name == "AT" && seconds < 220_924_800 { continue }
      // The hour that occurs twice is read as its first occurrence.
      let isSecond = offset(seconds - 3600) > offset(seconds)
      let wall = WallTime(
        Date(timeIntervalSince1970: Double(seconds + offset(seconds))), in: .utc)
      let text = "\(wall.day) \(wall.hour):\(wall.minute < 10 ? "0" : "")\(wall.minute) \(name)"
      let expected = Int64(seconds - (isSecond ? 3600 : 0))
      guard parser.instant(text)?.seconds == expected else {
        Issue.record("\(text) is \(expected)")
        return
      }
    }
  }
}
