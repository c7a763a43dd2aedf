//! A city's news and activities, hidden items, and the state of the feeds.

// snippet.hide
import FieldKit
import Foundation

func news(field: Field) async throws {
  // snippet.show
  // snippet.news
  let news = try await field.civic.news()
  for item in news { print(item.title, item.published as Any, item.link as Any) }
  if let failure = news.failure, let age = news.age {
    print("as of \(age) ago:", failure.message)
  }
  // snippet.end

  // snippet.updates
  async let refreshed = field.civic.refresh()
  for try await page in field.civic.newsUpdates() {
    print(page.count, "items,", page.unread.count, "unread", page.failure?.message ?? "")
  }
  print(try await refreshed.notices)
  // snippet.end

  // snippet.read
  if let item = news.first(where: { news.unread.contains($0.id) }) {
    try await field.civic.markItemRead(item.id)
  }
  // snippet.end

  // snippet.hide
  let item = news[0]
  // snippet.show
  // snippet.text
  print(item.plainText)  // one line per paragraph
  let page = "<article>\(item.safeHTML)</article>"
  // snippet.end
  // snippet.hide
  _ = page
}

func hiding(field: Field) async throws {
  // snippet.show
  // snippet.hiding
  let activities = try await field.civic.activities()
  try await field.civic.hide(activities[0].id)
  let all = try await field.civic.activities(includingHidden: true)
  for activity in all { print(activity.isHidden ? "hidden:" : "", activity.title) }
  // snippet.end
  // snippet.hide
}

func feeds(transport: some Transport, folder: URL, address: URL) async throws {
  // snippet.show
  // snippet.feeds
  let feeds = CityFeeds(
    storage: .directory(folder), transport: transport.retrying(),
    feeds: [.tainanNews, .tainanActivities, .tainanMeetings, CityFeed(.news, at: address)])
  // snippet.end

  // snippet.health
  for feed in try await feeds.health() where !feed.isHealthy {
    print(feed.id, feed.failuresInARow, feed.lastSuccess as Any, feed.lastFailure?.message as Any)
  }
  // snippet.end
  // snippet.hide
}

func feed(bytes: [UInt8], address: URL) throws {
  // snippet.show
  // snippet.feed
  let feed = try FeedDocument(reading: bytes, from: address)
  for item in feed.items {
    print(item.plainTitle, item.link as Any, item.published as Any)
    print(item.text.plainText)
  }
  if let fault = feed.fault { print("not well-formed at", fault) }
  // snippet.end
  // snippet.hide
}
