import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("Timestamp parsing")
struct TimestampParserTests {
  @Test(
    "the timestamp parser reads every form of the sources, in Taipei time without a zone",
    arguments: [
      // ISO 8601 and its kin
      ("2015-07-20T18:25:03.12", "2015-07-20T10:25:03.120Z", 2),
      ("2015-07-20T18:25:03.1", "2015-07-20T10:25:03.100Z", 1),
      ("2015-07-20T18:25:03.123", "2015-07-20T10:25:03.123Z", 3),
      ("2015-07-20T18:25:03", "2015-07-20T10:25:03.000Z", 0),
      ("2022-12-23 14:05:14.668579", "2022-12-23T06:05:14.669Z", 6),
      ("2020-01-01t00:00:00z", "2020-01-01T00:00:00.000Z", 0),
      ("2018-12-21 11:27:25 +0800", "2018-12-21T03:27:25.000Z", 0),
      ("2023-10-12T00:00:00+08:00", "2023-10-11T16:00:00.000Z", 0),
      ("2020-01-01T00:00:00,5-03:30", "2020-01-01T03:30:00.500Z", 1),
      ("2020-01-01T00:00:00+08", "2019-12-31T16:00:00.000Z", 0),
      ("2020-01-01T10:20", "2020-01-01T02:20:00.000Z", -1),
      ("2026-09-28", "2026-09-27T16:00:00.000Z", -3),
      ("2017/9/29", "2017-09-28T16:00:00.000Z", -3),
      ("2017/9/29 7:05", "2017-09-28T23:05:00.000Z", -1),
      ("2016.05.16", "2016-05-15T16:00:00.000Z", -3),
      ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z", 0),
      ("2020-02-28T24:00:00Z", "2020-02-29T00:00:00.000Z", 0),
      ("0860-01-01T00:00:00.000Z", "0860-01-01T00:00:00.000Z", 3),
      (" \t2020-01-01T00:00:00Z\r\n", "2020-01-01T00:00:00.000Z", 0),
      ("2020-01-01T00:00:00.1234567890123456789012Z", "2020-01-01T00:00:00.123Z", 22),
      // digits alone
      ("20261008131602", "2026-10-08T05:16:02.000Z", 0),
      ("202610081316", "2026-10-08T05:16:00.000Z", -1),
      ("20261008131602123", "2026-10-08T05:16:02.123Z", 3),
      ("20160516", "2016-05-15T16:00:00.000Z", -3),
      ("20160516T180000Z", "2016-05-16T18:00:00.000Z", 0),
      ("20160516 18:00", "2016-05-16T10:00:00.000Z", -1),
      ("1150801", "2026-07-31T16:00:00.000Z", -3),
      ("20261008131602.5Z", "2026-10-08T13:16:02.500Z", 1),
      // US
      ("01/01/2001 12:00:00 AM", "2000-12-31T16:00:00.000Z", 0),
      ("1/31/2001 1:02:03 pm", "2001-01-31T05:02:03.000Z", 0),
      ("12/31/2001", "2001-12-30T16:00:00.000Z", -3),
      // RFC 822, 850, 1123
      ("Tue, 22 Jul 2025 20:42:19 GMT", "2025-07-22T20:42:19.000Z", 0),
      ("22 Jul 2025 20:42:19 +0800", "2025-07-22T12:42:19.000Z", 0),
      ("Mon, 28 Sep 2026 01:11:00", "2026-09-27T17:11:00.000Z", 0),
      ("Tue, 22 Jul 25 20:42 EST", "2025-07-23T01:42:00.000Z", -1),
      ("22 Jul 2025 20:42:19 PDT", "2025-07-23T03:42:19.000Z", 0),
      ("Sat, 1 September 1979 00:00:00 UT", "1979-09-01T00:00:00.000Z", 0),
      ("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37.000Z", 0),
      ("1 Jan 49 00:00 Z", "2049-01-01T00:00:00.000Z", -1),
      ("1 Jan 50 00:00 Z", "1950-01-01T00:00:00.000Z", -1),
      ("1 Jan 101 00:00 Z", "2001-01-01T00:00:00.000Z", -1),
      ("Wed, 22 Jul 2025 20:42:19 A", "2025-07-22T20:42:19.000Z", 0),
      ("Tue, 22 Jul 2025 20:42:19 CST", "2025-07-22T12:42:19.000Z", 0),
      ("Tue, 22 Jul 2025 20:42:19 HKT", "2025-07-22T12:42:19.000Z", 0),
      ("Tue, 22 Jul 2025 20:42:19 jst", "2025-07-22T11:42:19.000Z", 0),
      ("Tue, 22 Jul 2025 20:42:19 KST", "2025-07-22T11:42:19.000Z", 0),
      ("2025-07-22 20:42:19 SGT", "2025-07-22T12:42:19.000Z", 0),
      ("tue,22 jul 2025 20:42:19 -0000 (so it is)", "2025-07-22T20:42:19.000Z", 0),
      ("22 Jul 2025", "2025-07-21T16:00:00.000Z", -3),
      // a weekday in brackets behind a blank
      ("115/09/28 (一) 10:00", "2026-09-28T02:00:00.000Z", -1),
      ("115年9月28日 （星期一）", "2026-09-27T16:00:00.000Z", -3),
      // C and JavaScript
      ("Sun Nov  6 08:49:37 1994", "1994-11-06T00:49:37.000Z", 0),
      ("Tue Jul 22 2025 20:42:19 GMT+0800 (台北標準時間)", "2025-07-22T12:42:19.000Z", 0),
      ("Tue Jul 22 20:42:19 UTC 2025", "2025-07-22T20:42:19.000Z", 0),
      ("Nov 6, 1994", "1994-11-05T16:00:00.000Z", -3),
      ("Nov 6, 1994, 8:49 PM", "1994-11-06T12:49:00.000Z", -1),
      // Minguo and Chinese
      ("105/05/16", "2016-05-15T16:00:00.000Z", -3), ("115-09-28", "2026-09-27T16:00:00.000Z", -3),
      ("115.8.1", "2026-07-31T16:00:00.000Z", -3), ("098/01/02", "2009-01-01T16:00:00.000Z", -3),
      ("105/05/16 下午 03:20:05", "2016-05-16T07:20:05.000Z", 0),
      ("105/05/16 上午12:30", "2016-05-15T16:30:00.000Z", -1),
      ("2016/5/16 下午 12:30:00", "2016-05-16T04:30:00.000Z", 0),
      ("2016/5/16 PM 03:20", "2016-05-16T07:20:00.000Z", -1),
      ("105/05/16 下午 15:20", "2016-05-16T07:20:00.000Z", -1),
      ("民國105年5月16日", "2016-05-15T16:00:00.000Z", -3),
      ("中華民國115年8月 1日", "2026-07-31T16:00:00.000Z", -3),
      ("民國 98 年 1 月 2 日", "2009-01-01T16:00:00.000Z", -3),
      ("98年1月2日", "2009-01-01T16:00:00.000Z", -3), ("民國元年1月1日", "1911-12-31T16:00:00.000Z", -3),
      ("民國98/1/2", "2009-01-01T16:00:00.000Z", -3),
      ("115年8月1日(六)14:00", "2026-08-01T06:00:00.000Z", -1),
      ("115/08/01（星期六） 14：00", "2026-08-01T06:00:00.000Z", -1),
      ("2016年05月16日18時00分", "2016-05-16T10:00:00.000Z", -1),
      ("2016年05月16日 下午6時0分7秒", "2016-05-16T10:00:07.000Z", 0),
      ("2016年5月16日18時", "2016-05-16T10:00:00.000Z", -2),
      ("西元2016年5月16日", "2016-05-15T16:00:00.000Z", -3),
      ("週一, 28 九月 2026 00:00:00 +0800", "2026-09-27T16:00:00.000Z", 0),
      ("星期一，28 十二月 2026 00:00:00 GMT", "2026-12-28T00:00:00.000Z", 0),
      ("28 9月 2026", "2026-09-27T16:00:00.000Z", -3),
      ("週三 2026-09-30 10:00", "2026-09-30T02:00:00.000Z", -1),
    ] as [(String, String, Int)])
  func forms(text: String, utc: String, digits: Int) throws {
    let instant = try #require(TimestampParser(zone: .taipei).instant(text))
    #expect(TimestampWriter.iso8601(instant.date) == utc)
    let precision: ParsedInstant.Precision =
      switch digits {
      case -3: .day
      case -2: .hour
      case -1: .minute
      case 0: .second
      default: .fraction(digits: digits)
      }
    #expect(instant.precision == precision)
  }

  @Test(
    "the timestamp parser returns nil for invalid or ambiguous dates",
    arguments: [
      "", " ", "########", "null", "http://www.zoo.gov.tw/a.jpg", "蘭嶼角鴞", "2015", "2015-07",
      "2015-13-01", "2015-02-29", "2015-00-10", "2015-01-32",
      "12/05/16", "1/2/3", "00/01/2001", "2015-07-20T", "2015-07-20T25:00",
      "2015-07-20T24:00:01", "2015-07-20T10:60", "2015-07-20T10:00:61", "2015-07-20T01:2",
      "2015-07-20T10:00:00XX", "2015-07-20 3:00 P", "2015-07-20T10:00:00Z+08:00",
      "2015-07-20T10:00:00 EST+0800", "2015-07-20T10:00:00+25:00",
      "2015-07-20T10:00:00+08:60", "2015-07-20T10:00:00+080", "2015-07-20T10:00:00 garbage",
      "2015-07-20 10:00 10:00", "2015-07-2010:00", "-2015-07-20", "+2015-07-20",
      "2015-07/20", "20151301", "201507201", "99999999999999999999", "000/01/01", "0000801",
      "民國前3年1月1日", "民國2016年1月1日", "115年8月", "115年8-9", "2016/5/16 上午 15:20",
      "Foo, 22 Jul 2025 20:42:19 GMT", "22 Jux 2025", "22 Julyx 2025",
      "Tue, 22 Jul 2025 20:42:19 NZDT", "22 Jul 2025 20:42:19 IST", "22 Jul 2025 20:42:19 J",
      "32 Jul 2025",
      "Sun Nov  6 08:49:37", "Nov 6", "28 十三月 2026", "(六)", "115年8月1日(八)",
      "Tue, 22 Jul 2025 20:42:19 GMT (", "13:30、14:30", "全天", "20150720T", "2015-07-20.5",
    ])
  func refused(text: String) {
    #expect(TimestampParser(zone: .taipei).instant(text) == nil)
  }

  @Test(
    "the timestamp parser keeps the zone that a text states, and reports if it was the reader's")
  func zones() throws {
    let stated = try #require(TimestampParser(zone: .utc).instant("2016-05-16T00:30:00+09:00"))
    #expect(stated.zone == .seoul && stated.isZoneStated)
    #expect(stated.day.description == "2016-05-16")
    let own = try #require(TimestampParser(zone: .seoul).instant("2016-05-16T00:30:00"))
    #expect(own.seconds == stated.seconds && own.zone == .seoul && !own.isZoneStated)
    #expect(TimestampParser(zone: .utc).instant("1 Jan 2020 00:00 CST")?.seconds == 1_577_858_400)
  }

  @Test("the timestamp parser never traps, whatever the bytes")
  func fuzz() {
    let seed = Sample.seed()
    var random = SeededGenerator(seed: seed)
    let parser = TimestampParser(zone: .taipei)
    let seeds = [
      "2015-07-20T18:25:03.12+08:00", "Tue, 22 Jul 2025 20:42:19 GMT", "民國105年5月16日 下午3時20分",
      "01/01/2001 12:00:00 AM", "20261008131602", "週一, 28 九月 2026 00:00:00 +0800",
      "Sun Nov  6 08:49:37 1994", "Mon Jan 29 00:00:00 +0000 2024",
      "2024-W01-5T10+08:00[Asia/Taipei]",
      "/Date(1390000000000+0800)/", "民國一百一十二年五月三日 晚上八點半", "２０２４－０１－２９　１０：００（一）",
      "2024. 1. 5. 오후 3:04:05", "令和六年一月五日", "terça-feira, 2 de janeiro de 2024 (ET)",
    ].map { Array($0.utf8) }
    for _ in 0..<Sample.rounds(60_000, 3_000, inDebug: 1_500) {
      var bytes = seeds.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0...4, using: &random) {
        case 0: bytes[at] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes.remove(at: at)
        case 2: bytes.insert(UInt8.random(in: 0x20...0x3A, using: &random), at: at)
        case 3: bytes.removeSubrange(at...)
        default: bytes.insert(contentsOf: bytes[at...].prefix(6), at: at)
        }
      }
      bytes.withByteSpan { span in
        if let instant = parser.instant(span) {
          #expect((0..<1_000_000_000).contains(instant.nanoseconds))
          #expect((0...9999).contains(instant.day.year))
        }
        if let year = FloatingYear.year(in: span) { #expect((-9999...9999).contains(year)) }
      }
    }
  }

  @Test("the timestamp parser reads ISO 8601 like Foundation, and reads what it writes")
  func foundation() throws {
    let seed: UInt64 = 5
    var random = SeededGenerator(seed: seed)
    let parser = TimestampParser(zone: .utc)
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    for _ in 0..<3_000 {
      // From 1600 on: for earlier years Foundation's calendar is the Julian one.
      let milliseconds = Int64.random(in: -11_676_096_000_000...250_000_000_000_000, using: &random)
      let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      let text = TimestampWriter.iso8601(date)
      let read = try #require(parser.instant(text))
      #expect(
        read.seconds * 1000 + Int64(read.nanoseconds / 1_000_000) == milliseconds,
        "seed \(seed): \(text)")
      let theirs = try style.parse(text)
      #expect(abs(read.date.timeIntervalSince(theirs)) < 0.000_5, "seed \(seed): \(text)")
      for zone in [FixedZone.taipei, .seoul, try FixedZone(secondsFromUTC: -12_600)] {
        #expect(
          parser.instant(TimestampWriter.iso8601(date, in: zone))?.date == read.date,
          "seed \(seed): \(text)")
      }
    }
  }

  @Test(
    "the timestamp parser reads ISO 8601, RFC 822, and digits like Python",
    .enabled(if: Tool.isThere("python3")))
  func python() throws {
    let script = """
      import random
      from datetime import *
      from email.utils import format_datetime
      random.seed(8)
      for n in range(4000):
        zone = timezone(timedelta(minutes=random.choice([0, 480, 540, -210, 345, -720, 839])))
        t = datetime(random.randint(1, 9998), random.randint(1, 12), random.randint(1, 28), random.randint(0, 23),
                     random.randint(0, 59), random.randint(0, 59), random.choice([0, 0, random.randint(0, 999999)]), zone)
        t += timedelta(days=random.randint(0, 3))
        micro = (t - datetime(1970, 1, 1, tzinfo=timezone.utc)) // timedelta(microseconds=1)
        whole = micro // 1000000 * 1000000
        print(micro, t.isoformat(), sep="|")
        print(micro, t.isoformat(" "), sep="|")
        print(whole, format_datetime(t), sep="|")
        local = t.replace(tzinfo=None)
        taipei = (local - datetime(1970, 1, 1)) // timedelta(seconds=1) * 1000000 - 28800 * 1000000
        print(taipei, f"{t.year:04}" + t.strftime("%m%d%H%M%S"), sep="|")
        print(taipei, t.strftime("%m/%d/") + f"{t.year:04}" + t.strftime(" %I:%M:%S %p"), sep="|")
        if 1912 <= t.year <= 2910:
          print(taipei, f"{t.year - 1911:03}" + t.strftime("/%m/%d %H:%M:%S"), sep="|")
          print(taipei, f"民國{t.year - 1911}年{t.month}月{t.day}日 " + ("上午" if t.hour < 12 else "下午") + t.strftime("%I:%M:%S"), sep="|")
      """
    let all = String(decoding: try Tool.run("python3", "-c", script), as: UTF8.self).split(
      separator: "\n")
    #expect(all.count > 20_000)
    let lines = Sample.of(all, 4_000, inDebug: 2_000)
    let parser = TimestampParser(zone: .taipei)
    for line in lines {
      let parts = line.split(separator: "|")
      let instant = parser.instant(String(parts[1]))
      #expect(
        instant.map { $0.seconds * 1_000_000 + Int64($0.nanoseconds / 1000) } == Int64(parts[0]),
        "\(line)")
    }
  }

  @Test(
    "the timestamp parser reads every time of the real captures",
    .enabled(if: SharedData.isThere, "the captures of ../shared are not here"))
  func captures() throws {
    let parser = TimestampParser(zone: .taipei)
    var count = 0
    let folder = SharedData.url("metro")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.hasPrefix("arrivals-") {
      let text = String(decoding: try SharedData.bytes("metro/\(name)"), as: UTF8.self)
      for match in text.matches(of: /"UpdateTime" ?: ?"([^"]*)"/) {
        count += 1
        #expect(parser.instant(String(match.1)) != nil, "\(match.1)")
      }
    }
    #expect(count > 100)
    let feed = String(
      decoding: try SharedData.bytes("civic/rss-shapes-synthetic.xml"), as: UTF8.self)
    let dates = feed.matches(of: /<pub[dD]ate>([^<]+)/).map { parser.instant(String($0.1)) }
    #expect(dates.count == 6 && !dates.contains(nil))
  }
}

@Suite("HTTP dates")
struct HTTPDateTests {
  let now = Date(timeIntervalSince1970: 1_795_000_000)  // November 2026

  @Test(
    "HTTP dates are read in all three forms",
    arguments: [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
  func forms(text: String) {
    #expect(HTTPDate.date(from: text, now: now) == Date(timeIntervalSince1970: 784_111_777))
  }

  @Test(
    "HTTP dates read a short year as the latest one that is at most 50 years ahead",
    arguments: [("76", 2076), ("77", 1977), ("00", 2000), ("26", 2026), ("99", 1999)])
  func shortYears(short: String, year: Int) throws {
    let date = try #require(HTTPDate.date(from: "Sunday, 06-Nov-\(short) 08:49:37 GMT", now: now))
    #expect(CalendarDay(date, in: .utc).year == year)
  }

  @Test(
    "HTTP dates aren't a number of seconds, another zone, or only a day",
    arguments: [
      "120", "", "Tue, 22 Jul 2025 20:42:19 +0800", "Tue, 22 Jul 2025", "2025-07-22T20:42:19Z",
      "soon", "Sun, 06 Nov 1994 8:9:7 GMT", "Date: Sun, 06 Nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 08:49:37 GMT ~ Mon, 07 Nov 1994 08:49:37 GMT",
    ])
  func refused(text: String) {
    #expect(HTTPDate.date(from: text, now: now) == nil)
  }

  @Test("HTTP dates are written in the preferred form, and parsed again")
  func writing() {
    #expect(
      HTTPDate.string(for: Date(timeIntervalSince1970: 784_111_777.9))
        == "Sun, 06 Nov 1994 08:49:37 GMT")
    let seed: UInt64 = 3
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let date = Date(
        timeIntervalSince1970: Double(
          Int.random(in: -60_000_000_000...250_000_000_000, using: &random)))
      #expect(
        HTTPDate.date(from: HTTPDate.string(for: date), now: now) == date, "seed \(seed): \(date)")
    }
  }
}

@Suite("Years of meteorites")
struct FloatingYearTests {
  @Test(
    "years of meteorites are read from every form in the data",
    arguments: [
      ("1880-01-01T00:00:00.000", 1880), ("1880-01-01T00:00:00", 1880),
      ("01/01/2001 12:00:00 AM", 2001), ("1880", 1880), ("0860", 860), ("860", 860),
      ("1880.0", 1880),
      ("0860-01-01T00:00:00.000", 860), ("860-01-01", 860), ("1880-01-01", 1880),
      ("12/22/2000 12:00:00 AM", 2000),
      ("01/01/0860", 860), (" 1880 ", 1880), ("1880.", 1880), ("1880.000", 1880), ("2101", 2101),
      ("-600", -600), ("-0300-01-01T00:00:00.000", -300), ("301 BC", -300), ("1 BCE", 0),
      ("860 AD", 860), ("0", 0), ("0000-01-01T00:00:00.000", 0), ("1880-01-01T00:00:00.000Z", 1880),
      ("1880-01-01T00:00:00+08:00", 1880), ("31/12/2001", 2001), ("13.01.2001", 2001),
    ])
  func years(text: String, year: Int) {
    #expect(FloatingYear.year(in: text) == year)
  }

  @Test(
    "years of meteorites are nil for anything else",
    arguments: [
      "", " ", "null", "-", "18800", "1880-", "1880-13-01", "1880-01", "1880-01-32", "1880.5",
      "1880x", "x1880", "1880-01-01T", "1880-01-01Tx", "13/13/2001", "01/32/2001", "01/01/01",
      "0 BC", "1880 BD", "1880BC", "-5 BC", "--5", "1.88e3", "12-01-01", "-1/1/2000",
      "1880-01-01 garbage",
    ])
  func refused(text: String) {
    #expect(FloatingYear.year(in: text) == nil)
  }
}
