import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("Timestamp spellings")
struct TimestampSpellingTests {
  @Test(
    "timestamp spellings of every writer are read, in Taipei time if the text states no zone",
    arguments: [
      // Twitter, C, Java, and GNU date
      ("Mon Jan 29 00:00:00 +0000 2024", "2024-01-29T00:00:00.000Z"),
      ("Mon Jan 29 00:00:00 +08:00 2024", "2024-01-28T16:00:00.000Z"),
      ("Mon Jan 29 00:00:00 GMT+08:00 2024", "2024-01-28T16:00:00.000Z"),
      ("Sun Nov  6 08:49:37 1994 +0100", "1994-11-06T07:49:37.000Z"),
      ("Sun Nov  6 08:49:37 1994 UTC", "1994-11-06T08:49:37.000Z"),
      ("Fri Jan  5 03:04:05 PM CST 2024", "2024-01-05T07:04:05.000Z"),
      ("Mon Jan 29 00:00:00 ET 2024", "2024-01-29T05:00:00.000Z"),
      // Months with commas, points, hyphens, ordinals, and small words
      ("Jan 29, 2024", "2024-01-28T16:00:00.000Z"), ("Jan.29,2024", "2024-01-28T16:00:00.000Z"),
      ("29 Jan, 2024 10:00", "2024-01-29T02:00:00.000Z"),
      ("29. January 2024", "2024-01-28T16:00:00.000Z"),
      ("Mon, 13 Feb, 2012 06:28:00 UTC", "2012-02-13T06:28:00.000Z"),
      ("January 29th, 2024", "2024-01-28T16:00:00.000Z"),
      ("the 29th of January 2024", "2024-01-28T16:00:00.000Z"),
      ("Monday, January 29, 2024 at 10:00\u{202F}PM", "2024-01-29T14:00:00.000Z"),
      ("MONDAY, JANUARY 29, 2024 AT 10:00 PM", "2024-01-29T14:00:00.000Z"),
      ("2024-Jan-29", "2024-01-28T16:00:00.000Z"),
      ("2024 January 29 10:00", "2024-01-29T02:00:00.000Z"),
      ("29JAN2024:10:00:00", "2024-01-29T02:00:00.000Z"),
      ("[29/Jan/2024:10:00:00 +0000]", "2024-01-29T10:00:00.000Z"),
      ("10:00, 29 January 2024 (UTC)", "2024-01-29T10:00:00.000Z"),
      ("2024/01/29 (Mon) 10:00", "2024-01-29T02:00:00.000Z"),
      ("29 January 2024, Monday", "2024-01-28T16:00:00.000Z"),
      ("Mar\u{A0}29, 2024", "2024-03-28T16:00:00.000Z"),
      // JavaScript, .NET, Go, cameras, systemd, SQL
      ("1/5/2024, 3:04:05\u{202F}PM", "2024-01-05T07:04:05.000Z"),
      ("2024/1/5 下午3:04:05", "2024-01-05T07:04:05.000Z"),
      ("/Date(1390000000000+0800)/", "2014-01-17T23:06:40.000Z"),
      ("\\/Date(-1)\\/", "1969-12-31T23:59:59.999Z"),
      ("2024-01-05 11:04:05.5 +0800 CST", "2024-01-05T03:04:05.500Z"),
      ("2024:01:05 03:04:05", "2024-01-04T19:04:05.000Z"),
      ("20240105_030405", "2024-01-04T19:04:05.000Z"),
      ("Fri 2024-01-05 15:04:05 UTC", "2024-01-05T15:04:05.000Z"),
      ("05-JAN-24 03.04.05.123 PM", "2024-01-05T07:04:05.123Z"),
      ("Jan 5, 2024 3 p.m.", "2024-01-05T07:00:00.000Z"),
      // ISO 8601 and RFC 9557
      ("2024-01-05T10:00:00+08:00[Asia/Taipei]", "2024-01-05T02:00:00.000Z"),
      ("2024-01-05T10:00:00Z[Europe/Paris][u-ca=gregory]", "2024-01-05T10:00:00.000Z"),
      ("2024-01-05T10:00:00[Asia/Tokyo]", "2024-01-05T01:00:00.000Z"),
      ("2024-01-05T10:00:00[!Asia/Tokyo]", "2024-01-05T01:00:00.000Z"),
      ("2024-W01-5", "2024-01-04T16:00:00.000Z"), ("2020W537T10Z", "2021-01-03T10:00:00.000Z"),
      ("2024-060", "2024-02-28T16:00:00.000Z"), ("2024-366", "2024-12-30T16:00:00.000Z"),
      ("2003-012-31T10:14:55+00:00", "2003-12-31T10:14:55.000Z"),
      ("2024-01-05T10+00:00:00", "2024-01-05T10:00:00.000Z"),
      // Characters that look like ASCII, or like nothing
      ("２０２４－０１－２９　１０：００", "2024-01-29T02:00:00.000Z"), ("２０２４／１／２９", "2024-01-28T16:00:00.000Z"),
      ("１１３．１．５", "2024-01-04T16:00:00.000Z"), ("113年１月５日", "2024-01-04T16:00:00.000Z"),
      ("２０２４－０１－２９Ｔ１０：００：００Ｚ", "2024-01-29T10:00:00.000Z"),
      ("29\u{A0}Jan\u{A0}2024", "2024-01-28T16:00:00.000Z"),
      ("2024\u{2011}01\u{2011}29T10:00:00\u{2212}01:00", "2024-01-29T11:00:00.000Z"),
      ("\u{FEFF}2024-01-29\u{200B}", "2024-01-28T16:00:00.000Z"),
      ("“2024-01-29”", "2024-01-28T16:00:00.000Z"), ("\"2024-01-29\"", "2024-01-28T16:00:00.000Z"),
      // Chinese numerals and words
      ("二〇一三年一月二十七日", "2013-01-26T16:00:00.000Z"), ("二○一三年元月廿七日", "2013-01-26T16:00:00.000Z"),
      ("民國一百一十二年五月三日", "2023-05-02T16:00:00.000Z"), ("民國一百零三年十月卅一日", "2014-10-30T16:00:00.000Z"),
      ("中華民國一一二年五月三日十二時三十分", "2023-05-03T04:30:00.000Z"),
      ("民國元年一月一日", "1911-12-31T16:00:00.000Z"), ("民國壹佰壹拾貳年伍月參日", "2023-05-02T16:00:00.000Z"),
      ("二千零二十四年十二月三十日", "2024-12-29T16:00:00.000Z"),
      ("2024年1月5日下午三點半", "2024-01-05T07:30:00.000Z"),
      ("2024年1月5日 兩點一刻", "2024-01-04T18:15:00.000Z"),
      ("2024年1月5號 15点04分05秒", "2024-01-05T07:04:05.000Z"),
      ("2024 年 1 月 5 日 15 時 4 分", "2024-01-05T07:04:00.000Z"),
      ("2024年1月5日 15時04", "2024-01-05T07:04:00.000Z"),
      ("2024年1月5日中午", "2024-01-05T04:00:00.000Z"), ("2024年1月5日星期五", "2024-01-04T16:00:00.000Z"),
      ("2024-01-05 周五 15:04", "2024-01-05T07:04:00.000Z"),
      ("2024年1月5日星期五 中国标准时间 15:04:05", "2024-01-05T07:04:05.000Z"),
      ("2024年1月5日 星期五 下午3:04:05 [台北標準時間]", "2024-01-05T07:04:05.000Z"),
      ("2024年1月5日 15:04（日本時間）", "2024-01-05T06:04:00.000Z"),
      ("2024年1月5日 15:04 北京时间", "2024-01-05T07:04:00.000Z"),
      ("2024年1月5日 GMT+9 15:04:05", "2024-01-05T06:04:05.000Z"),
      ("113年1⽉5⽇", "2024-01-04T16:00:00.000Z"),
      // Japanese and Korean
      ("令和6年1月5日", "2024-01-04T16:00:00.000Z"), ("令和元年5月1日", "2019-04-30T16:00:00.000Z"),
      ("平成31年4月30日(火)", "2019-04-29T16:00:00.000Z"), ("㋿6年1月5日", "2024-01-04T16:00:00.000Z"),
      ("R6.1.5", "2024-01-04T16:00:00.000Z"), ("昭和64年1月7日土曜日", "1989-01-06T16:00:00.000Z"),
      ("2024年1月5日金曜日 午後3時4分", "2024-01-05T07:04:00.000Z"),
      ("2024년 1월 5일 오후 3시", "2024-01-05T07:00:00.000Z"),
      ("2024. 1. 5. 오전 12:04:05", "2024-01-04T16:04:05.000Z"),
      ("2024.01.05(금) 15:04", "2024-01-05T07:04:00.000Z"),
      ("2024년 1월 1일 월요일", "2023-12-31T16:00:00.000Z"),
      // Other languages
      ("Κυρ, 11 Ιούλ 2004 12:00:00 EST", "2004-07-11T17:00:00.000Z"),
      ("2004-július-13T9:15-05:00", "2004-07-13T14:15:00.000Z"),
      ("Freitag, den 5. März 2024 um 15:04 UTC", "2024-03-05T15:04:00.000Z"),
      ("mar. 5 mars 2024 à 15:04", "2024-03-05T07:04:00.000Z"),
      ("dimanche 1er décembre 2024 15h04", "2024-12-01T07:04:00.000Z"),
      ("5 de enero de 2024", "2024-01-04T16:00:00.000Z"),
      ("terça-feira, 2 de janeiro de 2024", "2024-01-01T16:00:00.000Z"),
      ("sabato 13 luglio 2047", "2047-07-12T16:00:00.000Z"),
      ("2019. február 5., kedd", "2019-02-04T16:00:00.000Z"),
    ])
  func forms(text: String, utc: String) throws {
    let instant = try #require(TimestampParser(zone: .taipei).instant(text))
    #expect(TimestampWriter.iso8601(instant.date) == utc)
  }

  @Test("timestamp spellings are rewritten up to 160 bytes", arguments: [159, 160, 161])
  func length(count: Int) {
    let text = "２０２４－０１－２９"
    let padded = text + String(repeating: " ", count: count - text.utf8.count)
    #expect((TimestampParser(zone: .taipei).instant(padded) == nil) == (count > 160))
  }

  @Test(
    "timestamp spellings are nil if they are impossible, ambiguous, or contradict themselves",
    arguments: [
      "Feb 30, 2024", "30 Feb, 2024", "2024-366x", "2023-366", "2024-000", "2024-367",
      "2024-W00-1", "2024-W53-1", "2024-W10-0", "2024-W10-8", "2024-W10", "2024-1-",
      "二〇二四年二月三十日", "二〇二四年十三月一日", "民國一百一十二年", "2十年一月一日", "民國十百年一月一日",
      "民國一百一百年一月一日", "2024年1月1十日", "令和0年1月5日", "平成六〇〇〇年1月5日", "R6.13.5",
      "２０２４－１３－０１", "2024년 13월 5일", "2024년 1월", "Mon Feb 30 00:00:00 +0000 2024",
      "Mon Jan 29 00:00:00 +0000 +0100 2024", "Mon Jan 29 00:00:00 +0000",
      "Mon Jan 29 00:00:00 2024 2024", "/Date(1390000000000", "/Date(99999999999999999)/",
      "/Date(1390000000000+9900)/", "/Date()/", "2024:1:5 03:04:05",
      "2024/1/5 晚上12:00", "2024/1/5 晚上1點", "2024/1/5 清晨12:00", "2024/1/5 上午13:00",
      "2024/1/5 下午25:00", "2024/1/5 中午5:00", "2024/1/5 凌晨13:00", "2024/1/5 午夜7:00",
      // Not a zone: none follows a day.
      "2013-01-27-01", "2013-01-27+01", "2013-01-27-0100", "2013-01-27 -01", "20130127-01",
      "2024-01-05T10:00:00[Europe/Paris]", "2024-01-05T10:00:00Z[!u-ca=hebrew]",
      "2024-01-05T10:00:00Z[Asia/Taipei", "2024-01-05T10:00:00Z[]", "2024-01-05 10:00 (XYZ)",
      "2024-01-05 10:00 Etc/GMT+15", "2024-01-05 10:00 Mars/Base", "2024-01-05 10:00 EST GMT",
      "2024-01-05 10:00 WET+1", "Aug 26 1999 04:11P", "26 Aug 1999 04:11P", "2024-01-05 10",
      "Jan 5, 2024 10", "10:00 11:00 5 Jan 2024",
      "10:00", "Fri, Sat, 5 January 2024", "5 Jan Feb 2024", "2024-01-05,", "“2024-01-05",
      "2003-12", "2003", "-0312", "031231", "03-12-31", "05.01.2024", "05-01-2024",
      "2024010510", "农历二〇二四年正月初一",
    ])
  func refused(text: String) {
    #expect(TimestampParser(zone: .taipei).instant(text) == nil)
  }

  @Test(
    "timestamp spellings map the hours of each part of the day like ICU does for Chinese",
    arguments: [
      ("凌晨", [12: 0, 1: 1, 4: 4]), ("清晨", [5: 5, 7: 7]), ("早上", [6: 6, 11: 11]),
      ("上午", [12: 0, 8: 8, 11: 11]), ("中午", [11: 11, 12: 12, 1: 13, 2: 14]),
      ("下午", [12: 12, 1: 13, 6: 18, 15: 15]), ("傍晚", [5: 17, 6: 18, 18: 18]),
      ("晚上", [7: 19, 11: 23, 20: 20]), ("午夜", [12: 0, 11: 23]), ("半夜", [12: 0, 2: 2]),
      ("AM", [12: 0, 9: 9]), ("p.m.", [12: 12, 9: 21]), ("오후", [3: 15]), ("午前", [0: 0]),
      ("새벽", [2: 2]), ("저녁", [7: 19]),
    ] as [(String, [Int: Int])])
  func dayPeriods(word: String, hours: [Int: Int]) {
    let parser = TimestampParser(zone: .utc)
    for (hour, expected) in hours {
      for text in ["2024-01-05 \(word) \(hour):30", "2024-01-05 \(hour):30 \(word)"] {
        let seconds = parser.instant(text).map { $0.seconds - 1_704_412_800 }
        #expect(seconds == Int64(expected * 3600 + 1800), "\(text)")
      }
    }
  }

  @Test("timestamp spellings are read from every form of a known moment")
  func generated() throws {
    let seed: UInt64 = 2024
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let wall = GeneratedWall(using: &random)
      let parser = TimestampParser(zone: try FixedZone(secondsFromUTC: 9 * 3600))
      for (text, unit) in wall.spellings {
        let seconds = parser.instant(text).map { $0.seconds + 9 * 3600 }
        #expect(seconds == Int64(wall.seconds - wall.seconds % unit), "seed \(seed): \(text)")
      }
    }
  }

  @Test("timestamp spellings are rejected quickly if they are long")
  func hostile() {
    let parser = TimestampParser(zone: .taipei)
    let pieces = [
      "9", "一", "十", "(", "[", "(一)", "-", "+", "週一", "Jan ", "mar ", " ", "年", "\u{202F}",
      "/Date(",
    ]
    for piece in pieces {
      for count in [1, 2, 17, 18, 19, 20, 40, 160, 100_000] {
        let run = String(repeating: piece, count: count)
        for text in [run, "2024-01-05T10:00:00.\(run)", "2024-01-05 \(run)", "\(run)年1月5日"] {
          if let instant = parser.instant(text) {
            #expect((0...9999).contains(instant.day.year), "\(text.prefix(60))")
          }
        }
      }
    }
  }
}

/// A time of the wall clock, and its spellings.
private struct GeneratedWall {
  /// The seconds from 1970, as if the clock showed UTC.
  let seconds: Int

  init(using random: inout SeededGenerator) {
    // From 1989-01-08, when the era Heisei began, to 2049.
    seconds = Int.random(in: 600_220_800..<2_524_608_000, using: &random)
  }

  /// The spellings, each with the seconds of the smallest unit that it states.
  var spellings: [(text: String, unit: Int)] {
    let day = CalendarDay(Date(timeIntervalSince1970: Double(seconds)), in: .utc)
    let (y, m, d) = (day.year, day.month, day.day)
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let clock = "\(two(hour)):\(two(minute)):\(two(second))"
    let hour12 = hour % 12 == 0 ? 12 : hour % 12
    let (half, halfHan) = hour < 12 ? ("AM", "上午") : ("PM", "下午")
    let monthName = Self.months[m - 1]
    let weekday = day.weekday.rawValue - 1
    let han = Array("一二三四五六日")[weekday]
    let english = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][weekday]
    let wide = String(
      String.UnicodeScalarView(
        "\(y)-\(two(m))-\(two(d)) \(clock)".unicodeScalars.compactMap {
          $0 == " " ? "\u{3000}" : Unicode.Scalar($0.value + 0xFEE0)
        }))
    let era = (try? CalendarDay("2019-05-01")).map { day >= $0 } == true
    let japanese = era ? "令和\(y - 2018)年" : "平成\(y - 1988)年"
    return [
      ("\(english) \(monthName) \(two(d)) \(clock) +0900 \(y)", 1),
      ("\(english) \(monthName) \(d < 10 ? " " : "")\(d) \(clock) \(y)", 1),
      ("\(english), \(two(d)) \(monthName), \(y) \(clock) +0900", 1),
      ("\(monthName) \(d), \(y)", 86_400),
      ("\(d) \(monthName), \(y) \(two(hour)):\(two(minute))", 60),
      ("\(m)/\(d)/\(y), \(hour12):\(two(minute)):\(two(second))\u{202F}\(half)", 1),
      ("\(y)-\(two(m))-\(two(d))T\(clock)+09:00[Asia/Seoul]", 1),
      ("\(y)-\(two(m))-\(two(d)) \(clock) Etc/GMT-9", 1), (wide, 1),
      ("\(y)-\(monthName)-\(two(d)) \(clock)", 1),
      ("\(two(d))/\(monthName)/\(y):\(clock) +0900", 1),
      ("/Date(\((seconds - 9 * 3600) * 1000)+0900)/", 1),
      ("\(y):\(two(m)):\(two(d)) \(clock)", 1),
      ("\(y)年\(m)月\(d)日星期\(han) \(halfHan)\(hour12):\(two(minute)):\(two(second))", 1),
      ("民國\(Self.numeral(y - 1911))年\(Self.numeral(m))月\(Self.numeral(d))日", 86_400),
      (
        "\(Self.digits(y))年\(Self.numeral(m))月\(Self.numeral(d))日"
          + "\(Self.numeral(hour))時\(Self.numeral(minute))分\(Self.numeral(second))秒", 1
      ),
      (
        "\(y < 2011 ? "0" : "")\(y - 1911)/\(two(m))/\(two(d)) (\(han)) \(halfHan) \(hour12):\(two(minute))",
        60
      ),
      ("\(japanese)\(m)月\(d)日 \(hour)時\(minute)分", 60),
      ("\(y)년 \(m)월 \(d)일 \(hour < 12 ? "오전" : "오후") \(hour12)시", 3600),
      ("\(y). \(m). \(d). \(hour < 12 ? "오전" : "오후") \(hour12):\(two(minute)):\(two(second))", 1),
    ]
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let han = Array("〇一二三四五六七八九")

  /// Returns a number digit by digit.
  private static func digits(_ number: Int) -> String {
    String("\(number)".compactMap(\.wholeNumberValue).map { han[$0] })
  }

  /// Returns a number below 1,000 by value.
  private static func numeral(_ number: Int) -> String {
    if number == 0 { return "零" }
    var text = ""
    if number >= 100 { text += "\(han[number / 100])百" }
    let tens = number / 10 % 10
    if tens > 1 || tens == 1 && number > 100 {
      text += "\(han[tens])十"
    } else if tens == 1 {
      text += "十"
    } else if number > 100, number % 10 != 0 {
      text += "零"
    }
    if number % 10 != 0 { text.append(han[number % 10]) }
    return text
  }
}
