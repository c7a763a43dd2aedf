import CivicKit
import FieldCore
import FieldFakes
import FieldXML
import Foundation
import TestSupport
import Testing

@Suite("A feed that can't be read", .timeLimit(.minutes(60)))
struct FeedFailureTests {
  private static let good = FeedFixture.rss(FeedFixture.item(1), FeedFixture.item(2))

  /// What a server may answer that is no feed.
  private static let bad:
    [(answer: @Sendable (TransportRequest) throws -> TransportResponse, code: FieldError.Code)] = [
      ({ _ in throw FieldError(.offline, "no network") }, .offline),
      ({ _ in throw FieldError(.timeout, "too slow") }, .timeout),
      ({ _ in TransportResponse(status: 500) }, .status),
      ({ _ in TransportResponse(status: 404) }, .notFound),
      ({ _ in TransportResponse(status: 304) }, .status),
      ({ _ in TransportResponse(status: 200) }, .emptyBody),
      (
        { _ in TransportResponse(status: 200, body: .text("<html><title>維護中</title></html>")) },
        .notData
      ),
      ({ _ in TransportResponse(status: 200, body: .text("{\"items\":[]}")) }, .notData),
      ({ _ in TransportResponse(status: 200, body: .text("<gpx/>")) }, .notData),
      ({ _ in TransportResponse(status: 200, body: .text(FeedFixture.rss())) }, .emptyCityFeed),
      ({ _ in TransportResponse(status: 200, body: .text("<rss><channel><item>")) }, .cut),
      (
        { _ in TransportResponse(status: 200, body: .text("<!DOCTYPE rss [<!ENTITY x 'y'>]><rss/>"))
        },
        .xmlEntities
      ),
      (
        { _ in TransportResponse(status: 200, body: .bytes(.init(repeating: 60, count: 17 << 20)))
        },
        .xmlLimit
      ),
    ]

  @Test(
    "a feed that can't be read keeps the last items, and reports why and how old they are",
    arguments: bad.indices)
  func keepsItems(index: Int) async throws {
    let clock = ManualClock(now: FeedFixture.now)
    let server = CityServer(news: Self.good)
    let feeds = FeedFixture.feeds(server, clock: clock)
    _ = try await feeds.visitNews()
    clock.advance(by: .seconds(600))
    let (answer, code) = Self.bad[index]
    server.answer(.news) { try answer($0) }
    let news = try await feeds.visitNews()
    #expect(news.map(\.title) == ["第1則", "第2則"])
    #expect(news.failure?.code == code, "\(String(describing: news.failure))")
    #expect(news.failures.keys.map(\.rawValue) == ["city.news"])
    #expect(news.age == Duration.seconds(600))
    let health = try await feeds.health()[0]
    #expect(health.failuresInARow == 1)
    #expect(health.itemCount == 2)
    #expect(health.lastSuccess == FeedFixture.now)
    #expect(health.lastFailure?.code == code.rawValue)
    #expect(health.lastFailure?.date == FeedFixture.now.addingTimeInterval(600))
    server.answer(.news, text: Self.good)
    let healed = try await feeds.visitNews()
    #expect(healed.failure == nil)
    #expect(healed.age == Duration.zero)
    #expect(try await feeds.health()[0].isHealthy)
  }

  @Test(
    "a feed that can't be read and never could be is an error, not an empty list",
    arguments: bad.indices)
  func nothingStored(index: Int) async throws {
    let (answer, code) = Self.bad[index]
    // A feed that begins empty is one.
    if code == .emptyCityFeed { return }
    let server = CityServer()
    server.answer(.news) { try answer($0) }
    let feeds = FeedFixture.feeds(server)
    let error = await #expect(throws: FieldError.self) { try await feeds.visitNews() }
    #expect(error?.code == code)
    #expect(error?.operation == "civic.feed")
    let refreshError = await #expect(throws: FieldError.self) { try await feeds.refresh() }
    #expect(refreshError != nil)
    #expect(try await feeds.health()[0].failuresInARow == 2)
    #expect(try await feeds.storedNews().isEmpty)
  }

  @Test("a feed that has been empty from the beginning is empty, without a failure")
  func emptyFromTheBeginning() async throws {
    let news = try await FeedFixture.feeds(CityServer(news: FeedFixture.rss())).visitNews()
    #expect(news.isEmpty)
    #expect(news.failure == nil)
    #expect(news.date != nil)
  }

  @Test("a feed that can't be read doesn't keep another one from being refreshed, and is reported")
  func other() async throws {
    let server = CityServer(news: Self.good)
    server.fail(.activities, .timeout)
    let feeds = FeedFixture.feeds(server)
    let report = try await feeds.refresh()
    #expect(report.added == 2)
    #expect(report.notices.map(\.code) == [.feedFailed])
    #expect(report.notices[0].message.contains("city.activities"))
    server.fail(.news, .offline)
    await #expect(throws: FieldError.self) { try await feeds.refresh() }
  }

  @Test(
    "a feed that can't be read without a loss has the rest, reports it, and is requested in full")
  func illFormed() async throws {
    let server = CityServer()
    let broken = Self.good.replacing(
      "</channel>", with: "<item><title>三</item></channel>")
    server.answer(.news, text: broken, fields: ["ETag": "\"broken\""])
    let feeds = FeedFixture.feeds(server)
    let news = try await feeds.visitNews()
    #expect(news.count == 3)
    #expect(news.failure?.code == .malformed)
    #expect(try await feeds.health()[0].isHealthy == false)
    let report = try await feeds.refresh()
    #expect(report.failures.count == 1)
    #expect(report.notices.contains { $0.code == .feedFailed })
    #expect(server.requests.allSatisfy { $0.fields["If-None-Match"] == nil })
  }

  @Test("a feed that isn't XML but loses nothing is healthy, and the report lists the repairs")
  func repaired() async throws {
    let server = CityServer()
    let sloppy = Self.good.replacing(
      "</channel>", with: "<item><title>a & b&nbsp;c</title></item></channel>")
    server.answer(.news, text: sloppy, fields: ["ETag": "\"sloppy\""])
    let feeds = FeedFixture.feeds(server)
    let news = try await feeds.visitNews()
    #expect(news.map(\.title).contains("a & b c"))
    #expect(news.failure == nil)
    #expect(try await feeds.health()[0].isHealthy)
    let other = FeedFixture.feeds(server)
    let report = try await other.refresh()
    #expect(report.failures.map(\.index) == [3, 3])
    #expect(!report.notices.contains { $0.message.contains("city.news") })
  }

  @Test("a feed that can't be read keeps its health across a restart")
  func healthSurvives() async throws {
    let folder = try TemporaryFolder()
    let server = CityServer(news: Self.good)
    let feeds = FeedFixture.feeds(server, storage: .directory(folder.url))
    _ = try await feeds.visitNews()
    server.fail(.news, .offline)
    for _ in 0..<3 { _ = try await feeds.visitNews() }
    try await feeds.close()
    let again = FeedFixture.feeds(server, storage: .directory(folder.url))
    #expect(try await again.health()[0].failuresInARow == 3)
    #expect(try await again.health()[0].newest == (try await again.storedNews()[0].published))
    #expect(try await again.visitNews().count == 2)
    try await again.close()
  }

  @Test(
    "a feed that can't be read is still reported as failing if the store accepts no more writes")
  func readOnlyStore() async throws {
    let folder = try TemporaryFolder()
    let server = CityServer(news: Self.good)
    let writer = FeedFixture.feeds(server, storage: .directory(folder.url))
    _ = try await writer.visitNews()
    try await writer.close()
    server.fail(.news, .offline)
    let reader = FeedFixture.feeds(server, storage: .directory(folder.url, access: .readOnly))
    for _ in 0..<2 {
      let news = try await reader.visitNews()
      #expect(news.count == 2)
      #expect(news.failure?.code == .offline)
    }
    #expect(try await reader.health()[0].failuresInARow == 2)
    try await reader.close()
  }

  @Test("a feed in Big5 is read according to the response's header")
  func big5() async throws {
    let server = CityServer()
    let body = try #require(Big5.bytes(FeedFixture.rss(FeedFixture.item(1, "許功蓋"))))
    server.answer(.news) { _ in
      TransportResponse(
        status: 200, fields: ["Content-Type": "text/xml; charset=\"Big5\""], body: .bytes(body))
    }
    #expect(try await FeedFixture.feeds(server).visitNews().map(\.title) == ["許功蓋"])
  }

  @Test("a feed's request ends with the kit: closing cancels running requests")
  func closing() async throws {
    let server = CityServer()
    server.answer(.news) { _ in
      try await Task.sleep(for: .seconds(3600))
      return TransportResponse(status: 200)
    }
    let feeds = FeedFixture.feeds(server)
    let visit = Task { try await feeds.visitNews() }
    try await eventually { !server.requests.isEmpty }
    try await feeds.close()
    await #expect(throws: (any Error).self) { try await visit.value }
    let error = await #expect(throws: FieldError.self) { try await feeds.storedNews() }
    #expect(error?.code == .closed)
  }
}
