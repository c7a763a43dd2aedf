import CivicKit
import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("The table \"hot\"", .timeLimit(.minutes(60)))
struct HotTableTests {
  private static let article = "https://city.example.tw/News_Content.aspx?n=10&s="

  private static func directory(
    _ server: CityServer = CityServer(), storage: Storage = .inMemory
  ) -> CivicDirectory {
    CivicDirectory(
      service: nil, feeds: [FeedFixture.activities], storage: storage, transport: server,
      clock: ManualClock(now: FeedFixture.now))
  }

  /// A directory whose feed can't be read.
  private static func offline(storage: Storage = .inMemory) -> CivicDirectory {
    let server = CityServer()
    server.answer(.activities, text: "", status: 404)
    return directory(server, storage: storage)
  }

  private static func row(_ id: Int, _ title: String, isDeleted: Bool = false) -> String {
    #"{"id":\#(id),"hotTitle":"\#(title)","hotLink":"\#(article)\#(id)","isDelete":\#(isDeleted ? 1 : 0)}"#
  }

  @Test("the table hot has rows like other tables: cleaned, replaced, deleted, and recreated")
  func rows() async throws {
    let directory = Self.directory()
    try await directory.apply(
      Data(
        #"""
        {"result":0,"data":[{"id":7,"hotDate":"2017-06-05","hotTitle":" <b>甲</b> ",
          "hotDescription":"<p>文</p>","hotLink":"\#(Self.article)7","isDelete":0,"lastUpdateTime":9}]}
        """#.utf8), to: .activities)
    let first = try #require(try await directory.rows(CityActivity.self).first)
    #expect((first.id, first.feed, first.title) == ("7", .table, "甲"))
    #expect((first.plainText, first.isHidden) == ("文", false))
    #expect(first.published.map { TimestampWriter.iso8601($0) } == "2017-06-04T16:00:00.000Z")
    #expect(first.link?.absoluteString == Self.article + "7")
    let report = try await directory.apply(
      Data(#"[{"id":7.0,"hotTitle":"乙","hotDescription":"null"},{"hotDescription":"無鍵"}]"#.utf8),
      to: .activities)
    #expect((report.updated, report.failureCount) == (1, 1))
    let second = try #require(try await directory.rows(CityActivity.self).first)
    #expect((second.title, second.description, second.link) == ("乙", nil, first.link))
    try await directory.hide("7")
    try await directory.apply(Data(Self.row(7, "丙").utf8), to: .activities)
    #expect(try await directory.rows(CityActivity.self).map(\.isHidden) == [true])
    #expect(
      try await directory.apply(Data(#"{"id":7,"isDelete":1}"#.utf8), to: .activities).removed == 1)
    #expect(try await directory.rows(CityActivity.self).isEmpty)
    try await directory.apply(Data(Self.row(7, "丁").utf8), to: .activities)
    #expect(try await directory.rows(CityActivity.self).map(\.isHidden) == [false])
  }

  @Test("the table hot accepts rows by hand, which need an ID and a title")
  func byHand() async throws {
    let directory = Self.offline()
    try await directory.create(CityActivity(id: "open", title: "開放日"))
    let error = await #expect(throws: FieldError.self) {
      try await directory.upsert(CityActivity(id: " ", title: ""))
    }
    #expect(error?.problems == ["id is blank", "name is blank"])
    #expect(try await directory.activities().map(\.title) == ["開放日"])
    #expect(try await directory.searchEverything("開放").activities.map(\.id) == ["open"])
    #expect(try await directory.delete(CityActivity.self, id: "open"))
    await #expect(throws: FieldError.self) { try await directory.activities() }
  }

  @Test("the table hot is synchronized in one commit with all tables, or not at all")
  func sync() async throws {
    let clock = ManualClock(now: CivicFixture.now)
    let server = FakeCivicService(clock: clock)
    try CivicFixture.fill(server)
    try server.put("hot", Self.row(1, "甲"))
    try server.put("hot", Self.row(2, "乙"))
    let storage = Storage.inMemory
    let directory = CivicDirectory(
      service: CivicService(
        baseURL: server.baseURL, project: server.project,
        tables: CivicTable.synchronized + [.activities]),
      feeds: [], storage: storage, transport: server, clock: clock)
    server.fail(.noResult, table: "hot")
    await #expect(throws: FieldError.self) { try await directory.refresh() }
    #expect(try await directory.view().units.isEmpty)
    server.fail(nil)
    try await directory.refresh()
    #expect(
      try await storage.store("civic", of: CivicRecord.self).snapshot().revision.number == 1)
    #expect(try await directory.activities().map(\.title).sorted() == ["乙", "甲"])
    try await directory.hide("1")
    clock.advance(by: .seconds(60))
    server.delete("hot", key: "2")
    try server.put("hot", Self.row(1, "甲二"))
    let report = try await directory.refresh(.now)
    #expect((report.updated, report.removed) == (1, 1))
    #expect(try await directory.activities().isEmpty)
    #expect(try await directory.activities(includingHidden: true).map(\.title) == ["甲二"])
  }

  @Test(
    "the table hot is imported from a folder, where isDelete hides rows, and persists",
    arguments: [1, 2])
  func files(times: Int) async throws {
    let folder = try TemporaryFolder()
    let tables = folder.url.appending(path: "tables")
    try FileManager.default.createDirectory(at: tables, withIntermediateDirectories: true)
    try Data("[\(Self.row(1, "甲", isDeleted: true)),\(Self.row(2, "乙"))]".utf8)
      .write(to: tables.appending(path: "tainan-HOT.json"))
    let storage = Storage.directory(folder.url.appending(path: "data"))
    let first = Self.offline(storage: storage)
    #expect(try await first.importTables(in: tables).added == 2)
    try await first.unhide("1")
    try await first.hide("2")
    // What a person has done since the first import counts.
    if times == 2 { #expect(try await first.importTables(in: tables).outcome == .unchanged) }
    try await first.close()
    let again = Self.offline(storage: storage)
    #expect(try await again.activities().map(\.title) == ["甲"])
    #expect(try await again.rows(CityActivity.self).map(\.isHidden) == [false, true])
  }

  @Test("the table hot shares one activity per article with a feed, hidden in either")
  func merged() async throws {
    let server = CityServer(
      activities: FeedFixture.rss(FeedFixture.item(1, "新的"), FeedFixture.item(3)))
    let directory = Self.directory(server)
    let ofFeed = CityActivity.ID(rawValue: "city.example.tw?s=1")
    try await directory.apply(
      Data("[\(Self.row(1, "舊的")),\(Self.row(2, "自己的"))]".utf8), to: .activities)
    try await directory.refresh()
    // The row has no date, so it is the last.
    #expect(try await directory.activities().map(\.title) == ["新的", "第3則", "自己的"])
    for id in [ofFeed, "1"] {
      try await directory.hide(id)
      #expect(try await directory.activities().map(\.title) == ["第3則", "自己的"])
      #expect(try await directory.activities(includingHidden: true)[id: ofFeed]?.isHidden == true)
      try await directory.unhide(id)
      #expect(try await directory.activities().count == 3)
    }
    try await directory.upsert(CityActivity(id: ofFeed, title: "舊的", isHidden: true))
    #expect(try await directory.activities().map(\.title) == ["第3則", "自己的"])
  }

  @Test("the table hot has no activity that was never added, nor one that was deleted")
  func unknown() async throws {
    let directory = Self.directory(CityServer(activities: FeedFixture.rss(FeedFixture.item(1))))
    try await directory.create(CityActivity(id: "open", title: "開放日"))
    try await directory.delete(CityActivity.self, id: "open")
    for id in ["open", "9", ""] as [CityActivity.ID] {
      let error = await #expect(throws: FieldError.self) { try await directory.hide(id) }
      #expect(error?.code == .unknownActivity)
    }
  }
}
