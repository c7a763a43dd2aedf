import FieldCore
import FieldXML
import Foundation
import TestSupport
import Testing

/// The shapes of Docs/old-apps.md, with texts of their own.
@Suite("A feed of a Taiwanese government")
struct FeedShapeTests {
  private static func item(_ content: String) throws -> FeedItem {
    let feed = try FeedDocument(
      reading: Array("<rss version=\"2.0\"><channel><item>\(content)</item></channel></rss>".utf8))
    #expect(feed.fault == nil)
    return try #require(feed.items.first)
  }

  @Test(
    "a feed has a stream-safe title, even if its parts are short and other elements lie between")
  func marks() throws {
    let marks = String(repeating: "\u{35A}\u{345}", count: 200)
    let item = try Self.item("<title>\(String(repeating: "\(marks)<x/>", count: 10))</title>")
    let title = item.title
    #expect(title.utf8.count > 8_000)
    #expect(title.utf8.elementsEqual(title.streamSafe.utf8))
    #expect(title.unicodeScalars.contains("\u{34F}"))
  }

  // 5.2 and 5.3 of Docs/old-apps.md
  @Test(
    "a feed has dates in many forms, which all mean a moment",
    arguments: [
      ("Mon, 28 Sep 2026 01:11:00 GMT", "2026-09-28T01:11:00.000Z"),
      ("Mon, 28 Sep 2026 01:11:00 +0800", "2026-09-27T17:11:00.000Z"),
      ("28 Sep 26 01:11 GMT", "2026-09-28T01:11:00.000Z"),
      ("115-09-28", "2026-09-27T16:00:00.000Z"),
      ("週一, 28 九月 2026 00:00:00 +0800", "2026-09-27T16:00:00.000Z"),
      ("週四, 10 十二月 2026 08:30:00 +0800", "2026-12-10T00:30:00.000Z"),
      ("2026-09-28", "2026-09-27T16:00:00.000Z"),
      ("2026-09-28T10:00:00", "2026-09-28T02:00:00.000Z"),
      ("2026-09-28T10:00:00Z", "2026-09-28T10:00:00.000Z"),
      ("2018-12-21 11:27:25 +0800", "2018-12-21T03:27:25.000Z"),
      ("中華民國115年9月28日", "2026-09-27T16:00:00.000Z"),
      ("115.8.1", "2026-07-31T16:00:00.000Z"), ("115年8月 1日", "2026-07-31T16:00:00.000Z"),
      ("中華民國115年8月1日 星期六", "2026-07-31T16:00:00.000Z"),
      ("115/08/01 週六 下午 3:20", "2026-08-01T07:20:00.000Z"),
      ("1150801", "2026-07-31T16:00:00.000Z"), ("115/08/01", "2026-07-31T16:00:00.000Z"),
    ])
  func dates(text: String, instant: String) throws {
    for element in ["pubDate", "pubdate", "PUBDATE"] {
      let item = try Self.item("<\(element)><![CDATA[\n \(text) ]]></\(element)>")
      #expect(item.published.map { TimestampWriter.iso8601($0) } == instant)
      #expect(item.publishedText == text)
    }
  }

  // 5.2 of Docs/old-apps.md
  @Test("a date without a zone is in the reader's zone")
  func zone() throws {
    let text = "<rss><channel><item><pubDate>2026-09-28T10:00:00</pubDate></item></channel></rss>"
    let feed = try FeedDocument(reading: Array(text.utf8), zone: .seoul)
    #expect(
      feed.items[0].published.map { TimestampWriter.iso8601($0) } == "2026-09-28T01:00:00.000Z")
  }

  // 5.2 of Docs/old-apps.md
  @Test(
    "a date in an unknown form is kept as text and reported", arguments: ["soon", "12/05/16"])
  func unreadableDate(text: String) throws {
    let feed = try FeedDocument(
      reading: Array(
        "<rss><channel><item><link>https://a.tw/1</link><pubDate>\(text)</pubDate></item></channel></rss>"
          .utf8))
    #expect(feed.items[0].published == nil)
    #expect(feed.items[0].publishedText == text)
    #expect(feed.failures.map(\.key) == ["https://a.tw/1"])
  }

  // 5.2 of Docs/old-apps.md
  @Test("the text of a date is that of the date, if the first of two can't be read")
  func secondDate() throws {
    let item = try Self.item(
      "<pubDate>soon</pubDate><dc:date>2026-09-28T10:00:00Z</dc:date>")
    #expect(
      item.published.map { TimestampWriter.iso8601($0) } == "2026-09-28T10:00:00.000Z")
    #expect(item.publishedText == "2026-09-28T10:00:00Z")
  }

  // 5.2 of Docs/old-apps.md
  @Test("a title and a link in CDATA with line breaks around and inside are clean")
  func nantou() throws {
    let item = try Self.item(
      """
      <title>
        <![CDATA[南投新聞]]>
      </title><link>
        <![CDATA[http://county.example.tw/big5/
      news.php?dptid=1&cid=2&id=3]]>
      </link>
      """)
    #expect(item.title == "南投新聞")
    #expect(
      item.link?.absoluteString == "http://county.example.tw/big5/news.php?dptid=1&cid=2&id=3")
  }

  // 5.2 of Docs/old-apps.md
  @Test("a description escaped once too often is still HTML")
  func hsinchuCounty() throws {
    let item = try Self.item(
      "<description>&amp;lt;p style=\"x\"&amp;gt;第一段&amp;lt;/p&amp;gt;&amp;lt;p&amp;gt;&amp;amp;nbsp;第二段</description>"
    )
    #expect(item.text.plainText == "第一段\n第二段")
    #expect(item.text.safeHTML == "<p>第一段</p><p>\u{A0}第二段</p>")
  }

  // 5.2 of Docs/old-apps.md
  @Test("a self-closed description and a padded one of Dublin Core are empty")
  func executiveYuan() throws {
    let item = try Self.item(
      "<title>戊</title><description /><dc:description> </dc:description><link>https://e.tw/5/</link>"
    )
    #expect(item.description == nil)
    #expect(item.text.plainText.isEmpty)
  }

  // 5.2 of Docs/old-apps.md
  @Test("an item without a link has the article's URL as its ID, unless the feed denies that")
  func guidAsLink() throws {
    let item = try Self.item("<title>己</title><guid>https://f.example.tw/abc.html</guid>")
    #expect(item.link?.absoluteString == "https://f.example.tw/abc.html")
    let other = try Self.item("<guid isPermaLink='false'>https://f.example.tw/abc.html</guid>")
    #expect(other.link == nil)
    #expect(other.guid == "https://f.example.tw/abc.html")
  }

  // 5.2 of Docs/old-apps.md
  @Test(
    "an invalid web link is dropped, kept as text, and reported",
    arguments: ["javascript:void(0)", "JAVA\nSCRIPT:alert(1)", "data:text/html,x", "http://"])
  func strangeLinks(link: String) throws {
    let feed = try FeedDocument(
      reading: Array(
        "<rss><channel><item><title></title><link><![CDATA[\(link)]]></link></item></channel></rss>"
          .utf8))
    #expect(feed.items.count == 1)
    #expect(feed.items[0].link == nil)
    #expect(feed.items[0].rawLink == link)
    #expect(feed.items[0].title.isEmpty)
    #expect(feed.failures.count == 1)
  }

  // 5.2 of Docs/old-apps.md
  @Test("the same URL twice means two items of the feed")
  func sameAddress() throws {
    let item = "<item><title>t</title><link>https://a.tw/1</link></item>"
    let feed = try FeedDocument(reading: Array("<rss><channel>\(item)\(item)</channel></rss>".utf8))
    #expect(feed.items.count == 2)
  }

  // 5.2 of Docs/old-apps.md
  @Test("a feed in Big5 is read according to its declaration and to the header")
  func big5() throws {
    let text = "<rss><channel><title>臺南</title><item><title>許功蓋</title></item></channel></rss>"
    let body = try #require(Big5.bytes(text))
    let declared = Array("<?xml version=\"1.0\" encoding=\"big5\"?>".utf8) + body
    #expect(try FeedDocument(reading: declared).items[0].title == "許功蓋")
    #expect(try FeedDocument(reading: body, charset: "Big5").items[0].title == "許功蓋")
  }

  @Test(
    "the file with all observed shapes is read completely",
    .enabled(if: SharedData.isThere, "the captures of ../shared are not here"))
  func shapes() throws {
    let feed = try FeedDocument(reading: try SharedData.bytes("civic/rss-shapes-synthetic.xml"))
    #expect(feed.fault == nil)
    #expect(feed.title == "合成市政府 市府新聞")
    #expect(feed.language == "zh-tw")
    #expect(
      feed.items.map(\.title) == [
        "合成新聞甲", "合成新聞乙", "合成新聞丙", "合成新聞丁", "合成新聞戊", "合成新聞己", "",
      ])
    #expect(
      feed.items.map { $0.link?.absoluteString } == [
        "https://city.example.tw/News_Content.aspx?n=10000&s=20001",
        "http://county.example.tw/big5/news_content.php?dptid=1&cid=2&id=3",
        "https://c.example.tw/3", "https://d.example.tw/4", "https://e.example.tw/5/",
        "https://f.example.tw/abc.html", nil,
      ])
    #expect(
      feed.items.map { $0.published.map { TimestampWriter.iso8601($0) } } == [
        "2026-09-28T01:11:00.000Z", "2026-09-27T16:00:00.000Z", "2026-09-27T16:00:00.000Z",
        "2026-09-27T16:00:00.000Z", "2026-09-28T16:22:23.000Z", "2026-09-28T15:48:22.000Z", nil,
      ])
    #expect(feed.items[0].text.plainText == "第一段 文字")
    #expect(feed.failures.map(\.index) == [6])
  }
}
