import FieldCore
import FieldXML
import Foundation
import Testing

@Suite("A feed")
struct FeedFormatTests {
  private static func read(_ text: String, from address: String? = nil) throws -> FeedDocument {
    try FeedDocument(reading: Array(text.utf8), from: address.flatMap { URL(string: $0) })
  }

  @Test("a feed in RSS 2.0 has its channel's and items' contents, and not nested elements'")
  func rss() throws {
    let feed = try Self.read(
      """
      <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
        xmlns:media="http://search.yahoo.com/mrss/" xmlns:atom="http://www.w3.org/2005/Atom">
      <channel><title>News &amp; more</title><link>https://a.tw/</link><language>zh-TW</language>
      <atom:link rel="self" href="https://a.tw/feed"/>
      <image><title>Logo</title><link>https://logo.tw/</link></image>
      <item><title>One</title><link>https://a.tw/1</link><description>short</description>
      <content:encoded><![CDATA[<p>long</p>]]></content:encoded>
      <category>水</category><category domain="x">電</category>
      <media:group><media:title>No</media:title><link>https://no.tw/</link></media:group>
      <source url="https://b.tw"><title>No</title></source></item>
      </channel></rss>
      """)
    #expect(feed.format == .rss)
    #expect(feed.title == "News & more")
    #expect(feed.link?.absoluteString == "https://a.tw/")
    #expect(feed.language == "zh-TW")
    let item = try #require(feed.items.first)
    #expect(feed.items.count == 1)
    #expect(item.title == "One")
    #expect(item.link?.absoluteString == "https://a.tw/1")
    #expect(item.description == "short")
    #expect(item.text.plainText == "long")
    #expect(item.categories == ["水", "電"])
    #expect(feed.failures.isEmpty)
  }

  @Test("a feed in RSS 1.0 has its items beside the channel, and dates of Dublin Core")
  func rdf() throws {
    let feed = try Self.read(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <channel rdf:about="https://a.tw/"><title>T</title><link>https://a.tw/</link></channel>
      <item rdf:about="https://a.tw/1"><title>One</title><link>https://a.tw/1</link>
      <dc:date>2026-09-28T10:00:00+08:00</dc:date><dc:subject>s</dc:subject></item>
      <item rdf:about="https://a.tw/2"><dc:title>Two</dc:title></item>
      </rdf:RDF>
      """)
    #expect(feed.format == .rdf)
    #expect(feed.title == "T")
    #expect(feed.items.map(\.title) == ["One", "Two"])
    #expect(feed.items.map { $0.link?.absoluteString } == ["https://a.tw/1", "https://a.tw/2"])
    #expect(
      feed.items[0].published.map { TimestampWriter.iso8601($0) } == "2026-09-28T02:00:00.000Z")
    #expect(feed.items[0].categories == ["s"])
  }

  @Test("a feed in Atom has its alternate links, its published dates, and its XHTML")
  func atom() throws {
    let feed = try Self.read(
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="zh" xml:base="https://a.tw/x/">
      <title type="html">A &amp;amp; B</title><link rel="self" href="f.xml"/><link href="."/>
      <entry><id>urn:1</id><title type="text">One &lt; two</title>
      <link rel="edit" href="https://no.tw/"/><link rel="alternate" type="text/html" href="1.html"/>
      <link rel="enclosure" type="image/png" href="1.png"/>
      <updated>2026-09-30T00:00:00Z</updated><published>2026-09-28T00:00:00Z</published>
      <category term="水"/>
      <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>a &lt; <b>b</b><br/>c</p>
      </div></content></entry>
      <entry><id>https://a.tw/2</id><title>Two</title><updated>2026-09-29T00:00:00Z</updated></entry>
      </feed>
      """)
    #expect(feed.format == .atom)
    #expect(feed.title == "A & B")
    #expect(feed.language == "zh")
    let first = try #require(feed.items.first)
    #expect(first.title == "One < two")
    #expect(first.plainTitle == "One < two")
    #expect(first.link?.absoluteString == "https://a.tw/x/1.html")
    #expect(first.guid == "urn:1")
    #expect(
      first.published.map { TimestampWriter.iso8601($0) } == "2026-09-28T00:00:00.000Z")
    #expect(first.categories == ["水"])
    #expect(first.text.plainText == "a < b\nc")
    #expect(feed.items[1].link?.absoluteString == "https://a.tw/2")
    #expect(
      feed.items[1].published.map { TimestampWriter.iso8601($0) } == "2026-09-29T00:00:00.000Z")
  }

  @Test(
    "a feed resolves relative links against its URL",
    arguments: [
      ("/News.aspx?n=1&amp;s=2", "https://a.tw/News.aspx?n=1&s=2"),
      ("2.html", "https://a.tw/rss/2.html"), ("../2.html", "https://a.tw/2.html"),
      ("//b.tw/2", "https://b.tw/2"), ("?s=2", "https://a.tw/rss/feed.aspx?s=2"),
    ])
  func relativeLinks(link: String, whole: String) throws {
    let feed = try Self.read(
      "<rss><channel><item><link>\(link)</link></item></channel></rss>",
      from: "https://a.tw/rss/feed.aspx?SN=1")
    #expect(feed.items[0].link?.absoluteString == whole)
  }

  @Test("a feed with an unescaped ampersand has all its items, and reports its position")
  func illFormed() throws {
    let feed = try Self.read(
      """
      <rss><channel><title>T</title>
      <item><title>One</title></item>
      <item><title>Two</title></item>
      <item><title>Three & four</title></item>
      <item><title>Five</title></item></channel></rss>
      """)
    #expect(feed.items.map(\.title) == ["One", "Two", "Three & four", "Five"])
    #expect(feed.fault?.line == 4)
    #expect(feed.fault?.isRepaired == true)
    #expect(feed.failures.count == 1)
    #expect(feed.failures.first?.reason.contains("line 4") == true)
  }

  @Test("a feed truncated at any byte has the complete items up to there, and a fault or an error")
  func cutAnywhere() throws {
    let text =
      "<?xml version=\"1.0\"?><rss><channel><title>題</title>"
      + (1...3).map { "<item><title>第\($0)</title><link>https://a.tw/\($0)</link></item>" }.joined()
      + "</channel></rss>"
    let whole = Array(text.utf8)
    let ends = text.ranges(of: "</item>").map {
      text.utf8.distance(from: text.startIndex, to: $0.upperBound)
    }
    for length in 1..<whole.count {
      let expected = ends.count { $0 <= length }
      do {
        let feed = try FeedDocument(reading: Array(whole[..<length]))
        #expect(feed.items.count == expected, "cut at \(length)")
        #expect(feed.fault?.isCut == true, "cut at \(length)")
      } catch let error as FieldError {
        #expect(expected == 0)
        // Only a beginning of `<?xml` and of `<rss` is no XML yet.
        #expect([.cut, .notData].contains(error.code), "cut at \(length): \(error)")
      }
    }
  }

  @Test("a feed of 50 MB is rejected with a typed error")
  func tooLarge() throws {
    var bytes = Array("<rss><channel>".utf8)
    bytes.append(contentsOf: [UInt8](repeating: 0x20, count: 50 << 20))
    let error = #expect(throws: FieldError.self) { try FeedDocument(reading: bytes) }
    #expect(error?.code == .xmlLimit)
  }

  @Test(
    "a document that isn't a feed is rejected with a typed error",
    arguments: [
      ("<html><title>維護中</title></html>", FieldError.Code.notData),
      ("<gpx version='1.1'/>", .notData), ("<opml><body/></opml>", .notData),
      ("{\"items\":[]}", .notData), ("", .emptyBody), ("<?xml version='1.0'?>", .cut),
      ("<<rss>", .malformed),
      (
        "<!DOCTYPE rss [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><rss><channel><item><title>&x;</title></item></channel></rss>",
        .xmlEntities
      ),
    ])
  func noFeed(text: String, code: FieldError.Code) throws {
    let error = #expect(throws: FieldError.self) { try Self.read(text) }
    #expect(error?.code == code, "\(error.map(String.init(describing:)) ?? "")")
  }

  @Test(
    "a feed has the elements of its root's namespace, whatever that is and however it is written",
    arguments: [
      "rss xmlns='http://backend.userland.com/RSS2'", "rss xmlns='urn:city'",
      "feed xmlns='urn:city'",
      "feed xmlns='https://www.w3.org/2005/Atom'", "x:rss xmlns:x='urn:city'",
    ])
  func rootNamespace(root: String) throws {
    let name = String(root.prefix { $0 != " " })
    let prefix = name.hasPrefix("x:") ? "x:" : ""
    let feed = try Self.read(
      """
      <\(root)><\(prefix)channel><\(prefix)item><\(prefix)title>標題</\(prefix)title>
      <title xmlns="urn:other">no</title><\(prefix)link>https://a.tw/1</\(prefix)link>
      </\(prefix)item></\(prefix)channel></\(name)>
      """)
    #expect(feed.items.map(\.title) == ["標題"])
    #expect(feed.items.map(\.link?.absoluteString) == ["https://a.tw/1"])
  }

  @Test("a feed without items is a feed")
  func empty() throws {
    let feed = try Self.read("<rss><channel><title>T</title></channel></rss>")
    #expect(feed.items.isEmpty && feed.fault == nil && feed.failures.isEmpty)
  }
}
