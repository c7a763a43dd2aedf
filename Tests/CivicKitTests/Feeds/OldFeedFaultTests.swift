import CivicKit
import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

/// What went wrong in the old app (Docs/old-apps.md), as far as feeds are concerned.
@Suite("What the old city app got wrong about feeds", .timeLimit(.minutes(60)))
struct OldFeedFaultTests {
  // 5.6-12 of Docs/old-apps.md
  @Test("a date is a point in time: 16:00 stays 16:00, and June stays June")
  func dates() async throws {
    let server = CityServer(
      activities: FeedFixture.rss(
        "<item><title>t</title><guid>g</guid><pubDate>Mon, 5 Jun 2017 16:00:00 +0800</pubDate></item>"
      ))
    let activity = try await FeedFixture.feeds(server).visitActivities()[0]
    let published = try #require(activity.published)
    #expect(TimestampWriter.iso8601(published, in: .taipei) == "2017-06-05T16:00:00.000+08:00")
    #expect(activity.news.publishedText == "Mon, 5 Jun 2017 16:00:00 +0800")
  }

  // 5.6-12 of Docs/old-apps.md
  @Test("items are identified by their link, not by their position in the feed")
  func places() async throws {
    let server = CityServer(activities: FeedFixture.rss(FeedFixture.item(1), FeedFixture.item(2)))
    let feeds = FeedFixture.feeds(server)
    _ = try await feeds.visitActivities()
    server.answer(
      .activities,
      text: FeedFixture.rss(FeedFixture.item(3, hour: 9), FeedFixture.item(1), FeedFixture.item(2)))
    #expect(try await feeds.visitActivities().map(\.title) == ["第3則", "第1則", "第2則"])
  }

  // 5.6-12 of Docs/old-apps.md
  @Test("a hidden item stays hidden, and visits duplicate nothing")
  func refreshProgress() async throws {
    let server = CityServer(activities: FeedFixture.rss(FeedFixture.item(1), FeedFixture.item(2)))
    let feeds = FeedFixture.feeds(server)
    try await feeds.hide(try await feeds.visitActivities()[0].id)
    for _ in 0..<5 {
      #expect(try await feeds.visitActivities().count == 1)
      #expect(try await feeds.visitActivities(includingHidden: true).count == 2)
    }
  }

  // 5.6-12 of Docs/old-apps.md
  @Test("hiding an item during a refresh loses neither the mark nor the new items")
  func hidingMeanwhile() async throws {
    let gate = FeedGate()
    let server = CityServer(activities: FeedFixture.rss(FeedFixture.item(1)))
    let feeds = FeedFixture.feeds(server)
    let id = try await feeds.visitActivities()[0].id
    let body = FeedFixture.rss(FeedFixture.item(1, "改了"), FeedFixture.item(2))
    server.answer(.activities) { _ in
      await gate.pass()
      return TransportResponse(status: 200, body: .text(body))
    }
    async let visit = feeds.visitActivities(includingHidden: true)
    try await eventually { server.requests.count >= 2 }
    try await feeds.hide(id)
    gate.open()
    let activities = try await visit
    #expect(activities.count == 2)
    #expect(activities[id: id]?.title == "改了")
    #expect(activities[id: id]?.isHidden == true)
  }

  // 5.6-12 of Docs/old-apps.md
  @Test("the list of items is read after the feed has arrived")
  func readAfterwards() async throws {
    let server = CityServer(activities: FeedFixture.rss(FeedFixture.item(1)))
    #expect(try await FeedFixture.feeds(server).visitActivities().count == 1)
  }

  // 5.6-13 of Docs/old-apps.md
  @Test(
    "items without title, description, or link do no harm, and empty ones are reported")
  func partial() async throws {
    let server = CityServer(
      news: FeedFixture.rss(
        "<item/>", "<item><title>t</title></item>", "<item><link>https://a.tw/b</link></item>",
        "<item><title></title><link>javascript:void(0)</link></item>",
        "<item><description>d</description><guid isPermaLink='false'>g</guid></item>"))
    let feeds = FeedFixture.feeds(server)
    let report = try await feeds.refresh()
    let news = try await feeds.storedNews()
    #expect(news.map(\.title) == ["t", "", ""])
    #expect(news.map(\.plainText) == ["", "", "d"])
    #expect(Set(report.failures.map(\.index)) == [0, 3])
  }

  // 5.6-13 of Docs/old-apps.md
  @Test("a link without = is a link, and an error is an error")
  func links() async throws {
    let server = CityServer(
      news: FeedFixture.rss("<item><title>t</title><link>https://a.tw/plain</link></item>"))
    let feeds = FeedFixture.feeds(server)
    #expect(try await feeds.visitNews()[0].link?.absoluteString == "https://a.tw/plain")
    #expect(CityFeed.tainan.allSatisfy { $0.address.scheme == "https" })
    // The first visit that fails is an error and not an empty list; so is one that nothing is stored of.
    server.fail(.activities, .offline)
    let error = await #expect(throws: FieldError.self) { try await feeds.visitActivities() }
    #expect(error?.code == .offline)
    // What is stored is shown with the error, and asking for a refresh of all throws it.
    server.answer(.news, text: "<html><body>維護中</body></html>")
    let news = try await feeds.visitNews()
    #expect(news.map(\.title) == ["t"])
    #expect(news.failure?.code == .notData)
    let failure = await #expect(throws: FieldError.self) { try await feeds.refresh() }
    #expect(failure?.code == .offline || failure?.code == .notData)
    #expect(try await feeds.storedNews().map(\.title) == ["t"])
  }

  // 5.6-13 of Docs/old-apps.md
  @Test("a feed that was empty is an empty list with the error if it can't be fetched")
  func emptyBefore() async throws {
    let server = CityServer(news: FeedFixture.rss())
    let feeds = FeedFixture.feeds(server)
    #expect(try await feeds.visitNews().isEmpty)
    server.fail(.news, .offline)
    let news = try await feeds.visitNews()
    #expect(news.isEmpty)
    #expect(news.failure?.code == .offline)
  }
}
