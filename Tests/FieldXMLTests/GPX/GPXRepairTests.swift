import FieldCore
import FieldXML
import Foundation
import TestSupport
import Testing

@Suite("A GPX file that is not well-formed")
struct GPXRepairTests {
  @Test(
    "a malformed GPX file has its points, and reports its defects",
    arguments: [
      "<name>A & B</name>", "<name>A&nbsp;B</name>", "<name>A <b>B</b></name><ele>x & y</ele>",
      "<name>A\u{1} B", "<name>A B<ele>5</ele>", "<ele>5<time>2024-05-01T08:00:00Z</time>",
      "<desc>a<br>b</desc>", "<x>", "</trkseg_>", "<link href=x>", "<!-- x", "<extensions><hAcc>4",
    ])
  func points(content: String) throws {
    let text = """
      <gpx version='1.1'><trk><trkseg><trkpt lat='1' lon='2'/>
      <trkpt lat='3' lon='4'>\(content)</trkpt>
      <trkpt lat='5' lon='6'/></trkseg></trk></gpx>
      """
    let document = try GPXDocument(data: Data(text.utf8))
    #expect(document.trackPointCount == 3)
    #expect(document.fault?.line == 2 || content.contains("</b>") && content.contains("&"))
    #expect(!document.faults.isEmpty)
  }

  @Test("a malformed GPX file has points whose end tags are missing")
  func unended() throws {
    let points = (1...80).map { "<trkpt lat='\($0)' lon='1'><ele>\($0)</ele>" }.joined()
    let document = try GPXDocument(
      data: Data("<gpx><trk><trkseg>\(points)</trkseg><trkseg></trk><trk><name>x</gpx>".utf8))
    #expect(document.tracks.map(\.pointCount) == [80, 0])
    #expect(document.tracks[0].segments[0].map(\.elevation) == (1...80).map(Double.init))
    #expect(document.tracks[1].name == "x")
  }

  @Test("a malformed GPX file has a name's whole text with markup, and names with ampersands")
  func names() throws {
    let document = try GPXDocument(
      data: Data(
        "<gpx><wpt lat='1' lon='2'><name>Tom & <b>Jerry</b>&apos;s</name></wpt></gpx>".utf8))
    #expect(document.waypoints.map(\.name) == ["Tom & Jerry's"])
    #expect(document.fault?.isRepaired == true)
  }

  @Test("a malformed GPX file has a stream-safe name, even if its parts are short")
  func marks() throws {
    let marks = String(repeating: "\u{35A}\u{345}", count: 200)
    let parts = String(repeating: marks + "<x/>", count: 20)
    let document = try GPXDocument(
      data: Data("<gpx><wpt lat='1' lon='2'><name>a\(parts)</name></wpt></gpx>".utf8))
    let name = try #require(document.waypoints.first?.name)
    #expect(name.utf8.count > 16_000)
    #expect(name.utf8.elementsEqual(name.streamSafe.utf8))
  }

  @Test("a malformed GPX file is read despite junk after its end")
  func junk() throws {
    let document = try GPXDocument(
      data: Data("<gpx><wpt lat='1' lon='2'/></gpx>\n<script>x</script>\u{0}".utf8))
    #expect(document.waypoints.count == 1)
    #expect(document.fault?.line == 2)
  }

  @Test("a malformed GPX file has no control characters in its reports")
  func excerpts() throws {
    let document = try GPXDocument(
      data: Data(
        "<gpx><wpt lat='\u{9B}1' lon='\u{202E}'/><wpt lat='1' lon='2'><ele>\u{9B}\n5\u{85}x</ele></wpt></gpx>"
          .utf8))
    let texts = (document.failures + document.unreadableValues).map(\.excerpt)
    #expect(texts.count == 2)
    for text in texts {
      #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }
  }
}
