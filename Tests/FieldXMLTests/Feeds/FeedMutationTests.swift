import FieldCore
import FieldXML
import Foundation
import TestSupport
import Testing

@Suite("A feed with bytes changed at random", .timeLimit(.minutes(60)))
struct FeedMutationTests {
  private static let feeds = [
    """
    <?xml version="1.0" encoding="utf-8"?><!-- c --><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/">
    <channel><title>市府</title><link>https://a.tw/</link><item><title><![CDATA[標題 & 一]]></title>
    <link>https://a.tw/News_Content.aspx?n=1&amp;s=2</link><description>&lt;p&gt;內&amp;nbsp;文&lt;/p&gt;</description>
    <pubDate>週一, 28 九月 2026 00:00:00 +0800</pubDate><guid isPermaLink="false">g</guid></item>
    <item><dc:title>二</dc:title><dc:date>115-09-28</dc:date></item></channel></rss>
    """,
    """
    <feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://a.tw/x/"><title>市府</title><entry>
    <title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">一<b>二</b><br/></div></title>
    <link rel="alternate" href="a.html"/><id>tag:a.tw,2026:1</id><updated>2026-09-28T10:00:00Z</updated>
    <content type="html">&lt;img src="b.png"&gt;</content><category term="活動"/></entry></feed>
    """,
  ]

  @Test(
    "a feed with bytes changed at random is read as far as possible or is a typed error", .heavy,
    arguments: Sample.of([51, 52, 53, 54] as [UInt64], 1))
  func mutants(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let words = [
      "<!ENTITY", "<![CDATA[", "]]>", "&#", "<!DOCTYPE", "xmlns=", "<?xml", "\0", "&x;", "<item>",
      "</item>", "<div>", "</div>", "type=\"xhtml\"", "xml:base=\"::\"",
      "<link href=\"\u{FEFF}\"/>",
    ]
    for number in 0..<500 {
      let whole = Array(Self.feeds[number % 2].utf8)
      var text = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let at = Int.random(in: 0..<text.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: text[at] = UInt8.random(in: 0...255, using: &random)
        case 1: text.remove(at: at)
        case 2:
          text.insert(
            contentsOf: words[Int.random(in: 0..<words.count, using: &random)].utf8, at: at)
        default: text.removeSubrange(at..<min(text.count, at + 30))
        }
        if text.isEmpty { text = whole }
      }
      do {
        let feed = try FeedDocument(reading: text)
        let hasFault = feed.fault != nil
        #expect((feed.failures.last?.reason.contains("well-formed") == true) == hasFault)
        for item in feed.items {
          // What is shown can do no harm, whatever came.
          #expect(
            !item.text.safeHTML(relativeTo: item.link).contains("<script"),
            "seed \(seed), \(number)")
          #expect(item.link.map { ["http", "https"].contains($0.scheme) } != false)
          #expect(!item.plainTitle.contains { $0.isNewline }, "seed \(seed), \(number)")
        }
      } catch is FieldError {
      }
    }
  }
}
