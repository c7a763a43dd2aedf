import FieldCore
import FieldXML
import Foundation
import TestSupport
import Testing

@Suite("The documents' models")
struct DocumentModelJSONTests {
  @Test("the documents' models have JSON that other programs can read")
  func models() throws {
    let feed = """
      <rss version="2.0"><channel><title>News</title><link>https://city.example</link>
      <item><title>One</title><guid>1</guid><pubDate>Mon, 28 Sep 2026 03:11:00 GMT</pubDate>
      <author>a@city.example (A)</author><category>b</category>
      <enclosure url="https://city.example/1.pdf" type="application/pdf" length="3"/></item>
      <item><title>Two & more</title></item></channel></rss>
      """
    let gpx = """
      <gpx version="1.1" creator="a"><metadata><name>walk</name><time>2026-01-01T00:00:00Z</time></metadata>
      <wpt lat="25" lon="121.5"><name>b</name><type>photo</type></wpt>
      <trk><name>c</name><trkseg><trkpt lat="25" lon="121.5"><ele>12.5</ele>
      <time>2026-01-01T00:00:00Z</time></trkpt><trkpt lat="95" lon="0"/></trkseg></trk></gpx>
      """
    let document = try FeedDocument(reading: Array(feed.utf8))
    #expect(document.items.map(\.id) == ["1", "Two & more"])
    try Golden("xml-models").expectModels([
      "feed": document, "gpx": try GPXDocument(data: Data(gpx.utf8)),
      "gpxLimits": GPXDocument.Limits(),
      "newFeed": FeedDocument(format: .atom, title: "a", items: [FeedItem(title: "b")]),
    ])
  }
}
