import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("Hyphens, ranges, and orders in timestamps")
struct TimestampRangeTests {
  @Test(
    "a hyphen between date and time isn't the sign of a zone",
    arguments: [
      ("20240105-153000", "2024-01-05T07:30:00.000Z"),
      ("20240105-093000", "2024-01-05T01:30:00.000Z"),
      ("2024/01/05-15:04", "2024-01-05T07:04:00.000Z"),
      ("2024/01/05-05:04", "2024-01-04T21:04:00.000Z"),
      ("05-Jan-2024-15:04:05", "2024-01-05T07:04:05.000Z"),
      ("2024-01-05-16:20", "2024-01-05T08:20:00.000Z"),
      ("2024-01-05-05:20:30", "2024-01-04T21:20:30.000Z"),
      ("4 Aug 2015 - 11:20 PM", "2015-08-04T15:20:00.000Z"),
      ("2024/01/05 – 11:20", "2024-01-05T03:20:00.000Z"),
      ("20240105-1530", "2024-01-05T07:30:00.000Z"),
      ("5 Jan 2024-08:00", "2024-01-05T00:00:00.000Z"),
      ("2024-01-05-093000", "2024-01-05T01:30:00.000Z"),
      ("13.01.2024 - 11.14", "2024-01-13T03:14:00.000Z"),
      ("2024.01.05 - 13.20", "2024-01-05T05:20:00.000Z"),
      ("2024.01.05 - 11.20.30", "2024-01-05T03:20:30.000Z"),
      ("2024-01-05–05:00", "2024-01-04T21:00:00.000Z"),
    ])
  func hyphens(text: String, utc: String) throws { try expect(text, utc) }

  @Test(
    "a range is its start, whatever separates its ends",
    arguments: [
      ("2024/01/05 09:00-17:00", "2024-01-05T01:00:00.000Z"),
      ("112年12月25日10:00-12:00", "2023-12-25T02:00:00.000Z"),
      ("2024/01/05 下午2:00-4:00", "2024-01-05T06:00:00.000Z"),
      ("2024-01-05 13:30-15:30", "2024-01-05T05:30:00.000Z"),
      ("2024/01/05 09:00~17:00", "2024-01-05T01:00:00.000Z"),
      ("2024/01/05 09:00～10:00", "2024-01-05T01:00:00.000Z"),
      ("2024/01/05 09:00 – 10:00", "2024-01-05T01:00:00.000Z"),
      ("2024/01/05 09:00 - 10:00", "2024-01-05T01:00:00.000Z"),
      ("2024/01/05 09:00至10:00", "2024-01-05T01:00:00.000Z"),
      ("113年1月5日上午9時到11時", "2024-01-05T01:00:00.000Z"),
      ("113年1月5日(五)下午2時30分至4時", "2024-01-05T06:30:00.000Z"),
      ("2024/01/05 09:00-10:20", "2024-01-05T01:00:00.000Z"),
      ("2024/01/05 09.00-10.00", "2024-01-05T01:00:00.000Z"),
      ("2024-01-05 09:00:00-17:00:00", "2024-01-05T01:00:00.000Z"),
      ("2024-01-05T09:00-17:00", "2024-01-05T01:00:00.000Z"),
      ("2024/01/05 10:00 AM - 2:00 PM", "2024-01-05T02:00:00.000Z"),
      ("Jan 5, 2024 9:00 AM to 5:00 PM", "2024-01-05T01:00:00.000Z"),
      ("2024/01/05 09:00 ~ 2024/01/06 17:00", "2024-01-05T01:00:00.000Z"),
      ("2024/01/05-2024/01/07", "2024-01-04T16:00:00.000Z"),
      ("20240105-20240107", "2024-01-04T16:00:00.000Z"),
      ("2024-01-05 至 2024-01-07", "2024-01-04T16:00:00.000Z"),
      ("2024/01/05~01/07", "2024-01-04T16:00:00.000Z"),
      ("113年1月5日至1月7日", "2024-01-04T16:00:00.000Z"),
      ("113年1月5日(五)至7日(日)", "2024-01-04T16:00:00.000Z"),
      ("113/01/05(五) 09:00～113/01/07(日) 17:00", "2024-01-05T01:00:00.000Z"),
      ("2024-01-05T10:00:00Z/2024-01-05T12:00:00Z", "2024-01-05T10:00:00.000Z"),
      ("2024-01-05 10:00 UTC/2024-01-05 12:00 UTC", "2024-01-05T10:00:00.000Z"),
      ("2024-01-05 09:00:00-10:00:00", "2024-01-05T01:00:00.000Z"),
      ("05/Jan/2024:10:00:00-11:00:00", "2024-01-05T02:00:00.000Z"),
      ("20240105090000-100000", "2024-01-05T01:00:00.000Z"),
      ("113/01/05 09:00-12:00", "2024-01-05T01:00:00.000Z"),
      ("2024/01/05-07", "2024-01-04T16:00:00.000Z"),
      ("2024/01/05-15:04-16:00", "2024-01-05T07:04:00.000Z"),
      ("03/04/2026 - 25/04/2026", "2026-04-02T16:00:00.000Z"),
      // A dash isn't the sign of an offset.
      ("2024-01-05T09:00–10:00", "2024-01-05T01:00:00.000Z"),
      ("2024-01-05T09:00—10:00", "2024-01-05T01:00:00.000Z"),
      ("2024-01-05T0900–1000", "2024-01-05T01:00:00.000Z"),
      ("2024-01-05 09:00:00–10:00", "2024-01-05T01:00:00.000Z"),
      ("2024-01-05 18:00–02:00", "2024-01-05T10:00:00.000Z"),
      ("2024–01–05 09:00–10:00", "2024-01-05T01:00:00.000Z"),
      ("2024-01-05T09:00-05:00 – 2024-01-05T10:00-05:00", "2024-01-05T14:00:00.000Z"),
      ("民國113年1月5日 09:00～17:00", "2024-01-05T01:00:00.000Z"),
      ("113/01/05 22:00至02:00", "2024-01-05T14:00:00.000Z"),
      ("2024.01.05~01.07", "2024-01-04T16:00:00.000Z"),
      // The zone at the end is that of the start, too.
      ("2024-01-05 ~ 2024-01-07 17:00 UTC", "2024-01-05T00:00:00.000Z"),
      ("2024-01-05 09:00~17:00 UTC", "2024-01-05T09:00:00.000Z"),
      ("2024/01/05 09:00 - 17:00 (GMT+9)", "2024-01-05T00:00:00.000Z"),
    ])
  func ranges(text: String, utc: String) throws { try expect(text, utc) }

  @Test(
    "zones after times stay zones",
    arguments: [
      ("2024-01-05T09:00-05:00", "2024-01-05T14:00:00.000Z"),
      ("2024-01-05 09:00:00-05", "2024-01-05T14:00:00.000Z"),
      ("2024-01-05 09:00-05:00", "2024-01-05T14:00:00.000Z"),
      ("Fri, 5 Jan 2024 09:00 -1100", "2024-01-05T20:00:00.000Z"),
      ("Sat, 13 Mar 2021 08:47:51 -500", "2021-03-13T13:47:51.000Z"),
      ("2024-01-05T09:00:00-12:00", "2024-01-05T21:00:00.000Z"),
      ("2024-01-05T09:00:00+14:00", "2024-01-04T19:00:00.000Z"),
      ("2024-01-05 10:00 UTC - 12:00", "2024-01-05T10:00:00.000Z"),
      // ISO 8601 defines them, even if a source may mean a range.
      ("2024-01-05T09:00-10:00", "2024-01-05T19:00:00.000Z"),
      ("2024-01-05T09:00−10:00", "2024-01-05T19:00:00.000Z"),
      ("2024–01–05 09:00:00-10:00", "2024-01-05T19:00:00.000Z"),
      ("2024-01-05 09:00 -0800", "2024-01-05T17:00:00.000Z"),
    ])
  func zones(text: String, utc: String) throws { try expect(text, utc) }

  @Test(
    "nothing is read where a hyphen may mean two things, or the end isn't one",
    arguments: [
      "2024/01/05 09:00-10:00", "2024-01-05-05:00", "20240105-0500", "2024-01-05 -0500",
      "2024/01/05 2:00-4:00 PM", "2024/01/05 09:00-25:00", "2024/01/05 09:00-17:60",
      "2024/01/05 09:00-17:00-18:00", "2024/01/05 09:00-", "2024/01/05 -", "2024/01/05~13/07",
      "2024/01/05~32", "2024-01-05-07", "2024/01/05 09:00~x", "2024/01/05 09:00至",
      "2024-01-05T09:00:00+14:01", "2024-01-05T09:00:00+15:00", "2024-01-05T09:00:00+08:00:30",
      "2024-01-05T09:00:00+08:3", "2024-01-05 09:00 GMT+15", "2024-01-05T09:00:00 CST+0900",
      "03/04/2026", "03.04.2026", "03-04-2026 10:00", "32/01/2026", "13/13/2026", "1711011200",
      "2024010510", "1130105150405", "9999999999", "170000000", "17000000000", "05.01.24",
      "202401050900-1000", "5 Jan 2024 0900-1000", "2024-01-05 18:00-02:00",
      "2024-01-05 09:00:00-08:00:00", "113-01-05T09:00:00-05:00", "20240105-1231",
      "20240105 - 0107", "2024/01/27-01", "2024010599", "2024010509999", "2024-01-05 15:3",
      "2024-01-05 15:30:4",
      "2024.01.05 - 11.20", "2024.01.05–11.20", "2024.01.05 - 01.07", "13.01.2024 - 11.04",
      "2024-01-05 09:00-0800", "2024-01-05 09:00 UTC–5", "2024-01-05T09:00–08:00",
      "2024 13 05", "2024 01 05 10", "截止日期：2026-03-25", "2026-03-25T14:07:09.x",
    ])
  func ambiguous(text: String) {
    #expect(TimestampParser(zone: .taipei).instant(text) == nil)
  }

  @Test(
    "no zone follows a bare date",
    arguments: [
      "2024-01-05+08:00", "2024-01-05-08:00", "2024-01-05Z", "2024-01-05 EST", "2024-01-05 +0800",
      "2024-01-05 UTC", "2024-01-05 (CST)", "2024-01-05 GMT+8", "20240105Z", "20240105+0800",
      "2024/01/05 HKT", "5 Jan 2024 GMT", "Fri, 05 Jan 2024 +0000", "113年1月5日 GMT+8",
      "2024-01-05[Asia/Taipei]", "2024-W01-5Z", "2024-005+08:00", "2024-01-05~2024-01-07Z",
    ])
  func bareDates(text: String) {
    #expect(TimestampParser(zone: .taipei).instant(text) == nil)
  }

  @Test(
    "a range has its last day, unless that is unclear",
    arguments: [
      ("2024/01/05-2024/01/07", "2024-01-07"), ("2024/1/5~1/7", "2024-01-07"),
      ("2024/01/05-07", "2024-01-07"), ("113年1月5日(五)至7日(日)", "2024-01-07"),
      ("2024.01.05~01.07", "2024-01-07"), ("2024.01.05 09:00 - 01.07 17:00", "2024-01-07"),
      ("113/01/05 09:00～113/01/07 17:00", "2024-01-07"),
      ("5 Jan 2024 – 7 Jan 2024", "2024-01-07"), ("2024/01/05 09:00~17:00", "2024-01-05"),
      ("2024/01/05 18:00~24:00", "2024-01-05"), ("2024/01/05 22:00~02:00", "2024-01-06"),
      ("2024/12/31 22:00–02:00", "2025-01-01"), ("2024/01/05 晚上8:00-10:00", "2024-01-05"),
      ("2024/01/05 晚上10:00-2:00", "2024-01-06"), ("25/03/2026 - 03/04/2026", "2026-04-03"),
      ("03/04/2026 - 25/04/2026", "2026-04-25"), ("25/03/2026 09:00~17:00", "2026-03-25"),
      ("2024-01-05T20:00:00Z/2024-01-07T20:00:00Z", "2024-01-07"),
      ("2024/01/05", nil), ("2024-01-05T09:00-10:00", nil), ("2024/01/05~2024/01/04", nil),
      ("2024/01/05 09:00~08:00", nil), ("2024.01.05 09.00-11.20", nil),
      ("05/05/2026 - 06/07/2026", nil),
    ])
  func lastDays(text: String, day: String?) throws {
    let instant = try #require(TimestampParser(zone: .taipei).instant(text))
    #expect(instant.lastDay?.description == day)
  }

  @Test(
    "other forms that sources write are read",
    arguments: [
      ("2016-4-1 7:9:23", "2016-03-31T23:09:23.000Z"),
      ("Fri, 05 Jan 2024 7:4:5 GMT", "2024-01-05T07:04:05.000Z"),
      ("2011-9-3T5:6:7Z", "2011-09-03T05:06:07.000Z"),
      ("2011-09-03T 0: 0: 0.0Z", "2011-09-03T00:00:00.000Z"),
      ("31.12.2023 15:04", "2023-12-31T07:04:00.000Z"), ("25/03/2026", "2026-03-24T16:00:00.000Z"),
      ("25-03-2026", "2026-03-24T16:00:00.000Z"), ("05.05.2026", "2026-05-04T16:00:00.000Z"),
      ("1700000000", "2023-11-14T22:13:20.000Z"), ("1774418829123", "2026-03-25T06:07:09.123Z"),
      ("@1774418829", "2026-03-25T06:07:09.000Z"), ("@-1", "1969-12-31T23:59:59.000Z"),
      ("1700000000.5", "2023-11-14T22:13:20.500Z"),
      ("2023 01 24 14:40:21", "2023-01-24T06:40:21.000Z"),
      ("Friday, 8th February, 2019, 10.55 am.", "2019-02-08T02:55:00.000Z"),
      ("2026-03-25T14:07:09.+08:00", "2026-03-25T06:07:09.000Z"),
      ("Wed , 25 Mar 2026 06:07:09 GMT", "2026-03-25T06:07:09.000Z"),
      ("25 Mar 2026 14:07:09 CST+0800", "2026-03-25T06:07:09.000Z"),
      ("ROC 115/03/25", "2026-03-24T16:00:00.000Z"),
      ("R.O.C. 115年3月25日", "2026-03-24T16:00:00.000Z"),
      ("發布日期：2026-03-25", "2026-03-24T16:00:00.000Z"),
      ("Last updated: 25 Mar 2026", "2026-03-24T16:00:00.000Z"),
      ("更新時間 2026-03-25 14:07", "2026-03-25T06:07:00.000Z"),
      ("2026-03-25T14:07:09+00:0", "2026-03-25T14:07:09.000Z"),
    ])
  func forms(text: String, utc: String) throws { try expect(text, utc) }

  @Test("other dates of the same source settle the order of day and month")
  func order() {
    func days(_ texts: [String]) -> [String?] {
      let alone = TimestampParser(zone: .utc)
      var order = DateOrder()
      for text in texts { _ = alone.instant(text, noting: &order) }
      let parser = TimestampParser(zone: .utc, order: order)
      return texts.map { parser.instant($0)?.day.description }
    }
    #expect(days(["03/04/2026", "25/03/2026"]) == ["2026-04-03", "2026-03-25"])
    #expect(days(["03/04/2026", "03/25/2026"]) == ["2026-03-04", "2026-03-25"])
    #expect(days(["03/04/2026 1:00 PM", "25/03/2026"]) == ["2026-04-03", "2026-03-25"])
    #expect(days(["03/04/2026", "25.03.2026"]) == [nil, "2026-03-25"])
    #expect(days(["03/04/2026 1:00 PM", "25/03/2026", "03/25/2026"])[0] == nil)
    #expect(days(["1711011200", "1711099999"]) == ["2024-03-21", "2024-03-22"])
  }

  @Test(
    "no date is another moment than dateutil reads",
    .enabled(if: Tool.isThere("python3") && Self.hasDateutil))
  func dateutil() throws {
    // dateutil reads `10.55 am` as 10:00, so it gets a colon instead of the point.
    // A hyphen without blanks is left out: it reads `20240105-153000` as an offset, too.
    let script = """
      import random
      from datetime import *
      from dateutil import parser
      random.seed(33)
      for n in range(6000):
        t = datetime(random.randint(1970, 2069), random.randint(1, 12), random.randint(1, 28),
                     random.randint(0, 23), random.randint(0, 59), random.randint(0, 59))
        d = random.choice(["%Y-%m-%d", "%d/%m/%Y", "%d.%m.%Y", "%d-%m-%Y", "%Y %m %d", "%d %b %Y",
                           "%b %d, %Y", "%Y/%m/%d", "%a, %d %b %Y", "%Y%m%d", "%d-%b-%Y"])
        c = random.choice(["%H:%M:%S", "%H:%M", "%I:%M %p", "%I.%M %p."]) if n % 3 else \\
            f"{t.hour}:{t.minute}:{t.second}"
        z = random.choice(["", "", " GMT", " -500", " -0500", "+0530", "+08:00", "Z", " EST", "-11:00",
                           " UTC+3"])
        day, clock = t.strftime(d) + random.choice([" ", "T", ", ", " - "]), t.strftime(c)
        text = day + clock + z
        plain = day + clock.replace(".", ":").rstrip(":") + z
        try: read = parser.parse(plain, tzinfos={"EST": -18000})
        except Exception: continue
        if read.tzinfo is None: read = read.replace(tzinfo=timezone(timedelta(hours=8)))
        print(int(read.timestamp()), text, sep="|")
      """
    let lines = String(decoding: try Tool.run("python3", "-c", script), as: UTF8.self)
      .split(separator: "\n")
    #expect(lines.count > 3_000)
    let parser = TimestampParser(zone: .taipei)
    var read = 0
    for line in Sample.of(lines, 4_000, inDebug: 2_000) {
      let parts = line.split(separator: "|", maxSplits: 1)
      // GMT+3 counts to the west for dateutil, as POSIX does.
      if parts[1].contains("UTC+3") { continue }
      guard let instant = parser.instant(String(parts[1])) else { continue }
      read += 1
      #expect(instant.seconds == Int64(parts[0]), "\(line)")
    }
    #expect(read > 800)
  }

  @Test("a suffix never moves a date to a moment that isn't written")
  func suffixes() {
    let seed = Sample.seed()
    var random = SeededGenerator(seed: seed)
    let parser = TimestampParser(zone: .taipei)
    let starts = [
      ("2024/01/05 09:30", 1_704_418_200), ("2024-01-05 09:30:00", 1_704_418_200),
      ("113年1月5日9時30分", 1_704_418_200), ("2024-01-05", 1_704_384_000),
      ("5 Jan 2024 9:30 AM", 1_704_418_200), ("2024/1/5", 1_704_384_000),
      ("20240105", 1_704_384_000), ("2024/1/5 上午9:30", 1_704_418_200),
    ]
    let pieces = [
      "-", "–", "~", "至", " ", "1", "0", "17:00", "4:00", "-12", "09:30", ":", "99", "日", "5", "/",
      ".",
      "to", "x", "PM", "下午", "1/7", "2024/1/6", "T",
    ]
    for _ in 0..<Sample.rounds(60_000, 6_000, inDebug: 3_000) {
      let (start, seconds) = starts.randomElement(using: &random) ?? starts[0]
      let suffix = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      guard let instant = parser.instant(start + suffix) else { continue }
      if instant.isZoneStated {
        // Only an offset that zones have may be read, and the clock shows what is written.
        #expect(
          (-43_200...50_400).contains(instant.zone.secondsFromUTC),
          "seed \(seed): \(start)\(suffix)")
        let clock = instant.seconds + Int64(instant.zone.secondsFromUTC) - 28_800
        #expect(
          clock == seconds || isWritten(clock, in: start + suffix),
          "seed \(seed): \(start)\(suffix)")
      } else {
        #expect(
          instant.seconds == seconds || isWritten(instant.seconds, in: start + suffix),
          "seed \(seed): \(start)\(suffix)")
      }
    }
  }

  /// Returns whether the day, hour, and minute of a time in Taipei are among the numbers of a text.
  private func isWritten(_ seconds: Int64, in text: String) -> Bool {
    let wall = WallTime(Date(timeIntervalSince1970: Double(seconds)), in: .taipei)
    guard wall.day.year == 2024, text.contains("\(wall.day.day)") else { return false }
    if wall.hour == 0 && wall.minute == 0 { return true }
    let minute = wall.minute == 0 || text.contains("\(wall.minute)")
    return minute && (text.contains("\(wall.hour)") || text.contains("\(wall.hour % 12)"))
  }

  private static let hasDateutil = (try? Tool.run("python3", "-c", "import dateutil")) != nil

  private func expect(_ text: String, _ utc: String) throws {
    let instant = try #require(TimestampParser(zone: .taipei).instant(text), "\(text)")
    #expect(TimestampWriter.iso8601(instant.date) == utc, "\(text)")
  }
}
