import CivicKit
import FieldCore
import FieldFakes
import FieldURLSession
import Foundation
import TestSupport
import Testing

/// Visits over real HTTP, with the transport that apps use.
@Suite("A feed over the network", .timeLimit(.minutes(60)))
struct FeedWireTests {
  /// A server with one feed, which knows its `ETag`.
  private struct OneFeed: Transport {
    let asked = Lock<[String?]>([])

    func send(_ request: TransportRequest) async throws -> TransportResponse {
      asked.withLock { $0.append(request.fields["If-None-Match"]) }
      guard request.fields["If-None-Match"] != "\"v1\"" else {
        return TransportResponse(status: 304, fields: ["ETag": "\"v1\""])
      }
      return TransportResponse(
        status: 200, fields: ["ETag": "\"v1\"", "Content-Type": "text/xml; charset=utf-8"],
        body: .text(FeedFixture.rss(FeedFixture.item(1), FeedFixture.item(2))))
    }
  }

  private static func feeds(
    at server: LoopbackServer, over transport: URLSessionTransport = URLSessionTransport(),
    storage: Storage = .inMemory, timeout: Duration = .seconds(300)
  ) -> CityFeeds {
    CityFeeds(
      storage: storage, transport: transport,
      feeds: [CityFeed(.news, at: server.url.appending(path: "rss"), id: "wire")], timeout: timeout)
  }

  @Test("a feed is sent once, compressed and in chunks, and confirmed from then on")
  func validators() async throws {
    let city = OneFeed()
    var delivery = LoopbackServer.Delivery.gzip
    delivery.framing = .chunked
    delivery.pieceSize = 7
    let server = try LoopbackServer(serving: city) { [delivery] _ in delivery }
    let feeds = Self.feeds(at: server)
    #expect(try await feeds.visitNews().map(\.title) == ["第1則", "第2則"])
    #expect(try await feeds.refresh().outcome == .notModified)
    #expect(try await feeds.visitNews().count == 2)
    #expect(city.asked.withLock(\.self) == [nil, "\"v1\"", "\"v1\""])
    #expect(try await feeds.health().map(\.isHealthy) == [true])
    try await feeds.close()
  }

  @Test(
    "a feed from a server that is slow or hangs up keeps the last visit's items and reports why")
  func slow() async throws {
    let isSlow = Lock(false)
    let server = try LoopbackServer(serving: OneFeed()) { _ in
      var delivery = LoopbackServer.Delivery.whole
      if isSlow.withLock(\.self) { delivery.delay = .seconds(20) }
      return delivery
    }
    let folder = try TemporaryFolder()
    // Foundation on Linux keeps a processor busy while a request on a new connection waits.
    let transport = URLSessionTransport()
    let patient = Self.feeds(at: server, over: transport, storage: .directory(folder.url))
    #expect(try await patient.visitNews().failure == nil)
    try await patient.close()
    let feeds = Self.feeds(
      at: server, over: transport, storage: .directory(folder.url), timeout: .milliseconds(500))
    isSlow.withLock { $0 = true }
    let page = try await feeds.visitNews()
    #expect(page.count == 2)
    #expect(page.failure?.code == .timeout)
    #expect(try await feeds.health().first?.lastFailure?.code == FieldError.Code.timeout.rawValue)
    try await feeds.close()
  }
}
