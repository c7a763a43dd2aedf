import FieldCore
import Foundation
import TestSupport
import Testing

@testable import FieldCore

@Suite("The form of a source's times")
struct StampFormTests {
  @Test(
    "the form of a source's times writes a time a day earlier as the source does",
    arguments: [
      ("20261101080000", "20261031080000"), ("2026/11/01 08:00:00", "2026/10/31 08:00:00"),
      ("115/11/01", "115/10/31"), ("2026-11-01T08:00:00.123Z", "2026-10-31T08:00:00.123Z"),
      ("2026-11-01T08:00:00+08:00", "2026-10-31T08:00:00+08:00"),
      ("2026-11-01 08:00:00 +0800", "2026-10-31 08:00:00 +0800"),
      ("2026-11-01T08:00:00.123456Z", "2026-10-31T08:00:00.123000Z"),
      ("2026-11-01", "2026-10-31"), ("20261101", "20261031"), ("1151101", "1151031"),
      ("115-01-01", "114-12-31"), ("20261101T080000Z", "20261031T080000Z"),
      ("2026年11月01日08時00分", "2026年10月31日08時00分"), ("民國115年11月1日", "民國115年10月31日"),
      ("2026/3/1 8:05", "2026/2/28 8:05"), ("2024-03-01T00:00", "2024-02-29T00:00"),
      ("99/12/31", "99/12/30"),
    ])
  func shifted(text: String, expected: String) throws {
    guard let date = TimestampParser(zone: .utc).instant(text)?.date else {
      #expect(text == "99/12/31", "\(text) isn't read")
      return
    }
    #expect(StampForm(of: text)?.text(of: date.addingTimeInterval(-86_400)) == expected)
  }

  @Test(
    "the form of a source's times doesn't write what it doesn't understand",
    arguments: [
      "", "abc", "1793491200", "Sun, 01 Nov 2026 08:00:00 GMT", "11/01/2026 08:00:00", "2026-W44-7",
      "2026-305", "01.11.2026", "0x7f", "v12",
    ])
  func unknown(text: String) { #expect(StampForm(of: text)?.text(of: .distantPast) == nil) }

  @Test("the form of a source's times writes every earlier moment as that moment, rounded down")
  func roundTrip() throws {
    let seed = Sample.seed()
    var chance = SeededGenerator(seed: seed)
    let forms = [
      "20261101080000", "2026/11/01 08:00:00", "115/11/01", "2026-11-01T08:00:00.000Z",
      "2026-11-01T08:00:00+08:00", "1151101", "2026/3/1 8:05", "2026-11-01 08:00",
    ]
    for text in forms {
      let form = try #require(StampForm(of: text))
      for _ in 0..<200 {
        let date = Date(
          timeIntervalSince1970: Double(Int.random(in: 0...1_790_000_000, using: &chance)))
        let written = try #require(form.text(of: date), "\(text) \(date), seed \(seed)")
        let read = try #require(TimestampParser(zone: .utc).instant(written)?.date)
        #expect(read <= date && date.timeIntervalSince(read) < 86_400, "\(written), seed \(seed)")
        #expect(form.text(of: read) == written, "seed \(seed)")
      }
    }
  }

  @Test(
    "the form of a source's times is that of the overlap of the next run",
    arguments: ["20261101080000", "115/11/01", "next"])
  func cursor(stamp: String) {
    var cursor = SyncCursor()
    cursor.reached = SyncPosition(stamp: stamp, key: "7")
    cursor.finish(overlap: .seconds(86_400))
    #expect(cursor.reached == SyncPosition(stamp: stamp, key: "7"))
    let expected = ["20261101080000": "20261031080000", "115/11/01": "115/10/31"]
    #expect(cursor.overlapFrom == expected[stamp])
  }
}
