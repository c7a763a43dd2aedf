import FieldCore
import FieldTesting
import Foundation
import MetroKit
import TestSupport
import Testing

/// What went wrong in the old app (section 2.4 of the notes on it), by the numbers there: those that
/// the feeds have to get right.
@Suite("The old app's faults, in the feeds")
struct FeedFaultTests {
  private func arrivals(_ text: String) throws -> Batch<Arrival> {
    try Batch<Arrival>(reading: Array(text.utf8))
  }

  // 2.4-1 of Docs/old-apps.md
  @Test(
    "being offline, or invalid JSON, is an error and no crash",
    arguments: [
      (StubTransport.Response.error(.offline), FieldError.Code.offline),
      (.text(FeedFixture.webPage), .notData), (.text("not JSON"), .notData),
    ])
  func offline(answer: StubTransport.Response, code: FieldError.Code) async {
    let stub = StubTransport { $0.on("metro.arrivals", respond: answer) }
    await expect(code, from: MetroStationFeed(transport: stub))
  }

  // 2.4-2 of Docs/old-apps.md
  @Test("an unreadable time never costs its row, or another")
  func unreadableTimes() throws {
    let times = ["2016-05-16T18:00:51.9533333", "", "noon", "2016-05-16T18:00:51.95"]
    let text = times.map { #"{"Station":"士林站","Destination":"淡水站","UpdateTime":"\#($0)"}"# }
    let rows = try arrivals("[\(text.joined(separator: ","))]")
    #expect(rows.records.count == 4)
    #expect(rows.failures.isEmpty)
    #expect(rows.records.map { $0.updatedAt?.instant != nil } == [true, false, false, true])
    #expect(rows.records.map(\.updatedAt?.rawText) == [times[0], nil, "noon", times[3]])
    #expect(rows.unreadTimes == ["noon"])
  }

  // 2.4-3 of Docs/old-apps.md
  @Test("a time is Taipei's, whatever zone the device is in")
  func zone() throws {
    let before = NSTimeZone.default
    defer { NSTimeZone.default = before }
    for zone in ["America/New_York", "Asia/Tokyo", "UTC"].compactMap(TimeZone.init(identifier:)) {
      NSTimeZone.default = zone
      let time = FeedTime("2016-05-16T18:00:51")
      #expect(time.instant?.timeIntervalSince1970 == 1_463_392_851)
      #expect(time.taipeiText == "2016年05月16日18時00分")
    }
  }

  // 2.4-4 of Docs/old-apps.md
  @Test("a time is shown in the Gregorian calendar, and one of another calendar is invalid")
  func calendar() {
    #expect(FeedTime("2016-05-16T18:00:51").taipeiText == "2016年05月16日18時00分")
    // 2559 is 2016 of the Buddhist era, 28 of Heisei. Years of the Republic are read as what they mean.
    for text in ["2559-05-16T18:00:51", "0105-05-16T18:00:51", "28-05-16T18:00:51"] {
      #expect(FeedTime(text).instant == nil, "\(text)")
    }
    #expect(FeedTime("105-05-16T18:00:51").taipeiText == "2016年05月16日18時00分")
  }

  // 2.4-4 of Docs/old-apps.md
  /// In a process of its own, whose locale, calendar and zone are those of the device.
  @Test(
    "a device with another calendar and locale shows the same time", .inAnotherProcess,
    .needsProcesses,
    arguments: [
      "th_TH@calendar=buddhist", "ar_EG", "ja_JP@calendar=japanese", "zh_TW@calendar=roc",
    ])
  func deviceCalendar(_ locale: String) async {
    #if os(macOS) || os(Linux)
      await #expect(processExitsWith: .success) { [locale] in
        for name in ["LANG", "LC_ALL", "LANGUAGE", "LC_TIME"] { unsafe setenv(name, locale, 1) }
        unsafe setenv("TZ", "Asia/Bangkok", 1)
        NSTimeZone.resetSystemTimeZone()
        // What the old app did gives another text on such a device.
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: locale)
        formatter.dateFormat = "yyyy年MM月dd日HH時mm分"
        let time = FeedTime("2016-05-16T18:00:51")
        let instant = try #require(time.instant)
        #expect(formatter.string(from: instant) != "2016年05月16日18時00分")
        #expect(time.taipeiText == "2016年05月16日18時00分")
        #expect(instant.timeIntervalSince1970 == 1_463_392_851)
        #expect(FeedTime(instant).rawText == "2016-05-16T18:00:51.000+08:00")
      }
    #endif
  }

  // 2.4-7 of Docs/old-apps.md
  @Test(
    "a row without its station or destination is reported, and never filled in",
    arguments: [
      #"{"Destination":"淡水站","UpdateTime":"20261008131602"}"#,
      #"{"Station":"士林站","UpdateTime":"20261008131602"}"#,
      #"{"Station":null,"Destination":"淡水站"}"#, #"{"Station":"士林站","Destination":" "}"#,
      #"{"Station":[],"Destination":{}}"#, "5", "null", "[]",
    ])
  func missing(row: String) throws {
    let rows = try arrivals(
      #"[{"Station":"士林站","Destination":"淡水站"},\#(row),{"Station":"劍潭站","Destination":"象山站"}]"#)
    #expect(rows.records.map(\.station) == ["士林", "劍潭"])
    #expect(rows.failures.map(\.index) == [1])
    #expect(rows.facts.rowCount == 3)
  }

  // 2.4-8 of Docs/old-apps.md
  @Test("an _id is accepted as text and as a number")
  func ids() throws {
    let text = [#""7""#, "8", "9.0", #""a-1""#, "null", #""""#].map {
      #"{"_id":\#($0),"Station":"士林站","Destination":"淡水站"}"#
    }
    let rows = try arrivals(
      #"{"result":{"count":6,"results":[\#(text.joined(separator: ","))]}}"#)
    #expect(rows.records.map(\.sourceID) == ["7", "8", "9.0", "a-1", nil, nil])
    #expect(Set(rows.records.map(\.id)).count == 6)
  }
}
