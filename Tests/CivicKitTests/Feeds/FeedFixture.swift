import CivicKit
import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport

/// Two feeds of a made-up city.
enum FeedFixture {
  static let now = Date(timeIntervalSince1970: 1_790_000_000)
  static let news = CityFeed(
    .news, at: address("https://city.example.tw/OpenData.aspx?SN=1"), id: "city.news")
  static let activities = CityFeed(
    .activities, at: address("https://city.example.tw/OpenData.aspx?SN=2"), id: "city.activities")

  /// An item of the city's pages, by the number of its article.
  static func item(
    _ number: Int, _ title: String? = nil, hour: Int = 1, description: String = ""
  ) -> String {
    """
    <item><title>\(title ?? "第\(number)則")</title>
    <link>https://city.example.tw/News_Content.aspx?n=10&amp;s=\(number)</link>
    <description>\(description)</description>
    <pubDate>Mon, 28 Sep 2026 0\(hour):11:00 GMT</pubDate></item>
    """
  }

  static func rss(_ items: String...) -> String { rss(items) }

  static func rss(_ items: [String]) -> String {
    "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>市府</title>"
      + items.joined(separator: "\n") + "</channel></rss>"
  }

  static func feeds(
    _ transport: any Transport, storage: Storage = .inMemory,
    clock: any FieldClock = ManualClock(now: now), feeds: [CityFeed] = [news, activities],
    itemLimit: Int = 500
  ) -> CityFeeds {
    CityFeeds(
      storage: storage, transport: transport, clock: clock, feeds: feeds, itemLimit: itemLimit)
  }
}

extension CityFeeds {
  /// Fetches the news feeds and returns the news, as a screen does that asks for the newest.
  func visitNews() async throws -> NewsPage {
    try await fetchingIfEmpty(.news, always: true) { try await storedNews() }
  }

  /// Fetches the activity feeds and returns the activities, as ``visitNews()`` does.
  func visitActivities(includingHidden: Bool = false) async throws -> ActivityPage {
    try await fetchingIfEmpty(.activities, always: true) {
      try await storedActivities(includingHidden: includingHidden)
    }
  }
}

/// A city's server: what each feed answers now, and what it was asked.
final class CityServer: Transport {
  typealias Answer = @Sendable (TransportRequest) async throws -> TransportResponse

  private struct State: Sendable {
    var answers: [URL: Answer] = [:]
    var requests: [TransportRequest] = []
  }

  private let state = Lock(State())

  init() {}

  init(news: String? = nil, activities: String? = nil) {
    if let news { answer(.news, text: news) }
    if let activities { answer(.activities, text: activities) }
  }

  var requests: [TransportRequest] { state.withLock(\.requests) }

  private func address(_ kind: CityFeed.Kind) -> URL {
    kind == .news ? FeedFixture.news.address : FeedFixture.activities.address
  }

  func answer(_ kind: CityFeed.Kind, with answer: @escaping Answer) {
    state.withLock { $0.answers[address(kind)] = answer }
  }

  func answer(
    _ kind: CityFeed.Kind, text: String, status: Int = 200, fields: HTTPHeaderFields = [:]
  ) {
    let response = TransportResponse(status: status, fields: fields, body: .text(text))
    answer(kind) { _ in response }
  }

  func fail(_ kind: CityFeed.Kind, _ code: FieldError.Code) {
    answer(kind) { _ in throw FieldError(code, "no answer") }
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let answer = state.withLock { state in
      state.requests.append(request)
      return state.answers[request.url]
    }
    guard let answer else { throw FieldError(.offline, "nobody is there") }
    return try await answer(request)
  }
}

/// Lets nobody through until it is opened.
final class FeedGate: Sendable {
  private let state = Lock<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
