import FieldCore
import FieldXML
import Foundation
import TestSupport
import Testing

@Suite("A feed that is not well-formed")
struct FeedRepairTests {
  private static func read(_ text: String) throws -> FeedDocument {
    try FeedDocument(reading: Array(text.utf8))
  }

  /// A feed of five items, the third of which is given.
  private static func feed(_ item: String) -> String {
    func good(_ number: Int) -> String {
      "<item><title>第\(number)</title><link>https://a.tw/\(number)</link></item>\n"
    }
    return "<?xml version='1.0'?>\n<rss><channel><title>T</title>\n" + good(1) + good(2) + item
      + "\n" + good(4) + good(5) + "</channel></rss>"
  }

  private static let link = "<link>https://a.tw/3</link>"

  @Test(
    "a malformed feed has all its items, and reports where it was repaired",
    arguments: [
      "<item><title>第3</title><link>https://a.tw/3?a=1&b=2</link></item>",
      "<item><title>第3&nbsp;</title>\(link)</item>", "<item><title>第3\u{1}</title>\(link)</item>",
      "<item><title>第3</titel>\(link)</item>", "<item><title>第3\(link)</item>",
      "<item><title>第3</title>\(link)", "<item><title>第3\(link)",
      "<item><title>第3</title><link>https://a.tw/3</item>",
      "<item><title>第3</title>\(link)<description>x<p>y</item>",
      "<item><title>第3</title>\(link)<description>x<br>y<br>z</description></item>",
      "<item><title>第3</title>\(link)<description><p>x<item><p>",
      "<item><title>第3</title>\(link)<description><![CDATA[x</description></item>",
      "<item><title>第3</title>\(link)<!-- x</item>", "<item><title>第3</title>\(link)</x></item>",
      "<item><title>第3</title>\(link)<enclosure url=https://a.tw/x.png></item>",
      "<item><title>第3</title>\(link)<enclosure url='https://a.tw/x.png></item>",
      "<item><title>第3</title>\(link)<guid isPermaLink=false isPermaLink=true>x</guid></item>",
      "<item><title>第3</title>\(link)</item></channel>", "<item <title>第3</title>\(link)</item>",
      "<item><title>第3</title>\(link)</item></item></channel></rss>",
      "<Item><title>第3</title>\(link)</item>",
      "<item><title>第3</title>\(link)<author>Me <me@a.tw></author></item>",
      "<item><title>第3</title>\(link)<description>\(String(repeating: "x<br>", count: 100))</item>",
      "<item><title>第3</title>\(link)<description>\(String(repeating: "<p>x", count: 100))</item>",
    ])
  func items(item: String) throws {
    let feed = try Self.read(Self.feed(item))
    let titles = feed.items.map(\.plainTitle).filter { !$0.isEmpty }
    #expect(titles == ["第1", "第2", "第3", "第4", "第5"])
    let links = feed.items.compactMap(\.link?.absoluteString)
    #expect(links.map { $0.prefix(14) } == (1...5).map { "https://a.tw/\($0)" })
    #expect(feed.fault != nil)
    #expect(feed.failures.last?.reason.contains("isn't well-formed: line") == true)
  }

  @Test("a malformed feed has a hundred items without end tags")
  func unendedItems() throws {
    let items = (1...100).map { "<item><title>\($0)<link>https://a.tw/\($0)</link>" }.joined()
    let feed = try Self.read("<rss><channel>\(items)</channel></rss>")
    #expect(feed.items.map(\.title) == (1...100).map(String.init))
    #expect(feed.items.last?.link?.absoluteString == "https://a.tw/100")
    #expect(feed.fault?.isRepaired == false)
  }

  @Test(
    "a malformed feed has its texts despite invalid CDATA",
    arguments: [
      "<item><title><![CDATA[一]></title></item><item><title><![CDATA[二]]></title></item>",
      "<item><title><![CDATA[一</title></item><item><title><![CDATA[二]]></title></item>",
      "<item><title><![cdata[一]]></title></item><item><title>二</title></item>",
      "<item><title>&lt;![CDATA[一]]&gt;</title></item><item><title>二</title></item>",
      "<item><title><![CDATA[一]]</title></item><item><title>二</title></item>",
    ])
  func sections(items: String) throws {
    let feed = try Self.read("<rss><channel>\(items)<item><title>三</title></item></channel></rss>")
    #expect(feed.items.count == 3)
    #expect(feed.items.map { $0.title.first } == ["一", "二", "三"])
  }

  @Test(
    "a malformed feed has the text of deeply nested markup", arguments: ["div", "font", "b", "x"])
  func deepMarkup(name: String) throws {
    let text =
      String(repeating: "<\(name)>", count: 500) + "x" + String(repeating: "</\(name)>", count: 500)
    let feed = try Self.read(
      Self.feed("<item><title>第3</title><description>\(text)</description></item>"))
    #expect(feed.items.map(\.title) == ["第1", "第2", "第3", "第4", "第5"])
    #expect(feed.items[2].text.plainText == "x")
  }

  @Test("a malformed feed distinguishes a harmless fault from one that may lose data")
  func losses() throws {
    let mild = try Self.read(Self.feed("<item><title>A & B</title>&nbsp;<link>x?a&b</link></item>"))
    #expect(mild.faults.count == 3)
    #expect(mild.fault?.isRepaired == true)
    let severe = try Self.read(Self.feed("<item><title>A & B</title><link>x</item>"))
    #expect(severe.faults.map(\.isRepaired) == [true, false])
    #expect(severe.fault == severe.faults.last)
  }

  @Test(
    "a malformed feed keeps unescaped markup",
    arguments: [
      ("Some <b>bold</b> text", "Some bold text"), ("<i>a</i>", "a"), ("a<br/>b", "a b"),
      ("A &amp; B <b>c</b>", "A & B c"), ("<![CDATA[A & <i>B</i>]]> <b>c</b>", "A & B c"),
      ("a <x:y>b</x:y> c", "a b c"), ("x <b>&lt;tag&gt;</b>", "x <tag>"),
      ("<p>a<p>b", "a b"), ("<a href='u'>a <b>b</a></b>", "a b"),
    ])
  func markup(written: String, plain: String) throws {
    for element in ["title", "description"] {
      let feed = try Self.read(
        "<rss xmlns:x='urn:x'><channel><\(element)>\(written)</\(element)><item>"
          + "<\(element)>\(written)</\(element)><link>https://a.tw/1</link></item></channel></rss>")
      let item = try #require(feed.items.first)
      let text = element == "title" ? item.plainTitle : item.text.plainText
      #expect(text.split(whereSeparator: \.isNewline).joined(separator: " ") == plain)
      #expect(item.link?.absoluteString == "https://a.tw/1")
      if element == "title" { #expect(feed.title != nil) }
    }
  }

  @Test("a malformed feed has the paragraphs of a description as safe HTML")
  func safeMarkup() throws {
    let feed = try Self.read(
      """
      <rss><channel><item><description>
        <p onclick="x()">一 &lt; 二 <a href="https://a.tw/">三</a><script>alert(1)</script></p>
        <p>四<br></p><img src="https://a.tw/i.png" alt="&quot;">
      </description></item></channel></rss>
      """)
    let text = try #require(feed.items.first).text
    #expect(text.plainText == "一 < 二 三\n四")
    #expect(
      text.safeHTML.contains(
        "<p>一 &lt; 二 <a href=\"https://a.tw/\" rel=\"noopener noreferrer\">三</a></p>"))
    #expect(text.safeHTML.contains("<img alt=\"&quot;\" src=\"https://a.tw/i.png\">"))
    #expect(!text.safeHTML.contains("alert"))
  }

  @Test(
    "a feed whose bytes contradict its declaration is read by its bytes",
    arguments: ["utf-8", "iso-8859-1", "windows-1252", "gbk", "big5"])
  func wrongEncoding(name: String) throws {
    let body = try #require(
      Big5.bytes("<rss><channel><item><title>臺南市政府新聞稿</title></item></channel></rss>"))
    let declared = Array("<?xml version='1.0' encoding='\(name)'?>".utf8) + body
    #expect(try FeedDocument(reading: declared).items.map(\.title) == ["臺南市政府新聞稿"])
    #expect(try FeedDocument(reading: body, charset: name).items.map(\.title) == ["臺南市政府新聞稿"])
  }

  @Test(
    "a feed in Latin-1 isn't mistaken for Big5, however many letters could be",
    arguments: [
      "9\u{B0}C 8\u{B0}C 7\u{B0}C 6\u{B0}C", "12\u{B5}g, 30\u{B5}g, 5\u{B5}g, 8\u{B5}g",
      "\u{C5}land \u{C5}sa \u{C4}lg \u{C5}r",
    ])
  func latin(text: String) throws {
    let body = "<rss><channel><item><title>\(text)</title></item></channel></rss>"
      .unicodeScalars.map { UInt8($0.value) }
    let declared = Array("<?xml version='1.0' encoding='ISO-8859-1'?>".utf8) + body
    #expect(try FeedDocument(reading: declared).items.map(\.title) == [text])
    #expect(try FeedDocument(reading: body, charset: "iso-8859-1").items.map(\.title) == [text])
  }

  /// 台南市政府新闻：市长今天参加活动 in GB 2312.
  private static let mainland: [UInt8] = [
    0xCC, 0xA8, 0xC4, 0xCF, 0xCA, 0xD0, 0xD5, 0xFE, 0xB8, 0xAE, 0xD0, 0xC2, 0xCE, 0xC5, 0xA3, 0xBA,
    0xCA, 0xD0, 0xB3, 0xA4, 0xBD, 0xF1, 0xCC, 0xEC, 0xB2, 0xCE, 0xBC, 0xD3, 0xBB, 0xEE, 0xB6, 0xAF,
  ]

  private static func feed(_ title: [UInt8], declaring name: String? = nil) -> [UInt8] {
    Array((name.map { "<?xml version='1.0' encoding='\($0)'?>" } ?? "").utf8)
      + Array("<rss><channel><item><title>".utf8) + title
      + Array("</title></item></channel></rss>".utf8)
  }

  @Test(
    "a feed in GB 2312 is read if the document, the header, or the bytes say so",
    arguments: ["gb2312", "GBK", "gb18030", "GB_2312-80", "utf-8", "iso-8859-1", "big5", nil])
  func mainland(name: String?) throws {
    for bytes in [Self.feed(Self.mainland, declaring: name), Self.feed(Self.mainland)] {
      let feed = try FeedDocument(reading: bytes, charset: name)
      #expect(feed.items.map(\.title) == ["台南市政府新闻：市长今天参加活动"])
      #expect(feed.fault == nil)
    }
  }

  @Test(
    "a feed in GB 18030 that says nothing or something else is read by its bytes",
    arguments: ["utf-8", "iso-8859-1", nil])
  func evidentMainland(name: String?) throws {
    // 台南市今天参加活动, without characters from D0 on.
    let early = Self.mainland[0..<6] + Self.mainland[20..<32]
    // 㐂 has four bytes.
    let wide = Self.mainland + [0x81, 0x39, 0xEF, 0x31]
    for (title, text) in [(Array(early), "台南市今天参加活动"), (wide, "台南市政府新闻：市长今天参加活动㐂")] {
      let feed = try FeedDocument(reading: Self.feed(title, declaring: name))
      #expect(feed.items.map(\.title) == [text])
    }
  }

  @Test("a feed in Big5 with an invalid byte is read by its bytes, although it declares UTF-8")
  func damagedBig5() throws {
    let text = String(repeating: "臺南市政府新聞稿，", count: 3)
    let title = try #require(Big5.bytes(text)) + [0xFF, 0x61]
    let feed = try FeedDocument(reading: Self.feed(title, declaring: "utf-8"))
    #expect(feed.items.map(\.title) == [text + "?a"])
  }

  @Test("a feed in GBK reports bytes that encode nothing, and has everything else")
  func damagedMainland() throws {
    // 臺 and 灣 are in GBK, but not in GB 2312.
    let feed = try FeedDocument(
      reading: Self.feed([0xC5, 0x5F, 0x9E, 0xB3, 0xFF, 0x61], declaring: "gbk"))
    #expect(feed.items.map(\.title) == ["臺灣\u{FFFD}a"])
    #expect(feed.faults.count == 1)
  }

  @Test(
    "a feed in Latin-1 with some texts in UTF-8 is decided text by text, and that is reported",
    arguments: ["ISO-8859-1", "windows-1252"])
  func mixedWestern(name: String) throws {
    let titles: [[UInt8]] = [
      Array("s".utf8) + [0xF8] + Array("ndag".utf8), Array("Brøndby".utf8), Array("plain".utf8),
      [0x93, 0xE9, 0x94], Array("臺南".utf8),
    ]
    let items = titles.flatMap { title in
      Array("<item><title>".utf8) + title + Array("</title></item>\n".utf8)
    }
    let body = Array("<rss><channel>\n".utf8) + items + Array("</channel></rss>".utf8)
    let head = Array("<?xml version='1.0' encoding='\(name)'?>".utf8)
    for feed in [
      try FeedDocument(reading: head + body), try FeedDocument(reading: body, charset: name),
    ] {
      #expect(feed.items.map(\.title) == ["søndag", "Brøndby", "plain", "“é”", "臺南"])
      #expect(feed.faults.map(\.line) == [3, 6])
      #expect(feed.faults.filter { !$0.isRepaired }.isEmpty)
      #expect(feed.failures.count == 2)
    }
  }

  @Test(
    "a feed in UTF-8 with some texts in Latin-1 is decided text by text, and that is reported",
    arguments: ["utf-8", nil])
  func mixedUTF8(name: String?) throws {
    let items =
      Array("<item><title>Brøndby</title></item><item><title a='".utf8) + [0xE9]
      + Array("'>s".utf8) + [0xF8] + Array("ndag ".utf8) + [0xE5]
      + Array("</title></item><item><title>ø".utf8) + [0xF8] + Array("</title></item>".utf8)
    let feed = try FeedDocument(
      reading: Array("<rss><channel>".utf8) + items + Array("</channel></rss>".utf8), charset: name)
    #expect(feed.items.map(\.title) == ["Brøndby", "søndag å", "ø\u{FFFD}"])
    #expect(!feed.faults.isEmpty)
    let chinese = try FeedDocument(
      reading: Array("<rss><channel><title>臺南</title><item><title>s".utf8) + [0xF8]
        + Array("ndag</title></item></channel></rss>".utf8))
    #expect(chinese.items.map(\.title) == ["s\u{FFFD}ndag"])
  }

  @Test(
    "a feed in an unsupported encoding is rejected, and not mistaken for Big5",
    arguments: ["euc-kr", "euc-jp"])
  func otherEastAsian(name: String) {
    // Pairs of bytes of the planes that all three have: the second byte is never ASCII.
    let text = (0..<20).flatMap { (number: UInt8) -> [UInt8] in
      [0xB0 + number % 8, 0xA1 + number * 4]
    }
    let body =
      Array("<?xml version='1.0' encoding='\(name)'?><rss><channel><item><title>".utf8) + text
      + Array("</title></item></channel></rss>".utf8)
    let error = #expect(throws: FieldError.self) { try FeedDocument(reading: body) }
    #expect(error?.code == .encoding)
  }

  @Test("a feed in UTF-8 with a character cut in two has everything else")
  func cutCharacter() throws {
    let bytes =
      Array("<rss><channel><item><title>臺南市政府".utf8) + [0xE6, 0x96]
      + Array("…</title></item><item><title>二</title></item></channel></rss>".utf8)
    let feed = try FeedDocument(reading: bytes)
    #expect(feed.items.map(\.title) == ["臺南市政府\u{FFFD}…", "二"])
    #expect(feed.fault?.isRepaired == true)
  }

  @Test(
    "a feed has no control characters in its messages",
    arguments: [
      "<rss><channel><item><link>java\u{1B}script:&#x9B;\u{202E}x</link></item></channel></rss>",
      "<rss><channel><item><guid>a\nb\u{85}</guid><pubDate>so\u{7}on\n\u{9B}&#9;</pubDate></item></channel></rss>",
      "<rss><channel><item><link>\u{9D}\u{2028}:</link></item></channel></rss>",
      "\u{7}\u{1B}[31mred", "<ro\u{202E}ot/>", "<\u{2028}/>",
      "<?xml version='1.0' encoding='\u{1B}[2J\u{9B}x'?><rss>é</rss>",
      "<html><title>\u{1B}[31m\u{9B}red\u{7}</title></html>",
    ])
  func messages(text: String) throws {
    var messages: [String] = []
    do {
      let feed = try Self.read(text)
      messages = feed.failures.flatMap { [$0.reason, $0.excerpt, $0.key ?? "", $0.description] }
      messages += feed.faults.map(\.description)
    } catch let error as FieldError {
      messages = [error.message, error.description] + error.problems
    }
    #expect(!messages.isEmpty)
    for message in messages {
      #expect(
        !message.unicodeScalars.contains { scalar in
          scalar.properties.generalCategory == .control
            || "\u{202E}\u{2028}".unicodeScalars.contains(scalar)
        }, "\(message.debugDescription)")
    }
  }
}
