import CivicKit
import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("A snapshot of a whole directory", .timeLimit(.minutes(60)))
struct CivicSnapshotTests {
  private static func directory(
    _ server: CityServer, storage: Storage = .inMemory
  ) -> CivicDirectory {
    CivicDirectory(
      service: nil, feeds: [FeedFixture.news, FeedFixture.activities], storage: storage,
      transport: server, clock: ManualClock(now: FeedFixture.now + 0.123_456_789))
  }

  private static func gone() -> CityServer {
    let server = CityServer()
    for kind in [CityFeed.Kind.news, .activities] { server.answer(kind, text: "", status: 404) }
    return server
  }

  /// A directory with news, activities of which one is hidden in a feed and one in the table, and launches.
  private static func filled() async throws -> CivicDirectory {
    let undated = "<item><title>無日期</title><link>https://city.example.tw/x</link></item>"
    let directory = directory(
      CityServer(
        news: FeedFixture.rss(FeedFixture.item(1), undated),
        activities: FeedFixture.rss(FeedFixture.item(2, "留"), FeedFixture.item(3, "藏"))))
    try await directory.refresh()
    try await directory.upsert(CivicUnit(id: "u", name: "甲"))
    try await directory.create(CityActivity(id: "open", title: "開放日", isHidden: true))
    try await directory.hide("city.example.tw?s=3")
    #expect(try await directory.claimFirstLaunch(of: .app))
    return directory
  }

  @Test(
    "a directory's snapshot restores news, hidden activities, and launches, also after a restart")
  func whole() async throws {
    let source = try await Self.filled()
    let exported = try await source.export()
    #expect(exported.version == 2)
    #expect(exported.hiddenActivities == ["open", "city.example.tw?s=3"])
    let read = try CivicSnapshot(json: exported.json())
    #expect(read == exported)
    let folder = try TemporaryFolder()
    let other = Self.directory(
      CityServer(news: FeedFixture.rss(FeedFixture.item(9)), activities: FeedFixture.rss()),
      storage: .directory(folder.url))
    try await other.refresh()
    try await other.create(CityActivity(id: "other", title: "別的"))
    _ = try await other.claimFirstLaunch(of: .map)
    try await other.restore(read)
    var again = try await other.export()
    #expect(again.launchFlags == [.map, .app])
    again.launchFlags = exported.launchFlags
    #expect(again == exported)
    try await other.close()
    let restarted = Self.directory(Self.gone(), storage: .directory(folder.url))
    await #expect(throws: FieldError.self) { try await restarted.refresh() }
    let news = try await restarted.news()
    #expect(news.map(\.title) == (try await source.news()).map(\.title))
    #expect(news.failure?.code == .notFound && news.date == nil)
    #expect(try await restarted.activities().map(\.title) == ["留"])
    #expect(try await restarted.activities(includingHidden: true).count == 3)
    #expect(try await !restarted.claimFirstLaunch(of: .app))
    #expect(try await !restarted.claimFirstLaunch(of: .map))
  }

  @Test("a directory's snapshot keeps activities hidden when the feed sends them again")
  func hiddenAgain() async throws {
    let exported = try await Self.filled().export()
    let server = CityServer(
      news: FeedFixture.rss(),
      activities: FeedFixture.rss(FeedFixture.item(3, "藏二"), FeedFixture.item(4, "新")))
    let other = Self.directory(server)
    try await other.restore(exported)
    try await other.refresh()
    #expect(Set(try await other.activities().map(\.title)) == ["留", "新"])
    // What was restored is not what the validators of the feed are about.
    #expect(server.requests.allSatisfy { $0.fields["If-None-Match"] == nil })
  }

  @Test("a directory's snapshot of version 1 leaves activities, feeds, and launches unchanged")
  func firstVersion() async throws {
    let old = try CivicSnapshot(json: Golden("civic-exchange").bytes("directory.json"))
    #expect(old.version == 1 && old.feedItems == nil && old.hiddenActivities.isEmpty)
    let directory = try await Self.filled()
    let before = try await directory.export()
    try await directory.restore(old)
    let after = try await directory.export()
    #expect(after.units == old.units && after.searchHistory == old.searchHistory)
    #expect(after.activities == before.activities && after.feedItems == before.feedItems)
    #expect(after.launchFlags == before.launchFlags)
  }

  @Test("a directory's snapshot of a newer version is rejected, whatever it contains")
  func newer() throws {
    let json = Data(#"{"version":\#(CivicSnapshot.currentVersion + 1),"units":7}"#.utf8)
    let error = #expect(throws: FieldError.self) { try CivicSnapshot(json: json) }
    #expect(error?.code == .newerFormat)
  }
}
