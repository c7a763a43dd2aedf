import FieldCore
import FieldXML
import Foundation
import TestSupport
import Testing

@Suite("A feed of a careless server")
struct CarelessFeedTests {
  private static func read(_ text: String) throws -> FeedDocument {
    try FeedDocument(reading: Array(text.utf8))
  }

  @Test(
    "a careless server's feed has its items after a warning, a chunk's size, or a zero-width mark",
    arguments: [
      "Warning: mysql_connect() in /x.php on line 3\n",
      "<br />\n<b>Warning</b>:  x in <b>/x.php</b> on line <b>3</b><br />\n",
      "1a3\r\n", "\u{200B}", "\u{FEFF}\u{200B}\n", "<div id='error'><p>x</p></div>",
    ], ["<?xml version='1.0' encoding='utf-8'?>\n", "<?xml version='1.0' encoding='big5'?>", ""])
  func junk(_ beginning: String, _ declaration: String) throws {
    let text = "<rss><channel><item><title>功能</title></item></channel></rss>"
    let rest =
      declaration.contains("big5") ? try #require(Big5.bytes(text)) : Array(text.utf8)
    let feed = try FeedDocument(reading: Array((beginning + declaration).utf8) + rest)
    #expect(feed.items.map(\.title) == ["功能"])
    #expect(feed.faults.map(\.isRepaired) == [true])
    #expect(feed.fault?.message.contains("before the document") == true)
    #expect(throws: FieldError.self) { try Self.read(beginning + "404 page not found") }
  }

  @Test(
    "a feed of a careless server isn't found inside of JSON or a page",
    arguments: [
      "{\"x\":\"", "[\"", "\"", "<html>", "Oops<html>", "<p>Oops</p><body>", "1a3\n<HEAD>",
    ])
  func foreign(_ beginning: String) {
    let error = #expect(throws: FieldError.self) { try Self.read(beginning + "<?xml ?><rss/>") }
    #expect(error?.code == .notData)
  }

  @Test(
    "a feed of a careless server has namespaces that are spelled in other ways",
    arguments: [
      "http://purl.org/dc/elements/1.1", "https://purl.org/dc/elements/1.1/",
      "HTTP://PURL.ORG/DC/elements/1.1/",
    ])
  func namespaces(_ name: String) throws {
    let feed = try Self.read(
      """
      <feed xmlns="https://www.w3.org/2005/Atom/" xmlns:x="\(name)"><entry><title>T</title>
      <x:creator>A</x:creator></entry></feed>
      """)
    #expect(feed.items.map(\.title) == ["T"])
    #expect(feed.items[0].authors.map(\.name) == ["A"])
  }

  @Test(
    "a feed of a careless server has items in a vocabulary of their own",
    arguments: [
      "<rss><channel><item xmlns='http://y/'>C</item><item>C</item></channel></rss>",
      "<rss><channel xmlns='http://y/'><item>C</item><item>C</item></channel></rss>",
      "<feed xmlns='http://www.w3.org/2005/Atom'><entry xmlns='http://y/'>C</entry><entry>C</entry></feed>",
    ])
  func foreignItems(_ text: String) throws {
    let content = "<title>T</title><z xmlns='http://z/'><item/><title>no</title></z>"
    let feed = try Self.read(text.replacing("C", with: content))
    #expect(feed.items.map(\.title) == ["T", "T"])
    #expect(feed.failures.isEmpty && feed.fault == nil)
  }

  @Test("a feed of a careless server reports elements that are called items, but aren't")
  func noItems() throws {
    let feed = try Self.read(
      "<rss><channel><y:item xmlns:y='http://y/'/><z xmlns='u'><entry/></z></channel></rss>")
    #expect(feed.items.isEmpty)
    #expect(feed.failures.map { $0.reason.contains("(2)") } == [true])
  }

  @Test(
    "a feed of a careless server has none of the items of another vocabulary's element",
    arguments: ["z", "z:m"])
  func foreignElement(_ name: String) throws {
    let prefix = name == "z" ? "" : "z:"
    let feed = try Self.read(
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><\(name) xmlns="http://z/" xmlns:z="http://z/">
      <\(prefix)title>no</\(prefix)title><\(prefix)entry><\(prefix)title>no</\(prefix)title></\(prefix)entry>
      </\(name)><entry><title>T</title></entry></feed>
      """)
    #expect(feed.title == "F")
    #expect(feed.items.map(\.title) == ["T"])
  }

  @Test(
    "a feed of a careless server has RSS's own link, wherever a link of Atom is",
    arguments: [
      "<link>https://a.tw/1</link><atom:link href='https://b.tw/2'/>",
      "<atom:link rel='alternate' href='https://b.tw/2'/><link>https://a.tw/1</link>",
    ])
  func links(_ links: String) throws {
    let feed = try Self.read(
      "<rss xmlns:atom='http://www.w3.org/2005/Atom'><channel>\(links)<item>\(links)</item></channel></rss>"
    )
    #expect(feed.link?.absoluteString == "https://a.tw/1")
    #expect(feed.items.map(\.link?.absoluteString) == ["https://a.tw/1"])
  }

  @Test("a feed of a careless server has enclosures in any letter case")
  func enclosures() throws {
    let feed = try Self.read(
      """
      <rss><channel><item><Enclosure URL="https://a.tw/1.mp3" LENGTH="3" Type="audio/mpeg"/>
      <GUID ISPERMALINK="false">https://a.tw/2</GUID></item></channel></rss>
      """)
    let file = try #require(feed.items.first?.enclosures.first)
    #expect(file.url?.absoluteString == "https://a.tw/1.mp3")
    #expect(file.byteCount == 3 && file.type == "audio/mpeg")
    #expect(feed.items[0].link == nil)
  }

  @Test(
    "a feed of a careless server has all items and attributes if a quotation mark is missing",
    arguments: [
      "<enclosure url=\"https://a.tw/1.jpg><link>https://a.tw/1</link></item><item><title>B \"q\" x</title></item>",
      "<enclosure url=\"https://a.tw/1.jpg><link>https://a.tw/1</link></item><item><link rel=\"x\"/></item>",
      "<enclosure url=\"https://a.tw/1.jpg type=\"image/jpeg\"/><link>https://a.tw/1</link></item><item></item>",
      "<enclosure type='' url='https://a.tw/1.jpg length='5' /><link>https://a.tw/1</link></item><item></item>",
    ])
  func quotes(_ items: String) throws {
    let feed = try Self.read("<rss><channel><item>\(items)</channel></rss>")
    #expect(feed.items.count == 2)
    #expect(feed.items[0].link?.absoluteString == "https://a.tw/1")
    #expect(feed.items[0].enclosures.map(\.rawURL) == ["https://a.tw/1.jpg"])
    #expect(feed.fault?.line == 1)
  }

  @Test(
    "a careless server's feed has an attribute's whole value if only a blank is missing after it",
    arguments: ["https://a.tw/?x=", "https://a.tw/<1"])
  func noBlank(_ address: String) throws {
    let feed = try Self.read(
      "<rss><channel><item><enclosure url=\"\(address)\"type=\"image/png\"/></item></channel></rss>"
    )
    let file = try #require(feed.items.first?.enclosures.first)
    #expect(file.rawURL == address && file.type == "image/png")
    #expect(feed.fault?.isRepaired == true)
  }

  @Test("a feed of a careless server has a short message, however long its one character is")
  func longCharacter() {
    let text = "<a" + String(repeating: "\u{301}", count: 100_000) + "/>"
    let feed = #expect(throws: FieldError.self) { try Self.read(text) }
    #expect((feed?.message.utf8.count ?? .max) < 1000)
    let track = #expect(throws: FieldError.self) { try GPXDocument(data: Data(text.utf8)) }
    #expect((track?.message.utf8.count ?? .max) < 1000)
  }
}
