import FieldCore
import FieldXML
import Foundation
import TestSupport
import Testing

/// Well-formed feeds are read as Python reads them: by feedparser where that is installed, and by Python's
/// own parser of XML and of mail dates in any case.
@Suite("A well-formed feed read by Python", .timeLimit(.minutes(60)))
struct FeedparserTests {
  private struct Entry: Codable, Equatable {
    var title: String
    var link: String
    var instant: Int?
  }

  private static let feedparser = """
    import calendar, feedparser, json, sys
    feeds = []
    for text in json.load(sys.stdin):
        feed = feedparser.parse(text.encode('utf-8'), response_headers={'content-type': 'text/xml; charset=utf-8'})
        assert not feed.bozo, (feed.bozo_exception, text)
        rows = []
        for e in feed.entries:
            time = e.get('published_parsed') or e.get('updated_parsed')
            rows.append({'title': e.get('title', ''), 'link': e.get('link', ''),
                'instant': calendar.timegm(time) if time else None})
        feeds.append(rows)
    json.dump(feeds, sys.stdout)
    """

  private static let plainPython = """
    import json, sys
    import xml.etree.ElementTree as tree
    from email.utils import parsedate_to_datetime
    feeds = []
    for text in json.load(sys.stdin):
        rows = []
        for item in tree.fromstring(text).iter('item'):
            date = item.findtext('pubDate')
            rows.append({'title': (item.findtext('title') or '').strip(),
                'link': (item.findtext('link') or '').strip(),
                'instant': int(parsedate_to_datetime(date.strip()).timestamp()) if date else None})
        feeds.append(rows)
    json.dump(feeds, sys.stdout)
    """

  private static let hasFeedparser =
    Tool.isThere("python3") && (try? Tool.run("python3", "-c", "import feedparser")) != nil

  @Test(
    "a well-formed feed has the titles, links, and dates that Python's feedparser reads", .heavy,
    .enabled(if: hasFeedparser, "python3 with feedparser isn't installed"),
    arguments: Sample.of([31, 32, 33] as [UInt64], 1))
  func asFeedparser(seed: UInt64) throws {
    var maker = FeedMaker(seed: seed)
    let texts = (0..<60).map { number in
      switch number % 3 {
      case 0: maker.rss()
      case 1: maker.atom()
      default: maker.rdf()
      }
    }
    try compare(texts, with: Self.feedparser, seed: seed)
  }

  @Test(
    "a well-formed feed has the titles, links, and dates that Python alone reads", .heavy,
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"),
    arguments: Sample.of([41, 42] as [UInt64], 1))
  func asPython(seed: UInt64) throws {
    var maker = FeedMaker(seed: seed)
    maker.hasExtras = false
    try compare((0..<40).map { _ in maker.rss() }, with: Self.plainPython, seed: seed)
  }

  private func compare(_ texts: [String], with program: String, seed: UInt64) throws {
    let output = try Tool.run(
      "python3", "-c", program, input: try JSONEncoder().encode(texts))
    let expected = try JSONDecoder().decode([[Entry]].self, from: output)
    try #require(expected.count == texts.count)
    for (text, expected) in zip(texts, expected) {
      let feed = try FeedDocument(reading: Array(text.utf8))
      #expect(feed.fault == nil, "seed \(seed): \(text)")
      let entries = feed.items.map { item in
        Entry(
          title: item.title, link: item.link?.absoluteString ?? "",
          instant: item.published.map { Int($0.timeIntervalSince1970.rounded(.down)) })
      }
      #expect(entries == expected, "seed \(seed): \(text)")
    }
  }
}

/// Makes well-formed feeds of all families, as odd as their standards allow.
private struct FeedMaker {
  private var random: SeededGenerator
  /// Whether there are links and dates in other places than the plain ones.
  var hasExtras = true

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }

  private mutating func chance(_ share: Double) -> Bool {
    Double.random(in: 0..<1, using: &random) < share
  }

  private func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      default: String(character)
      }
    }.joined()
  }

  private mutating func encoded(_ text: String) -> String {
    let blanks = pick(["", "", "\n    ", " ", "\t"])
    let inner =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: "<![CDATA[\(text)]]>"
      case 1:
        text.unicodeScalars.map {
          chance(0.2) ? "&#x\(String($0.value, radix: 16));" : escaped(String($0))
        }
        .joined()
      default: escaped(text)
      }
    return blanks + inner + blanks
  }

  private mutating func title() -> String {
    let words = [
      "臺南市", "新聞", "A & B", "1 < 2", "「活動」", "😀", "don't", "\"quoted\"", "100%", "x=y", "黃偉哲", "—",
      "ＡＢＣ", "é", "C++",
    ]
    return (0..<Int.random(in: 1...5, using: &random)).map { _ in pick(words) }
      .joined(separator: " ")
  }

  private mutating func link() -> String {
    let number = Int.random(in: 1...9_999_999, using: &random)
    return pick([
      "https://www.tainan.gov.tw/News_Content.aspx?n=13370&s=\(number)",
      "http://a.example.tw/\(number).html", "https://b.example.tw:8080/x/?id=\(number)&a=b%20c#top",
      "https://c.example.tw/~u/\(number)/",
    ])
  }

  private mutating func parts() -> (
    year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int
  ) {
    (
      Int.random(in: 1995...2035, using: &random), Int.random(in: 1...12, using: &random),
      Int.random(in: 1...28, using: &random), Int.random(in: 0...23, using: &random),
      Int.random(in: 0...59, using: &random), Int.random(in: 0...59, using: &random)
    )
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private mutating func mailDate() -> String {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let date = parts()
    let day = pick(["\(date.day)", two(date.day)])
    let seconds = chance(0.9) ? ":\(two(date.second))" : ""
    let zone = pick(["GMT", "+0800", "-0330", "+0000", "UT", "EST", "PDT"])
    let weekday = chance(0.8) ? pick(["Mon, ", "Tue, ", "Sun, "]) : ""
    let year = hasExtras && chance(0.1) ? two(date.year % 100) : "\(date.year)"
    return "\(weekday)\(day) \(months[date.month - 1]) \(year) "
      + "\(two(date.hour)):\(two(date.minute))\(seconds) \(zone)"
  }

  private mutating func isoDate() -> String {
    let date = parts()
    let fraction = chance(0.3) ? pick([".5", ".123", ".000000"]) : ""
    let zone = pick(["Z", "+08:00", "-05:30", "+00:00"])
    return "\(date.year)-\(two(date.month))-\(two(date.day))T\(two(date.hour)):\(two(date.minute))"
      + ":\(two(date.second))\(fraction)\(zone)"
  }

  mutating func rss() -> String {
    var text = """
      <?xml version="1.0" encoding="utf-8"?>
      <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"
       xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/">
      <channel><title>\(encoded(title()))</title><link>https://a.example.tw/</link>
      <atom:link rel="self" type="application/rss+xml" href="https://a.example.tw/rss"/>
      <description/><image><title>Logo</title><url>https://a.example.tw/l.png</url></image>
      """
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      text += "<item>"
      if chance(0.9) { text += "<title>\(encoded(title()))</title>" }
      let hasLink = chance(0.85)
      if hasLink { text += "<link>\(encoded(link()))</link>" }
      if hasExtras && !hasLink { text += "<guid>\(escaped(link()))</guid>" }
      if hasExtras && hasLink && chance(0.4) {
        text += "<guid isPermaLink=\"false\">tag:x,\(Int.random(in: 0...99, using: &random))</guid>"
      }
      if chance(0.8) {
        text += "<pubDate>\(mailDate())</pubDate>"
      } else if hasExtras {
        text += "<dc:date>\(isoDate())</dc:date>"
      }
      if chance(0.5) { text += "<description>\(encoded("<p>一 &amp; 二</p>"))</description>" }
      if chance(0.3) { text += "<content:encoded><![CDATA[<p>x</p>]]></content:encoded>" }
      if chance(0.2) { text += "<category>\(encoded("水"))</category>" }
      if chance(0.2) {
        text += "<enclosure url=\"https://a.example.tw/1.mp3\" length=\"1\" type=\"audio/mpeg\"/>"
      }
      text += "</item>\n"
    }
    return text + "</channel></rss>"
  }

  mutating func atom() -> String {
    var text = """
      <?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>\(encoded(title()))</title>
      <id>urn:feed</id><updated>\(isoDate())</updated><link rel="self" href="https://a.example.tw/atom"/>
      """
    for number in 0..<Int.random(in: 0...6, using: &random) {
      text += "<entry><id>urn:\(number)</id><title type=\"text\">\(encoded(title()))</title>"
      let address = escaped(link())
      text += pick([
        "<link href=\"\(address)\"/>",
        "<link rel=\"alternate\" type=\"text/html\" href=\"\(address)\"/>",
        "<link rel=\"edit\" href=\"https://a.example.tw/e\"/><link rel='alternate' href='\(address)'/>"
          + "<link rel=\"enclosure\" href=\"https://a.example.tw/p\"/>",
      ])
      text += "<updated>\(isoDate())</updated>"
      if chance(0.7) { text += "<published>\(isoDate())</published>" }
      if chance(0.5) { text += "<author><name>n</name></author><summary>\(encoded("s"))</summary>" }
      if chance(0.3) { text += "<category term=\"t\"/>" }
      text += "</entry>"
    }
    return text + "</feed>"
  }

  mutating func rdf() -> String {
    var text = """
      <?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
       xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <channel rdf:about="https://a.example.tw/"><title>\(encoded(title()))</title>
      <link>https://a.example.tw/</link><description>d</description></channel>
      """
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let address = link()
      text += "<item rdf:about=\"\(escaped(address))\"><title>\(encoded(title()))</title>"
      text += "<link>\(encoded(address))</link>"
      if chance(0.8) { text += "<dc:date>\(isoDate())</dc:date>" }
      text += "<dc:creator>c</dc:creator></item>"
    }
    return text + "</rdf:RDF>"
  }
}
