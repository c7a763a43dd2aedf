import CivicKit
import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("A city's news and activities", .timeLimit(.minutes(60)))
struct CityFeedsTests {
  // C7 of Docs/old-apps.md
  @Test("the news has titles, links, dates, and descriptions, newest first")
  func news() async throws {
    let server = CityServer(
      news: FeedFixture.rss(
        FeedFixture.item(
          1, "甲 &amp; 乙", hour: 2, description: "&lt;p onclick='x'&gt;一&lt;br&gt;二&lt;/p&gt;"),
        FeedFixture.item(2, hour: 5), FeedFixture.item(3, hour: 3)))
    let news = try await FeedFixture.feeds(server).visitNews()
    #expect(news.map(\.title) == ["第2則", "第3則", "甲 & 乙"])
    let item = news[2]
    #expect(
      item.link?.absoluteString == "https://city.example.tw/News_Content.aspx?n=10&s=1")
    #expect(item.published.map { TimestampWriter.iso8601($0) } == "2026-09-28T02:11:00.000Z")
    #expect(item.plainText == "一\n二")
    #expect(item.safeHTML == "<p>一<br>二</p>")
    #expect(item.feed == "city.news")
    #expect(news.failure == nil)
    #expect(news.age == Duration.zero)
    #expect(news.date == FeedFixture.now)
    #expect(news[id: item.id] == item)
  }

  // C8 of Docs/old-apps.md
  @Test("a visit first refreshes the feed, stores the result, and shows what isn't hidden")
  func activities() async throws {
    let server = CityServer(
      activities: FeedFixture.rss(FeedFixture.item(1, hour: 1), FeedFixture.item(2, hour: 2)))
    let feeds = FeedFixture.feeds(server)
    let first = try await feeds.visitActivities()
    #expect(first.map(\.title) == ["第2則", "第1則"])
    try await feeds.hide(first[0].id)
    #expect(try await feeds.visitActivities().map(\.title) == ["第1則"])
    let all = try await feeds.visitActivities(includingHidden: true)
    #expect(all.map(\.isHidden) == [true, false])
    try await feeds.unhide(first[0].id)
    #expect(try await feeds.visitActivities().count == 2)
    #expect(server.requests.count == 4)
    #expect(server.requests.allSatisfy { $0.url == FeedFixture.activities.address })
    #expect(server.requests.allSatisfy { $0.timeout >= .seconds(30) })
  }

  // C8 of Docs/old-apps.md
  @Test("a hidden item stays hidden when the feed changes, drops, and restores it")
  func hiddenSurvives() async throws {
    let folder = try TemporaryFolder()
    let server = CityServer(activities: FeedFixture.rss(FeedFixture.item(1), FeedFixture.item(2)))
    let feeds = FeedFixture.feeds(server, storage: .directory(folder.url))
    let id = try #require(try await feeds.visitActivities().first { $0.title == "第1則" }?.id)
    try await feeds.hide(id)
    server.answer(.activities, text: FeedFixture.rss(FeedFixture.item(1, "改了", hour: 4)))
    #expect(try await feeds.visitActivities().map(\.title) == ["第2則"])
    server.answer(.activities, text: FeedFixture.rss(FeedFixture.item(3)))
    #expect(try await feeds.visitActivities().map(\.title).sorted() == ["第2則", "第3則"])
    try await feeds.close()
    // The address has moved to another scheme meanwhile, and the article is the same.
    server.answer(
      .activities,
      text: FeedFixture.rss(FeedFixture.item(1, "又來")).replacing(
        "<link>https:", with: "<link>http:"))
    let again = FeedFixture.feeds(server, storage: .directory(folder.url))
    #expect(try await again.visitActivities().contains { $0.id == id } == false)
    #expect(
      try await again.visitActivities(includingHidden: true)[id: id].map {
        [$0.title, "\($0.isHidden)"]
      }
        == ["又來", "true"])
    try await again.close()
  }

  @Test("hiding an item that doesn't exist is a typed error")
  func hideUnknown() async throws {
    let feeds = FeedFixture.feeds(CityServer(news: FeedFixture.rss(FeedFixture.item(1))))
    let news = try await feeds.visitNews()
    for id in ["nothing", news[0].id] {
      let error = await #expect(throws: FieldError.self) { try await feeds.hide(id) }
      #expect(error?.code == .unknownActivity)
    }
  }

  @Test("a hundred concurrent visits of the news are one request", .heavy)
  func hundredVisits() async throws {
    let gate = FeedGate()
    let server = CityServer()
    let body = FeedFixture.rss(FeedFixture.item(1))
    server.answer(.news) { _ in
      await gate.pass()
      return TransportResponse(status: 200, body: .text(body))
    }
    let feeds = FeedFixture.feeds(server)
    let begun = Lock(0)
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<100 {
        group.addTask {
          begun.withLock { $0 += 1 }
          return try await feeds.visitNews().count
        }
      }
      try await eventually { begun.withLock { $0 } == 100 }
      try await letOthersRun()
      gate.open()
      return try await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 1, count: 100))
    #expect(server.requests.count == 1)
  }

  @Test("canceling one visitor of the news doesn't affect the others")
  func cancelledVisitor() async throws {
    let gate = FeedGate()
    let server = CityServer()
    let body = FeedFixture.rss(FeedFixture.item(1))
    server.answer(.news) { _ in
      await gate.pass()
      return TransportResponse(status: 200, body: .text(body))
    }
    let feeds = FeedFixture.feeds(server)
    let patient = Task { try await feeds.visitNews().count }
    let impatient = Task { try await feeds.visitNews().count }
    try await eventually { !server.requests.isEmpty }
    try await letOthersRun()
    impatient.cancel()
    await #expect(throws: CancellationError.self) { try await impatient.value }
    gate.open()
    #expect(try await patient.value == 1)
    #expect(server.requests.count == 1)
    #expect(try await feeds.health()[0].failuresInARow == 0)
  }

  @Test("a server without news receives its validators, and sends nothing")
  func conditional() async throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock(now: FeedFixture.now)
    let server = CityServer()
    let body = FeedFixture.rss(FeedFixture.item(1))
    server.answer(.news) { request in
      guard request.fields["If-None-Match"] == nil else { return TransportResponse(status: 304) }
      return TransportResponse(
        status: 200, fields: ["ETag": "\"a\"", "Last-Modified": "yesterday"], body: .text(body))
    }
    let feeds = FeedFixture.feeds(server, storage: .directory(folder.url), clock: clock)
    #expect(try await feeds.visitNews().count == 1)
    try await feeds.close()
    clock.advance(by: .seconds(3600))
    let again = FeedFixture.feeds(server, storage: .directory(folder.url), clock: clock)
    let news = try await again.visitNews()
    #expect(news.count == 1)
    #expect(news.age == Duration.zero)
    #expect(server.requests.last?.fields["If-None-Match"] == "\"a\"")
    #expect(server.requests.last?.fields["If-Modified-Since"] == "yesterday")
    // What was erased cannot be confirmed.
    try await again.eraseAll()
    #expect(try await again.visitNews().count == 1)
    #expect(server.requests.last?.fields["If-None-Match"] == nil)
    try await again.close()
  }

  @Test("items that left the feed are kept up to a limit, oldest removed first, hidden ones never")
  func limit() async throws {
    let server = CityServer()
    let clock = ManualClock(now: FeedFixture.now)
    let feeds = FeedFixture.feeds(server, clock: clock, itemLimit: 6)
    func item(_ number: Int) -> String {
      "<item><title>第\(number)則</title><guid>g\(number)</guid></item>"
    }
    for page in 0..<5 {
      server.answer(
        .activities, text: FeedFixture.rss((0..<3).map { item(page * 3 + $0) }))
      _ = try await feeds.visitActivities()
      if page == 0 { try await feeds.hide("g0") }
      clock.advance(by: .seconds(60))
    }
    let kept = try await feeds.storedActivities(includingHidden: true)
    #expect(kept.map(\.id.rawValue) == ["g12", "g13", "g14", "g9", "g10", "g0"])
  }

  @Test("items of one date are ordered by when they were first seen, then as in their feeds")
  func equalDates() async throws {
    let clock = ManualClock(now: FeedFixture.now)
    let server = CityServer(news: FeedFixture.rss(FeedFixture.item(1), FeedFixture.item(2)))
    let other = CityFeed(.news, at: FeedFixture.activities.address, id: "city.other")
    server.answer(.activities, text: FeedFixture.rss(FeedFixture.item(3)))
    let feeds = FeedFixture.feeds(server, clock: clock, feeds: [FeedFixture.news, other])
    #expect(try await feeds.visitNews().map(\.title) == ["第1則", "第3則", "第2則"])
    clock.advance(by: .seconds(60))
    server.answer(.news, text: FeedFixture.rss([1, 2, 5, 4].map { FeedFixture.item($0) }))
    #expect(try await feeds.visitNews().map(\.title) == ["第5則", "第4則", "第1則", "第3則", "第2則"])
  }

  @Test("an item that occurs twice in a feed, or in two feeds of a kind, is one")
  func doubles() async throws {
    let server = CityServer(
      news: FeedFixture.rss(
        FeedFixture.item(1), FeedFixture.item(1, "again"), FeedFixture.item(2)))
    let other = CityFeed(.news, at: FeedFixture.activities.address, id: "city.other")
    server.answer(.activities, text: FeedFixture.rss(FeedFixture.item(2), FeedFixture.item(3)))
    let feeds = FeedFixture.feeds(server, feeds: [FeedFixture.news, other])
    let news = try await feeds.visitNews()
    #expect(
      Set(news.map(\.id.rawValue)) == [
        "city.example.tw?s=1", "city.example.tw?s=2", "city.example.tw?s=3",
      ])
    #expect(news.count == 3)
    #expect(news.contains { $0.title == "again" } == false)
  }

  @Test("a refresh queries all feeds, and reports its steps and the new items")
  func refresh() async throws {
    let server = CityServer(
      news: FeedFixture.rss(FeedFixture.item(1), FeedFixture.item(2)),
      activities: FeedFixture.rss(FeedFixture.item(3)))
    let feeds = FeedFixture.feeds(server)
    let steps = feeds.refreshProgress()
    let report = try await feeds.refresh()
    #expect(report.outcome == .updated)
    #expect(report.rows == 3)
    #expect(report.added == 3)
    #expect(report.updated == 0)
    #expect(report.unchanged == 0)
    let second = try await feeds.refresh()
    #expect(second.outcome == .unchanged)
    #expect(second.unchanged == 3)
    server.answer(.news, text: FeedFixture.rss(FeedFixture.item(1, "new"), FeedFixture.item(4)))
    let third = try await feeds.refresh()
    #expect(third.added == 1)
    #expect(third.updated == 1)
    #expect(third.removed == 0)
    #expect(try await feeds.nextRefreshDate == nil)  // fetched on every visit, never scheduled
    try await feeds.close()
    var finished = 0
    for await step in steps where step.outcome != nil { finished += 1 }
    #expect(finished == 3)
  }

  @Test("The feeds of a directory are a part of its refresh, with a step of its progress for each")
  func directoryProgress() async throws {
    let server = CityServer(
      news: FeedFixture.rss(FeedFixture.item(1)), activities: FeedFixture.rss(FeedFixture.item(2)))
    let feeds = FeedFixture.feeds(server)
    let directory = CivicDirectory(
      source: nil, repository: InMemoryStore(), feeds: feeds,
      pictures: AssetCache(storage: .inMemory, transport: server))
    let (steps, ownSteps) = (directory.refreshProgress(), feeds.refreshProgress())
    #expect(try await directory.refresh().added == 2)
    try await directory.close()
    try await feeds.close()
    var fractions: [Double] = []
    for await step in steps where step.phase == .requesting {
      fractions.append((step.fractionCompleted * 100).rounded() / 100)
    }
    #expect(fractions == [0.05, 0.5, 0.95])
    for await step in ownSteps { Issue.record("the feeds were refreshed on their own: \(step)") }
  }

  // 5.1 of Docs/old-apps.md
  @Test("the feeds of Tainan are at today's URLs, each with its own ID")
  func tainan() throws {
    #expect(
      CityFeed.tainanNews.address.absoluteString
        == "https://www.tainan.gov.tw/OpenData.aspx?SN=24474215983F6554")
    #expect(
      CityFeed.tainanActivities.address.absoluteString
        == "https://www.tainan.gov.tw/OpenData.aspx?SN=7D6B9BB2B62B80A5")
    let all: [CityFeed] = [
      .tainanNews, .tainanActivities, .tainanAgencyNews, .tainanAnnouncements, .tainanLabor,
      .tainanEducation, .tainanMayor, .tainanClarifications, .tainanMeetings,
    ]
    #expect(Set(all.map(\.id)).count == all.count)
    #expect(Set(all.map(\.address)).count == all.count)
    #expect(all.filter { $0.kind == .activities } == [.tainanActivities])
    let tenders = try CityFeed.tainan(.news, channel: "D0322AD5E2C38096")
    #expect(
      tenders.address.absoluteString
        == "https://www.tainan.gov.tw/OpenData.aspx?SN=D0322AD5E2C38096")
    let feeds = CityFeeds(storage: .inMemory, transport: CityServer())
    #expect(feeds.feeds == [.tainanNews, .tainanActivities])
    #expect(feeds.dataSources == [.tainanFeeds])
  }

  // 5.1 of Docs/old-apps.md
  @Test(
    "an article is identified by its number, its ID, or its URL",
    arguments: [
      (
        "<link>https://www.tainan.gov.tw/News_Content.aspx?n=13370&amp;s=8828304</link>",
        "www.tainan.gov.tw?s=8828304"
      ),
      (
        "<link>http://WWW.tainan.gov.tw/News_Content.aspx?s=8828304&amp;n=1</link><guid>g</guid>",
        "www.tainan.gov.tw?s=8828304"
      ),
      ("<link>https://a.tw/x.php?s=1</link><guid>g-1</guid>", "g-1"),
      ("<link>https://a.tw/x.php?s=1#top</link>", "a.tw/x.php?s=1"),
      ("<guid>https://f.example.tw/abc.html</guid>", "f.example.tw/abc.html"),
      ("<title>只有標題</title><pubDate>115-09-28</pubDate>", "115-09-28 只有標題"),
    ])
  func identity(item: String, id: String) async throws {
    let server = CityServer(news: FeedFixture.rss("<item>\(item)</item>"))
    let news = try await FeedFixture.feeds(server).visitNews()
    #expect(news.map(\.id.rawValue) == [id])
  }
}
