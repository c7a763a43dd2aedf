internal import Foundation
import Testing

@testable import FieldTransit

@Suite("Rules of time zones")
struct ZoneRulesTests {
  /// What Apple platforms use, with the zones of Foundation.
  @Test(
    "A search for changes day by day finds those that the files of tzdata have",
    arguments: [
      "America/New_York", "America/St_Johns", "Asia/Kathmandu", "Asia/Taipei",
      "Australia/Lord_Howe",
      "Europe/Dublin", "Europe/Lisbon", "Pacific/Apia", "UTC",
    ])
  func changesFoundByDay(name: String) throws {
    let (first, last) = (Int64(946_684_800), Int64(3_155_760_000))
    let zone = try #require(TimeZone(identifier: name))
    let found = try #require(
      ZoneRules(from: first, until: last) { seconds in
        Int32(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
      })
    let expected = try ZoneRules(named: name).limited(to: first...last)
    #expect(found == expected)
  }
}
