import Foundation
import MetroKit
import TestSupport
import Testing

@Suite("A time of a feed")
struct FeedTimeTests {
  @Test(
    "a time of a feed is a moment in Taipei, in all forms that the feeds have used",
    arguments: [
      ("2016-05-16T18:00:51.953", 1_463_392_851.953), ("2016-05-16T18:00:51.95", 1_463_392_851.95),
      ("2016-05-16T18:00:51.9", 1_463_392_851.9), ("2016-05-16T18:00:51", 1_463_392_851),
      ("2016-05-16T18:00:51.9533333", 1_463_392_851.953_333_3),
      ("20160516180051", 1_463_392_851), ("2016-05-16 18:00:51", 1_463_392_851),
      ("2016-05-16T18:00:51+08:00", 1_463_392_851), ("2016-05-16T10:00:51Z", 1_463_392_851),
      ("2016-05-16T19:00:51+09:00", 1_463_392_851), ("2016/5/16 8:00:51", 1_463_356_851),
      (" 2016-05-16T18:00:51\n", 1_463_392_851), ("2016-05-16 24:00:00", 1_463_414_400),
      ("2016-05-16T18:00", 1_463_392_800),
    ])
  func readable(text: String, seconds: Double) throws {
    let time = FeedTime(text)
    let instant = try #require(time.instant)
    #expect(abs(instant.timeIntervalSince1970 - seconds) < 1e-6)
    #expect(time.rawText == text)
  }

  @Test(
    "a time of a feed that is implausible keeps its text, and has no moment",
    arguments: [
      "", " ", "soon", "2016-05-16", "2559-05-16T18:00:51", "0001-01-01T00:00:00",
      "1970-01-01T08:00",
      "2016-13-16T18:00:51", "2016-05-16T25:00:51", "2016-02-30T18:00:51", "20160516", "########",
      "2016-05-16T18:00:51.9533333 or so", String(repeating: "2", count: 1_000_000),
    ])
  func unreadable(text: String) {
    let time = FeedTime(text)
    #expect(time.instant == nil)
    #expect(time.rawText == text)
    #expect(time.taipeiText == text)
  }

  @Test(
    "a time of a feed is displayed without seconds, in Taipei's calendar and zone",
    arguments: [
      ("2016-05-16T18:00:51.95", "2016年05月16日18時00分"),
      ("2016-05-16T18:00:59.9999999", "2016年05月16日18時00分"),
      ("2016-12-31T16:00:00Z", "2017年01月01日00時00分"), ("20260101000000", "2026年01月01日00時00分"),
    ])
  func text(text: String, shown: String) {
    #expect(FeedTime(text).taipeiText == shown)
  }

  @Test("a time of a feed is encoded as its text")
  func coding() throws {
    let times = ["2016-05-16T18:00:51.95", "", "soon"].map { FeedTime($0) }
    let data = try JSONEncoder().encode(times)
    #expect(String(decoding: data, as: UTF8.self) == #"["2016-05-16T18:00:51.95","","soon"]"#)
    #expect(try JSONDecoder().decode([FeedTime].self, from: data) == times)
    #expect(FeedTime("20160516180051") != FeedTime("2016-05-16T18:00:51"))
    #expect(FeedTime("20160516180051").instant == FeedTime("2016-05-16T18:00:51").instant)
  }

  @Test("a feed's time of a moment is that moment to the millisecond")
  func moments() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      let date = Date(timeIntervalSince1970: Double.random(in: 1e9...4e9, using: &generator))
      let instant = try #require(FeedTime(date).instant, "seed 5, \(date)")
      #expect(abs(instant.timeIntervalSince(date)) < 0.000_51, "seed 5, \(date)")
    }
  }
}
