import CivicKit
import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("Stored news", .timeLimit(.minutes(60)))
struct StoredNewsTests {
  private static let rss = FeedFixture.rss(FeedFixture.item(1), FeedFixture.item(2))

  /// A directory over two feeds, without a server of its tables.
  private static func directory(
    _ transport: any Transport, storage: Storage = .inMemory,
    clock: any FieldClock = ManualClock(now: FeedFixture.now)
  ) -> CivicDirectory {
    CivicDirectory(
      source: nil, repository: storage.store("civic"),
      feeds: FeedFixture.feeds(transport, storage: storage, clock: clock),
      pictures: AssetCache(storage: storage, transport: transport, clock: clock), clock: clock)
  }

  private static func silent(_ server: CityServer) {
    for feed in [FeedFixture.news, FeedFixture.activities] {
      server.answer(feed.kind) { _ in
        try await Task.sleep(for: .seconds(3_600))
        return TransportResponse(status: 200)
      }
    }
  }

  @Test("stored news is returned at once while the server never answers, even during a refresh")
  func silentServer() async throws {
    let storage = Storage.inMemory
    let server = CityServer(news: Self.rss, activities: Self.rss)
    try await Self.directory(server, storage: storage).refresh()
    Self.silent(server)
    let directory = Self.directory(server, storage: storage)
    let refresh = Task { try await directory.refresh() }
    try await eventually { server.requests.count == 4 }
    #expect(try await directory.news().map(\.title).sorted() == ["第1則", "第2則"])
    #expect(try await directory.activities().count == 2)
    var pages = directory.newsUpdates().makeAsyncIterator()
    #expect(try await pages.next()?.count == 2)
    var activities = directory.activityUpdates().makeAsyncIterator()
    #expect(try await activities.next()?.count == 2)
    #expect(server.requests.count == 4)
    try await directory.close()
    let error = await #expect(throws: FieldError.self) { try await refresh.value }
    #expect(error?.code == .closed)
  }

  @Test("stored news is fetched once by a refresh, and reading it sends no request")
  func askedOnce() async throws {
    let server = CityServer(news: Self.rss, activities: Self.rss)
    let directory = Self.directory(server)
    try await directory.refresh()
    for _ in 0..<3 {
      #expect(try await directory.news().count == 2)
      #expect(try await directory.activities().count == 2)
    }
    #expect(server.requests.count == 2)
  }

  @Test("news is fetched by the first visit if there is none, and that isn't repeated")
  func firstVisit() async throws {
    let server = CityServer(news: Self.rss, activities: FeedFixture.rss())
    let directory = Self.directory(server)
    for _ in 0..<2 {
      #expect(try await directory.news().count == 2)
      #expect(try await directory.activities().isEmpty)
    }
    #expect(server.requests.count == 2)
  }

  @Test("stored news is followed by what a refresh brings, with the feeds' health and failures")
  func updates() async throws {
    let clock = ManualClock(now: FeedFixture.now)
    let server = CityServer(news: Self.rss, activities: Self.rss)
    let directory = Self.directory(server, clock: clock)
    var pages = directory.newsUpdates().makeAsyncIterator()
    let empty = try #require(try await pages.next())
    #expect(empty.isEmpty && empty.failure == nil && empty.date == nil)
    #expect(empty.health.map(\.id) == ["city.news"])
    try await directory.refresh()
    while let page = try await pages.next() {
      guard page.count == 2 else { continue }
      #expect(page.health.map(\.isHealthy) == [true] && page.failure == nil)
      break
    }
    server.answer(.news, text: "<!DOCTYPE html><html><body>維護中</body></html>")
    clock.advance(by: .seconds(60))
    #expect(try await directory.refresh().notices.isEmpty == false)
    while let page = try await pages.next() {
      guard let failure = page.failure else { continue }
      #expect(failure.code == .notData && page.count == 2 && page.age == .seconds(60))
      #expect(page.health.map(\.failuresInARow) == [1])
      break
    }
    try await directory.close()
    while try await pages.next() != nil {}
  }

  @Test("stored news has the reason for a failure after a restart, with its guidance")
  func failureSurvives() async throws {
    let folder = try TemporaryFolder()
    let server = CityServer(news: Self.rss)
    let feeds = FeedFixture.feeds(
      server, storage: .directory(folder.url), feeds: [FeedFixture.news])
    try await feeds.refresh()
    server.answer(.news, text: FeedFixture.rss())
    await #expect(throws: FieldError.self) { try await feeds.refresh() }
    let before = try await feeds.news()
    try await feeds.close()
    let again = FeedFixture.feeds(
      server, storage: .directory(folder.url), feeds: [FeedFixture.news])
    let page = try await again.news()
    for page in [before, page] {
      #expect(page.count == 2 && page.failure?.code == .emptyCityFeed)
      #expect(page.failure?.failureReason == FieldError(.emptyCityFeed, "").failureReason)
    }
    #expect(server.requests.count == 2)
    try await again.close()
  }

  @Test(
    "stored news is unread until it is marked, and stays read in refreshes, restarts, and exports")
  func unread() async throws {
    let folder = try TemporaryFolder()
    let server = CityServer(news: Self.rss, activities: FeedFixture.rss(FeedFixture.item(1)))
    let first = Self.directory(server, storage: .directory(folder.url))
    let page = try await first.news()
    #expect(page.unread == Set(page.map(\.id)))
    let id = try #require(page.first { $0.title == "第1則" }?.id)
    var pages = first.newsUpdates().makeAsyncIterator()
    _ = try await pages.next()
    #expect(try await first.markItemRead(id))
    #expect(try await first.markItemRead(id) == false)
    #expect(try await first.markItemRead("nothing") == false)
    #expect(try await pages.next()?.unread.count == 1)
    try await first.close()
    server.answer(.news, text: FeedFixture.rss(FeedFixture.item(1, "改了"), FeedFixture.item(3)))
    let again = Self.directory(server, storage: .directory(folder.url))
    try await again.refresh()
    let news = try await again.news()
    #expect(news[id: id]?.title == "改了")
    #expect(Set(news.filter { news.unread.contains($0.id) }.map(\.title)) == ["第2則", "第3則"])
    let exported = try CivicSnapshot(json: try await again.export().json())
    let other = Self.directory(server)
    try await other.restore(exported)
    #expect(try await other.news().unread == news.unread)
    try await again.close()
  }

  @Test("news and activities of the tables are followed together")
  func activityUpdates() async throws {
    let directory = Self.directory(CityServer(activities: FeedFixture.rss(FeedFixture.item(1))))
    var pages = directory.activityUpdates().makeAsyncIterator()
    _ = try await pages.next()
    try await directory.refresh()
    while let page = try await pages.next(), page.count != 1 {}
    try await directory.create(CityActivity(id: "open", title: "開放日"))
    while let page = try await pages.next(), page.count != 2 {}
    try await directory.hide("open")
    while let page = try await pages.next(), page.count != 1 {}
    #expect(try await directory.activities().map(\.title) == ["第1則"])
    try await directory.close()
    #expect(try await pages.next() == nil)
  }
}
