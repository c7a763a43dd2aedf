@testable internal import FieldCore
@testable internal import FieldXML
internal import Foundation
@testable internal import WalkKit

extension Target {
  static let markup: [Target] = [xml, feed, gpx, html]

  private static let xml = Target(
    "xml",
    seeds: documents.map { Array($0.utf8) } + [
      [0xFF, 0xFE]
        + documents[0].utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] },
      Array("<?xml version='1.0' encoding='big5'?><r>".utf8) + (Big5.bytes("臺北") ?? [])
        + Array("</r>".utf8),
    ]
  ) { bytes in
    let strict = ContentLog()
    let fault = try readable { try XMLReader().read(bytes, into: strict) }
    let repaired = ContentLog()
    let faults = try readable { try XMLReader().repair(bytes, into: repaired) }
    if case .some(.none) = fault {
      holdEqual(faults?.count, 0, "Faults of a well-formed document")
      holdEqual(repaired.content, strict.content, "The content")
      holdEqual(strict.depth, 0, "Open elements")
    }
    for charset in ["big5", "big5-hkscs", "windows-1252", "utf-16"] {
      _ = try readable { try XMLReader().repair(bytes, charset: charset, into: ContentLog()) }
    }
  }

  private static let feed = Target("feed", texts: documents) { text in
    let feed = try FeedDocument(
      reading: Array(text.utf8), from: URL(string: "https://www.tainan.gov.tw/a/b.xml"))
    hold(feed.faults.count <= 100, "\(feed.faults.count) faults")
    for item in feed.items {
      let texts = [item.title, item.description ?? "", item.content ?? "", item.plainTitle]
      hold(
        texts.allSatisfy { !$0.unicodeScalars.contains(where: isForbidden) },
        "A forbidden character")
      let scheme = item.link?.scheme?.lowercased()
      hold(scheme == nil || scheme == "http" || scheme == "https", "A link to \(scheme ?? "")")
    }
    let coded = try JSONEncoder().encode(feed)
    holdEqual(try JSONDecoder().decode(FeedDocument.self, from: coded), feed, "The decoded feed")
  }

  private static let gpx = Target(
    "gpx",
    texts: [
      """
      <?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1" xmlns:fk="https://fieldkit.dev/gpx">
      <wpt lat="25.1" lon="121.5"><ele>3.5</ele><name>山</name></wpt><rte><rtept lat="1" lon="2"/></rte>
      <trk><name>a&amp;b</name><extensions><fk:pet>x</fk:pet></extensions><trkseg>
      <trkpt lat="25.03" lon="121.56"><ele>10</ele><time>2025-07-22T20:42:19.123Z</time></trkpt>
      <trkpt lat="-90" lon="-180"><time>2025-07-22T20:42:20Z</time></trkpt></trkseg><trkseg/></trk></gpx>
      """,
      "<gpx><trk><trkseg><trkpt lat='1' lon='2'><ele>1e400</ele></trkpt><trkpt lat='x' lon='2'/>",
    ]
  ) { text in
    let document = try GPXDocument(data: Data(text.utf8))
    hold(document.faults.count <= 100, "\(document.faults.count) faults")
    let route = WalkRoute(tracks: document.tracks)
    let first = try GPXDocument(data: route.gpx(name: document.tracks.first?.name))
    holdEqual(first.faults.count + first.failures.count, 0, "Failures of a file of its own")
    let again = WalkRoute(tracks: first.tracks)
    holdEqual(again.segments.map(\.count), route.segments.map(\.count), "The numbers of points")
    for (left, right) in zip(route.segments.joined(), again.segments.joined()) {
      holdEqual(left.coordinate.latitude, right.coordinate.latitude, "Latitude")
      holdEqual(left.elevation, right.elevation, "Elevation")
    }
    let second = WalkRoute(tracks: try GPXDocument(data: again.gpx()).tracks)
    holdEqual(second, again, "The route")
    _ = route.svgPath(width: 100, height: 100)
    _ = WalkRoute(segments: route.segments).geoJSON()
  }

  private static let html = Target(
    "html",
    texts: [
      "<p class=x onclick=\"a()\">Hi &mdash; <b>there</b><script>alert(1)</script><br/>",
      "&lt;p style=\"x\"&gt;&amp;lt;b&gt;",
      "<a href=' java&#10;script:alert(1)' title='a\"b'>x</a>",
      "<img src=//x.y/z.jpg alt=a width=5><table><tr><td colspan=2>1<td>2</table>",
      "<a href=\"../b.html?x=1&y=2#z\">l</a><svg><math><!--x--><![CDATA[y]]><?p?><plaintext><pre> a  b</pre>",
      "<textarea><title><style></p><ol start=3><li>1<li>2</ol>&#x1F600;&#0;&bogus;&amp",
    ]
  ) { text in
    let html = HTMLText(text)
    let plain = html.plainText
    hold(!plain.contains("\n\n"), "An empty line in \(plain)")
    for base in [nil, URL(string: "https://www.tainan.gov.tw/a/b/c.html")] {
      var checker = HTMLChecker(html.safeHTML(relativeTo: base))
      checker.run()
    }
  }

  private static let documents = [
    """
    <?xml version="1.0" encoding="utf-8"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
    <title>臺南</title><link>https://a.b/</link><language>zh-tw</language><item><title><![CDATA[ x & y ]]></title>
    <link>https://a.b/c?d=1&amp;e=2</link><guid isPermaLink="false">1</guid><pubDate>Tue, 22 Jul 2025 20:42:19 +0800</pubDate>
    <dc:creator>某</dc:creator><description>&lt;p&gt;x&lt;/p&gt;</description><enclosure url="https://a.b/c.jpg" length="5" type="image/jpeg"/>
    <category>c</category></item><item><title>y</title></channel></rss>
    """,
    """
    <feed xmlns="http://www.w3.org/2005/Atom"><title type="html">a&amp;nbsp;b</title><entry><id>urn:1</id>
    <title type='xhtml'><div xmlns="http://www.w3.org/1999/xhtml">x<b>y</b></div></title><link rel="alternate" href="../c"/>
    <updated>2025-07-22T20:42:19Z</updated><author><name>n</name><email>e@f</email></author><content>z</content></entry></feed>
    """,
    """
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="x">
    <title>t</title></channel><item rdf:about="https://a.b/1"><title>1</title></item></rdf:RDF>
    """,
    "junk<?xml version='1.0'?><!DOCTYPE rss SYSTEM 'x'><rss><channel><item><TITLE>a & b</title></item><item>",
    "<!DOCTYPE r [<!ENTITY x 'EXPANDED'>]><r a='1' b:c=\"2\">&x;&#x41;&lt;<!-- c --><?p q?></r>",
  ]
}

/// Whether XML 1.0 forbids a character.
private func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
  scalar.value < 0x20 && !"\t\n\r".unicodeScalars.contains(scalar)
    || scalar.value & 0xFFFE == 0xFFFE && scalar.value < 0x10000
}

/// Collects what a reader reports, and checks that it is balanced and contains no forbidden character.
private final class ContentLog: XMLHandler {
  private(set) var content: [String] = []
  private(set) var depth = 0
  var isFinished: Bool { false }

  func elementsEnded(by tag: XMLTag) -> Int { 0 }

  func start(_ tag: XMLTag) {
    depth += 1
    hold(depth <= XMLLimits().depth, "Depth \(depth)")
    let attributes = tag.attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    add("<\(tag.prefix):\(tag.name) \(tag.namespace) \(attributes)")
  }

  func text(_ text: String) { add(text) }

  func end(_ name: String) {
    depth -= 1
    hold(depth >= 0, "</\(name)> ends nothing")
    add("</\(name)")
  }

  private func add(_ text: String) {
    hold(!text.unicodeScalars.contains(where: isForbidden), "A forbidden character in \(text)")
    content.append(text)
  }
}

/// A strict reader of the HTML that `safeHTML` may consist of.
private struct HTMLChecker {
  private let html: [UInt8]
  private var at = 0
  private var open: [String] = []

  init(_ html: String) { self.html = Array(html.utf8) }

  mutating func run() {
    while at < html.count {
      switch html[at] {
      case UInt8(ascii: "<"): tag()
      case UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"), 0, 0x7F:
        bad("a bare character")
      case UInt8(ascii: "&"): reference()
      default: at += 1
      }
    }
    if !open.isEmpty { bad("\(open) remain open") }
  }

  private mutating func tag() {
    at += 1
    if take("/") {
      let name = name()
      if open.popLast() != name { bad("</\(name)> ends nothing") }
      return expect(">")
    }
    let tag = name()
    let allowed =
      "a abbr b blockquote br caption cite code dd del div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img "
      + "ins kbd li mark ol p pre q rp rt ruby s samp small span strong sub sup table tbody td tfoot th thead tr u "
      + "ul wbr"
    if !allowed.split(separator: " ").contains(Substring(tag)) { bad("<\(tag)>") }
    while take(" ") {
      let attribute = name()
      expect("=\"")
      let start = at
      while at < html.count, html[at] != UInt8(ascii: "\"") {
        if html[at] == UInt8(ascii: "<") { bad("< in an attribute") }
        if html[at] == UInt8(ascii: "&") { reference() } else { at += 1 }
      }
      let value = String(decoding: html[start..<at], as: UTF8.self)
      expect("\"")
      check(attribute, value)
    }
    expect(">")
    if !["br", "hr", "img", "wbr"].contains(tag) { open.append(tag) }
    if open.count > 100 { bad("\(open.count) levels") }
  }

  private func check(_ attribute: String, _ value: String) {
    switch attribute {
    case "href", "src":
      let schemes =
        attribute == "src" ? ["http:", "https:"] : ["http:", "https:", "mailto:", "tel:"]
      if !schemes.contains(where: value.lowercased().hasPrefix) { bad("\(attribute)=\(value)") }
    case "rel": if value != "noopener noreferrer" { bad("rel=\(value)") }
    case "width", "height", "start", "colspan", "rowspan":
      if UInt(value).map({ $0 <= 10_000 }) != true { bad("\(attribute)=\(value)") }
    case "title", "alt": break
    default: bad("the attribute \(attribute)")
    }
  }

  private mutating func reference() {
    let names = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"]
    guard let name = names.first(where: { html[at...].starts(with: $0.utf8) }) else {
      bad("a bare ampersand")
    }
    at += name.utf8.count
  }

  private mutating func name() -> String {
    let start = at
    while at < html.count, (97...122).contains(html[at]) || (48...57).contains(html[at]) { at += 1 }
    return String(decoding: html[start..<at], as: UTF8.self)
  }

  private mutating func take(_ text: String) -> Bool {
    guard html[at...].starts(with: text.utf8) else { return false }
    at += text.utf8.count
    return true
  }

  private mutating func expect(_ text: String) { if !take(text) { bad("no \(text)") } }

  private func bad(_ what: String) -> Never {
    fail("\(what) at byte \(at) of \(String(decoding: html, as: UTF8.self))")
  }
}
