import FieldCore
import FieldXML
import Foundation
import TestSupport
import Testing

@Suite("The authors and files of a feed's item")
struct FeedPartsTests {
  private static func rss(_ content: String) throws -> FeedItem {
    let feed = try FeedDocument(
      reading: Array(
        """
        <rss xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/"
        xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><item>\(content)</item>
        </channel></rss>
        """.utf8), from: address("https://a.tw/feed"))
    #expect(feed.fault == nil)
    return try #require(feed.items.first)
  }

  private static func atom(_ content: String, in feed: String = "") throws -> FeedItem {
    let feed = try FeedDocument(
      reading: Array(
        "<feed xmlns='http://www.w3.org/2005/Atom'><entry>\(content)</entry>\(feed)</feed>".utf8),
      from: address("https://a.tw/feed"))
    return try #require(feed.items.first)
  }

  @Test(
    "authors and files of a feed's item are read from the texts that RSS has",
    arguments: [
      ("<author>me@a.tw (王小明)</author>", [FeedPerson(name: "王小明", email: "me@a.tw")]),
      ("<author>Me Two &lt;me@a.tw&gt;</author>", [FeedPerson(name: "Me Two", email: "me@a.tw")]),
      ("<author>me+x@a.tw</author>", [FeedPerson(email: "me+x@a.tw")]),
      ("<author>@office</author>", [FeedPerson(name: "@office")]),
      ("<author>a@b</author>", [FeedPerson(name: "a@b")]), ("<author> </author>", []),
      ("<dc:creator>新聞處</dc:creator>", [FeedPerson(name: "新聞處")]),
      (
        "<dc:creator>A</dc:creator><dc:creator>B</dc:creator>",
        [FeedPerson(name: "A"), FeedPerson(name: "B")]
      ),
      (
        "<author>me@a.tw (A)</author><dc:creator>A</dc:creator><itunes:author>A</itunes:author>",
        [FeedPerson(name: "A", email: "me@a.tw")]
      ),
      (
        "<author><name>A</name><email>me@a.tw</email></author>",
        [FeedPerson(name: "A", email: "me@a.tw")]
      ),
      ("<source><author>A</author></source>", []),
    ])
  func authors(content: String, authors: [FeedPerson]) throws {
    #expect(try Self.rss(content).authors == authors)
  }

  @Test("authors and files of an item are read from Atom's elements, or from its feed's")
  func atomAuthors() throws {
    let person = "<name>A</name><uri>https://a.tw/a</uri><email>me@a.tw</email>"
    let whole = FeedPerson(name: "A", email: "me@a.tw", uri: "https://a.tw/a")
    let item = try Self.atom(
      "<author>\(person)</author><author><name>B</name></author><contributor>\(person)</contributor>"
    )
    #expect(item.authors == [whole, FeedPerson(name: "B")])
    #expect(item.contributors == [whole])
    #expect(try Self.atom("", in: "<author>\(person)</author>").authors == [whole])
    #expect(
      try Self.atom("<author><name>C</name></author>", in: "<author>\(person)</author>").authors
        == [FeedPerson(name: "C")])
  }

  @Test("authors and files of a feed's item are read from enclosures of RSS and links of Atom")
  func enclosures() throws {
    let item = try Self.rss(
      """
      <enclosure url="/1.pdf" type="application/pdf" length="1024"/>
      <enclosure url="https://a.tw/2.mp3"/><enclosure url="ftp://a.tw/3"/><enclosure/>
      """)
    #expect(
      item.enclosures == [
        FeedMedia(
          kind: .enclosure, url: address("https://a.tw/1.pdf"), rawURL: "/1.pdf",
          type: "application/pdf", byteCount: 1024),
        FeedMedia(
          kind: .enclosure, url: address("https://a.tw/2.mp3"), rawURL: "https://a.tw/2.mp3"),
        FeedMedia(kind: .enclosure, url: nil, rawURL: "ftp://a.tw/3"),
      ])
    let entry = try Self.atom(
      "<link rel='enclosure' href='1.png' type='image/png' length='7' title='t'/><link href='x'/>")
    #expect(
      entry.enclosures == [
        FeedMedia(
          kind: .enclosure, url: address("https://a.tw/1.png"), rawURL: "1.png",
          type: "image/png", byteCount: 7, title: "t")
      ])
    #expect(entry.link?.absoluteString == "https://a.tw/x")
  }

  @Test(
    "files of an item have sizes with commas that can only group thousands, and no others",
    arguments: [
      ("1,234", 1234), ("12,345,678", 12_345_678), (" 1 024 ", 1024), ("0", 0), ("1,23", nil),
      ("1234,567", nil), (",123", nil), ("1,234,", nil), ("1.5", nil), ("-1,234", nil), ("", nil),
      ("1,,234", nil), ("9,223,372,036,854,775,808", nil),
    ] as [(String, Int?)])
  func sizes(text: String, count: Int?) throws {
    let item = try Self.rss("<enclosure url='/1.pdf' length='\(text)'/>")
    #expect(item.enclosures.map(\.byteCount) == [count])
  }

  @Test(
    "authors and files of a feed's item are read from Media RSS, in a group or not",
    arguments: [
      "\(media)", "<media:group>\(media)</media:group>",
      "<media:content url='https://a.tw/1.mp4' type='video/mp4' fileSize='9' width='4' height='3'><media:thumbnail url='https://a.tw/1.png'/><media:title>no</media:title></media:content>",
    ])
  func files(content: String) throws {
    let item = try Self.rss("<title>T</title>\(content)")
    var video = FeedMedia(
      kind: .content, url: address("https://a.tw/1.mp4"), rawURL: "https://a.tw/1.mp4",
      type: "video/mp4", byteCount: 9, width: 4, height: 3)
    let picture = FeedMedia(
      kind: .thumbnail, url: address("https://a.tw/1.png"), rawURL: "https://a.tw/1.png")
    // A file has a title of its own, which isn't that of the item.
    if content.contains("media:title") { video.title = "no" }
    #expect(Set(item.media) == [video, picture])
    #expect(item.title == "T")
  }

  private static let media = """
    <media:content url='https://a.tw/1.mp4' type='video/mp4' fileSize='9' width='4' height='3'/>
    <media:thumbnail url='https://a.tw/1.png'/>
    """

  @Test("files of a feed's item include the picture of a podcast's episode")
  func episode() throws {
    let item = try Self.rss("<itunes:image href='https://a.tw/1.jpg'/>")
    #expect(item.media.map(\.kind) == [.image])
    #expect(item.media.map(\.url) == [address("https://a.tw/1.jpg")])
  }

  @Test("authors and files of a feed's item are empty in an item that an older version stored")
  func older() throws {
    let old = Data(#"{"title":"t","categories":["c"]}"#.utf8)
    #expect(
      try JSONDecoder().decode(FeedItem.self, from: old) == FeedItem(title: "t", categories: ["c"]))
    let item = FeedItem(
      title: "t", authors: [FeedPerson(name: "n")],
      media: [FeedMedia(kind: .image, url: nil, rawURL: "x")])
    #expect(try JSONDecoder().decode(FeedItem.self, from: JSONEncoder().encode(item)) == item)
  }

  @Test(
    "text content in Base64 is read, and other content in Base64 isn't",
    arguments: [
      ("type='application/json'", "{\"a\":\"臺\"}", true), ("mode='base64'", "<b>x</b>", true),
      ("type='text/html' mode='base64'", "<b>x</b>", true),
      ("type='image/png'", "\u{0}PNG", false),
    ])
  func base64(attributes: String, text: String, isRead: Bool) throws {
    let encoded = Data(text.utf8).base64EncodedString()
    let item = try Self.atom("<content \(attributes)>\n\(encoded)\n</content>")
    #expect(item.content == (isRead ? text : nil))
  }

  @Test(
    "content in JSON and other types of text is kept as written",
    arguments: [
      ("application/json", #"{"a": "臺"}"#), ("application/ld+json", "[1, 2]"),
      ("application/json", "true"), ("application/json", "12345678"),
      ("application/javascript", "let a = 1"), ("application/x-yaml", "a: 1"),
      ("application/octet-stream", "A text, not Base64."),
    ])
  func literalContent(type: String, text: String) throws {
    #expect(try Self.atom("<content type='\(type)'>\(text)</content>").content == text)
  }

  @Test("content of types that aren't text isn't taken for text, and is reported")
  func otherContent() throws {
    for (type, text) in [("image/png", "not Base64"), ("application/pdf", "/9j/4AAQ")] {
      let feed = try FeedDocument(
        reading: Array(
          """
          <feed xmlns='http://www.w3.org/2005/Atom'><entry>
          <content type='\(type)'>\(text)</content></entry></feed>
          """.utf8))
      #expect(feed.items.map(\.content) == [nil])
      #expect(feed.failures.map(\.excerpt) == [text])
    }
  }

  @Test("categories of a feed's item include the keywords of both vocabularies, each once")
  func keywords() throws {
    let item = try Self.rss(
      """
      <category>臺南</category><media:keywords>臺南, news，a  b</media:keywords>
      <itunes:keywords>c、 news,,d</itunes:keywords><media:group><media:keywords>e</media:keywords>
      </media:group>
      """)
    #expect(item.categories == ["臺南", "news", "a b", "c", "d", "e"])
  }

  @Test("texts of a feed's item include the titles of Media RSS, of files, groups, and items")
  func mediaTitles() throws {
    let item = try Self.rss(
      """
      <media:title>Item</media:title>
      <media:content url="https://a.tw/1"><media:title>One</media:title></media:content>
      <media:content><media:title>None</media:title>https://a.tw/2</media:content>
      <media:group><media:title>Group</media:title><media:content url="https://a.tw/3"/>
      <media:content url="https://a.tw/4"><media:title>Four</media:title></media:content>
      </media:group><media:content url="https://a.tw/5"/>
      """)
    #expect(item.title == "Item")
    #expect(item.media.map(\.title) == ["One", "None", "Group", "Four", nil])
    #expect(item.media.map(\.rawURL) == (1...5).map { "https://a.tw/\($0)" })
    let video = try Self.rss("<media:group><media:title>Video</media:title></media:group>")
    #expect(video.title == "Video")
    #expect(try Self.rss("<media:title>M</media:title><title>Own</title>").title == "Own")
  }

  @Test(
    "items without a date of publication have that of their creation",
    arguments: [
      ("<dcterms:created>2026-03-25</dcterms:created>", "2026-03-25"),
      (
        "<dcterms:created>2026-03-25</dcterms:created><dcterms:modified>2026-03-26</dcterms:modified>",
        "2026-03-25"
      ),
      (
        "<dcterms:created>2026-03-25</dcterms:created><pubDate>Thu, 26 Mar 2026 00:00:00 GMT</pubDate>",
        "Thu, 26 Mar 2026 00:00:00 GMT"
      ),
    ])
  func created(content: String, text: String) throws {
    let feed = try FeedDocument(
      reading: Array(
        """
        <rss xmlns:dcterms="http://purl.org/dc/terms/"><channel><item>\(content)</item></channel></rss>
        """.utf8))
    #expect(feed.items.map(\.publishedText) == [text])
    #expect(feed.items.allSatisfy { $0.published != nil })
  }

  @Test(
    "content of a feed's item isn't taken for Base64 if it is plain text",
    arguments: ["text", "html", "text/plain"])
  func plainContent(type: String) throws {
    #expect(try Self.atom("<content type='\(type)'>aGVsbG8=</content>").content == "aGVsbG8=")
  }

  @Test("authors of an item are at most 256 people, so that a feed of thousands is read as quickly")
  func manyAuthors() throws {
    let item = try Self.rss((0..<1_000).map { "<author>a\($0)@b.c</author>" }.joined())
    #expect(item.authors.count == 256)
    #expect(item.authors.last?.email == "a255@b.c")
  }
}
