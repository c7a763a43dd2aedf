import CivicKit
import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("The authors and files of a city's news")
struct FeedItemPartsTests {
  @Test("authors and files of a news item arrive with the item, and survive a restart")
  func parts() async throws {
    let folder = try TemporaryFolder()
    let extras = """
      <author>a@city.example.tw (王小明)</author>
      <enclosure url="https://city.example.tw/1.pdf" type="application/pdf" length="12"/>
      <thumbnail xmlns="http://search.yahoo.com/mrss/" url="/1.png" width="80"/></item>
      """
    let server = CityServer(
      activities: FeedFixture.rss(FeedFixture.item(1).replacing("</item>", with: extras)))
    let feeds = FeedFixture.feeds(server, storage: .directory(folder.url))
    _ = try await feeds.visitActivities()
    try await feeds.close()
    let again = FeedFixture.feeds(server, storage: .directory(folder.url))
    let activity = try #require(try await again.storedActivities().first)
    #expect(activity.authors == [FeedPerson(name: "王小明", email: "a@city.example.tw")])
    #expect(
      activity.enclosures == [
        FeedMedia(
          kind: .enclosure, url: address("https://city.example.tw/1.pdf"),
          rawURL: "https://city.example.tw/1.pdf", type: "application/pdf", byteCount: 12)
      ])
    #expect(activity.media.map(\.kind) == [.thumbnail])
    #expect(activity.media.map(\.url) == [address("https://city.example.tw/1.png")])
    #expect(activity.media.map(\.width) == [80])
    try await again.close()
  }

  @Test("authors and files of news have https addresses where the feed's own host has")
  func secureAddresses() async throws {
    let extras = """
      <enclosure url="http://city.example.tw/1.pdf"/>
      <enclosure url="http://city.example.tw:8080/2.pdf"/>
      <enclosure url="http://other.example.tw/3.pdf"/>
      <thumbnail xmlns="http://search.yahoo.com/mrss/" url="http://CITY.example.tw/1.png"/></item>
      """
    let server = CityServer(
      activities: FeedFixture.rss(FeedFixture.item(1).replacing("</item>", with: extras)))
    let feeds = FeedFixture.feeds(server)
    let activity = try #require(try await feeds.activities().first)
    #expect(
      activity.enclosures.map(\.url?.absoluteString) == [
        "https://city.example.tw/1.pdf", "http://city.example.tw:8080/2.pdf",
        "http://other.example.tw/3.pdf",
      ])
    #expect(activity.enclosures.first?.rawURL == "http://city.example.tw/1.pdf")
    #expect(activity.media.first?.url?.scheme == "https")
  }

  @Test("authors and files are empty in an item that an older version stored")
  func older() throws {
    let news = NewsItem(
      id: "1", feed: "f", title: "一", authors: [FeedPerson(name: "n")],
      enclosures: [FeedMedia(kind: .enclosure, url: nil, rawURL: "x")])
    let written = try JSONEncoder().encode(news)
    #expect(try JSONDecoder().decode(NewsItem.self, from: written) == news)
    var members = try #require(try JSONSerialization.jsonObject(with: written) as? [String: Any])
    for name in ["authors", "enclosures", "media"] {
      #expect(members.removeValue(forKey: name) != nil)
    }
    let old = try JSONSerialization.data(withJSONObject: members)
    #expect(
      try JSONDecoder().decode(NewsItem.self, from: old)
        == NewsItem(id: "1", feed: "f", title: "一"))
  }
}
