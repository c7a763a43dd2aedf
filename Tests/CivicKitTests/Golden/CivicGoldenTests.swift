import CivicKit
import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("The city's golden files", .timeLimit(.minutes(60)))
struct CivicGoldenTests {
  /// The tables and the feeds with a picture. The file of the tables was compacted on the way.
  private static let golden = Golden("civic-2")
  /// The files of a version that stored the feeds' records as JSON.
  private static let json = Golden("civic")
  private static let exchange = Golden("civic-exchange-2")
  /// Without activities, feeds and launches in the snapshot.
  private static let firstExchange = Golden("civic-exchange")
  private static let first = FeedFixture.now
  private static let second = first + 3_600

  // MARK: Writing

  /// Two visits, with what a person does in between.
  private static func write(to folder: URL) async throws {
    let clock = ManualClock(now: first)
    let server = try server(clock)
    // The feeds are asked one after another, so that the order of commits is always the same.
    let tables = directory(of: server, in: folder, server, clock, feeds: [])
    try await tables.refresh()
    let banner = try #require(try await tables.banners(includingPast: true).first)
    #expect(try await tables.image(for: banner)?.data == Data(CivicFixture.png))
    #expect(try await tables.claimFirstLaunch(of: .app))
    #expect(try await tables.claimFirstLaunch(of: "golden.screen"))
    try await tables.searchHistory.add(String(repeating: "long ", count: 15_000))
    try await tables.searchHistory.clear()
    try await tables.create(InstructionPage(id: 1, name: "start"))
    try await tables.create(InstructionPage(id: 2, name: "map"))
    try await tables.markRead(1)
    for text in ["社會", "gone", "廁所"] { try await tables.searchHistory.add(text) }
    try await tables.searchHistory.remove("gone")
    clock.set(now: second)
    try server.put(
      "administrativeUnit",
      #"{"unitId":"u3","name":"臺南２樓廁所","parentUnitId":"u1","tel":"06-2991111","fieldId":"field_1450776651"}"#
    )
    server.delete("administrativeUnit", key: "u5")
    let report = try await tables.refresh(.now)
    #expect((report.updated, report.removed) == (1, 1))
    try await tables.close()

    clock.set(now: first)
    for visit in [1, 2] {
      for feed in [FeedFixture.news, FeedFixture.activities] {
        let visited = CityFeeds(
          storage: .directory(folder), transport: feedServer(visit), clock: clock, feeds: [feed])
        try await visited.refresh()
        try await visited.close()
      }
      let feeds = directory(of: server, in: folder, feedServer(visit), clock)
      #expect(try await feeds.news().failures.isEmpty)
      let activities = try await feeds.activities()
      if visit == 1 { try await feeds.hide(activities[1].id) }
      try await feeds.close()
      clock.set(now: second)
    }
  }

  private static func server(_ clock: ManualClock) throws -> FakeCivicService {
    let server = FakeCivicService(clock: clock)
    try CivicFixture.fill(server)
    server.addPicture("e1.png", CivicFixture.png)
    return server
  }

  /// What the city's feeds answer; a request with the validators of the visit gets 304.
  private static func feedServer(_ visit: Int) -> StubTransport {
    let news = FeedFixture.rss(
      (1...(visit + 1)).map { FeedFixture.item($0, hour: $0, description: "&lt;p&gt;文&lt;/p&gt;") })
    let activities = FeedFixture.rss((1...2).map { FeedFixture.item($0, "活動\($0)", hour: $0) })
    return StubTransport {
      $0.on("civic.feed") { request in
        let isNews = request.url == FeedFixture.news.address
        let tag = "\"\(isNews ? "news-\(visit)" : "activities")\""
        guard request.fields["If-None-Match"] != tag else { return TransportResponse(status: 304) }
        return TransportResponse(
          status: 200, fields: ["ETag": tag, "Content-Type": "text/xml; charset=utf-8"],
          body: .text(isNews ? news : activities))
      }
    }
  }

  private static func directory(
    of server: FakeCivicService, in folder: URL, _ transport: some Transport, _ clock: ManualClock,
    feeds: [CityFeed] = [FeedFixture.news, FeedFixture.activities]
  ) -> CivicDirectory {
    CivicDirectory(
      service: CivicService(
        baseURL: server.baseURL, mediaURL: server.mediaURL, project: server.project),
      feeds: feeds, storage: .directory(folder, clock: clock), transport: transport, clock: clock,
      options: CivicOptions(policy: .daily))
  }

  @Test("the city's golden files are written", Golden.writing)
  func writing() async throws {
    try await Self.golden.replace { try await Self.write(to: $0) }
    try await Self.exchange.replace { try await Self.export(to: $0) }
  }

  @Test("the city's golden files are identical today", Golden.reading)
  func sameBytes() async throws {
    try await Self.golden.expectSame { try await Self.write(to: $0) }
    try await Self.exchange.expectSame { try await Self.export(to: $0) }
  }

  // MARK: Reading

  private static func offline(_ folder: TemporaryFolder, _ clock: ManualClock) -> CivicDirectory {
    directory(of: FakeCivicService(), in: folder.url, StubTransport { _ in }, clock)
  }

  @Test("the city's golden files have the tables", Golden.reading, arguments: [golden, json])
  func tables(golden: Golden) async throws {
    let folder = try golden.copy()
    let directory = Self.offline(folder, ManualClock(now: Self.second))
    let report = try await directory.open()
    #expect(report.cuts.isEmpty && report.setAside.isEmpty)
    #expect(try await directory.facilities().map(\.name) == ["廁所", "商店"])
    #expect(try await directory.units(in: "c3").map(\.name) == ["臺南２樓廁所"])
    let detail = try #require(try await directory.unit("u4"))
    #expect(detail.unit.name == "社會福利科" && detail.categories.map(\.id) == ["c1", "c2"])
    #expect(detail.ancestors.map(\.name).contains("市民服務台"))
    #expect(try await directory.unit("u5") == nil)
    #expect(try await directory.search("社會").map(\.unit.id).contains("u2"))
    let banners = try await directory.banners(includingPast: true)
    #expect(banners.map(\.name) == ["花燈", "社會企業"])
    #expect(banners[0].lastDay == (try CalendarDay("2017-03-20")))
    #expect(try await directory.image(for: banners[0])?.data == Data(CivicFixture.png))
    #expect(try await directory.apps().map(\.name) == ["大台南公車"])
    #expect(try await directory.lastRefresh == Self.second)
    let next = try #require(try await directory.nextRefreshDate)
    #expect(abs(next.timeIntervalSince(Self.second) - 86_400) < 0.001)
    try await directory.close()
  }

  @Test(
    "the city's golden files have launches, history, pages read, and hidden activities",
    Golden.reading,
    arguments: [golden, json])
  func person(golden: Golden) async throws {
    let folder = try golden.copy()
    let directory = CivicDirectory(
      service: nil, feeds: [FeedFixture.news, FeedFixture.activities],
      storage: .directory(folder.url), transport: Self.feedServer(2),
      clock: ManualClock(now: Self.second))
    #expect(try await !directory.claimFirstLaunch(of: .app))
    #expect(try await !directory.claimFirstLaunch(of: "golden.screen"))
    #expect(try await directory.claimFirstLaunch(of: .map))
    #expect(try await directory.searchHistory.entries().map(\.text) == ["社會", "廁所"])
    #expect(try await directory.instructions().map(\.isRead) == [true, false])
    #expect(try await directory.activities().map(\.title) == ["活動2"])
    #expect(
      try await directory.activities(includingHidden: true).map(\.isHidden) == [false, true])
    try await directory.close()
  }

  @Test(
    "the city's golden files have the news, which is available when the feeds can't be reached",
    Golden.reading)
  func news() async throws {
    let folder = try Self.golden.copy()
    let clock = ManualClock(now: Self.second + 60)
    let transport = StubTransport { $0.on("civic.feed", respond: .error(.notFound)) }
    let feeds = CityFeeds(
      storage: .directory(folder.url), transport: transport, clock: clock,
      feeds: [FeedFixture.news, FeedFixture.activities])
    await #expect(throws: FieldError.self) { try await feeds.refresh() }
    let directory = Self.directory(of: FakeCivicService(), in: folder.url, transport, clock)
    let news = try await directory.news()
    #expect(news.map(\.title) == ["第3則", "第2則", "第1則"])
    #expect(news.map(\.plainText) == ["文", "文", "文"])
    #expect(news.failure?.code == .notFound)
    #expect(news.date == Self.second && news.age == .seconds(60))
    #expect(news.first?.published == Date(timeIntervalSince1970: 1_790_565_060))
    try await directory.close()
  }

  @Test(
    "the city's golden files have the validators and cursors for the next requests", Golden.reading)
  func nextRequests() async throws {
    let folder = try Self.golden.copy()
    let clock = ManualClock(now: Self.second + 90_000)
    let server = FakeCivicService(clock: clock)
    let feeds = Self.feedServer(2)
    let transport = StubTransport {
      $0.on("civic.feed") { try await feeds.send($0) }
      $0.onRequest(where: { _ in true }, respond: .answering { try await server.send($0) })
    }
    let directory = Self.directory(of: server, in: folder.url, transport, clock)
    let report = try await directory.refresh()
    #expect(report.notices.isEmpty && (report.added, report.updated, report.removed) == (0, 0, 0))
    #expect(
      Set(feeds.requests.map { $0.fields["If-None-Match"] }) == ["\"news-2\"", "\"activities\""])
    let cursors = Dictionary(
      uniqueKeysWithValues: server.requestedTables.map { ($0.table, $0.since) })
    #expect(cursors["administrativeUnit"] == Int64(Self.second.timeIntervalSince1970) - 1)
    #expect(cursors["keyword"] == Int64(1_480_000_000 - 1))
    #expect(try await directory.lastRefresh == clock.now)
    try await directory.close()
  }

  // MARK: Exchange

  /// Values that a user may store as JSON.
  private struct Values: Codable, Equatable {
    var news: [NewsItem]
    var activities: [CityActivity]
    var feeds: [CityFeed]
  }

  private static func values(of directory: CivicDirectory) async throws -> Values {
    Values(
      news: try await directory.news().items,
      activities: try await directory.activities(includingHidden: true).items,
      feeds: [FeedFixture.news, FeedFixture.activities])
  }

  /// The directory of a folder, with feeds that have nothing new.
  private static func unchanged(_ folder: TemporaryFolder) -> CivicDirectory {
    directory(
      of: FakeCivicService(), in: folder.url, feedServer(2), ManualClock(now: second + 60))
  }

  private static func export(to folder: URL) async throws {
    let source = try TemporaryFolder()
    try await write(to: source.url)
    let directory = unchanged(source)
    try await directory.export().json().write(to: folder.appending(path: "directory.json"))
    try Golden.json(try await values(of: directory))
      .write(to: folder.appending(path: "values.json"))
    try await directory.close()
  }

  @Test(
    "the city's golden files in JSON are the stores' directory and values", Golden.reading,
    arguments: [exchange, firstExchange])
  func values(exchange: Golden) async throws {
    let folder = try Self.golden.copy()
    let directory = Self.unchanged(folder)
    let snapshot = try CivicSnapshot(json: exchange.bytes("directory.json"))
    var stored = try await directory.export()
    let isFirst = snapshot.version == 1
    if isFirst {
      (stored.version, stored.activities, stored.feedItems, stored.launchFlags) = (1, nil, nil, nil)
    }
    #expect(snapshot == stored && snapshot.units.count == 4)
    #expect(try snapshot.json() == stored.json())
    let read = try JSONDecoder().decode(Values.self, from: exchange.bytes("values.json"))
    #expect(read == (try await Self.values(of: directory)))
    try await directory.close()
    let other = CivicDirectory(storage: .inMemory, transport: StubTransport { _ in })
    try await other.restore(snapshot)
    #expect(try await other.facilities().map(\.name) == ["廁所", "商店"])
    #expect(try await other.searchHistory.entries().map(\.text) == ["社會", "廁所"])
    #expect(try await other.export().hiddenActivities.count == (isFirst ? 0 : 1))
    #expect(try await other.claimFirstLaunch(of: "golden.screen") == isFirst)
  }
}
