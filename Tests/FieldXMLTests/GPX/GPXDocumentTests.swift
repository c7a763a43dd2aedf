import FieldCore
import FieldXML
import Foundation
import TestSupport
import Testing

@Suite("A GPX file")
struct GPXDocumentTests {
  private func read(_ text: String) throws -> GPXDocument {
    try GPXDocument(data: Data(text.utf8))
  }

  /// A file of one track with one segment of these points.
  private func file(_ points: String) -> String {
    "<gpx version='1.1' creator='test'><trk><trkseg>\(points)</trkseg></trk></gpx>"
  }

  private func point(_ content: String) throws -> TrackPoint {
    let text = file("<trkpt lat='1' lon='2'>\(content)</trkpt>")
    return try #require(try read(text).tracks.first?.segments.first?.first)
  }

  @Test("a GPX file is read completely: metadata, waypoints, routes, and tracks")
  func whole() throws {
    let document = try read(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="me" xmlns="http://www.topografix.com/GPX/1/1">
        <metadata><name>A day</name><desc>out</desc><author><name>not this</name></author>
          <time>2024-05-01T08:00:00Z</time></metadata>
        <wpt lat="1" lon="2"><ele>3</ele><name><![CDATA[A & B]]></name><desc>d</desc>
          <link href="https://example.org/a.jpg"><text>t</text></link><sym>Flag</sym>
          <type>photo</type></wpt>
        <rte><name>plan</name><rtept lat="5" lon="6"/><rtept lat="7" lon="8"/></rte>
        <trk><name> one </name><trkseg/><trkseg><trkpt lat="9" lon="10"/></trkseg></trk>
        <trk><extensions><name>not this</name></extensions></trk>
      </gpx>
      """)
    #expect((document.version, document.creator) == ("1.1", "me"))
    #expect((document.name, document.description) == ("A day", "out"))
    #expect(document.time == Date(timeIntervalSince1970: 1_714_550_400))
    let waypoint = try #require(document.waypoints.first)
    #expect(waypoint.name == "A & B")
    #expect((waypoint.description, waypoint.symbol, waypoint.kind) == ("d", "Flag", "photo"))
    #expect(waypoint.link == "https://example.org/a.jpg")
    #expect(waypoint.point.elevation == 3)
    #expect(document.routes.map(\.name) == ["plan"])
    #expect(document.routes[0].segments.map(\.count) == [2])
    #expect(document.tracks.map(\.name) == ["one", nil])
    #expect(document.tracks[0].segments.map(\.count) == [0, 1])
    #expect(document.tracks[1].segments.isEmpty)
    #expect(document.fault == nil)
    #expect(document.failures.isEmpty)
  }

  @Test("a GPX file has the points of a track across the antimeridian, also beyond 360 degrees")
  func beyondTheAntimeridian() throws {
    let longitudes = [
      "-180.096474", "-179.90387", "-541", "363.8", "395.9", "451", "180", "-1e308",
    ]
    let document = try read(
      file(longitudes.map { "<trkpt lat='1' lon='\($0)'/>" }.joined())
        .replacing("</gpx>", with: "<wpt lat='1' lon='-181'/></gpx>"))
    let found = document.tracks[0].segments[0].map(\.coordinate.longitude)
    let expected = [179.903_526, -179.90387, 3.8, 35.9, 180]
    try #require(found.count == expected.count)
    for (longitude, expected) in zip(found, expected) { #expect(abs(longitude - expected) < 1e-9) }
    #expect(document.waypoints.map(\.point.coordinate.longitude) == [179])
    #expect(document.failures.map(\.index) == [2, 5, 7])
    let length = try Coordinate(latitude: 1, longitude: found[0])
      .distance(to: Coordinate(latitude: 1, longitude: found[1]))
    #expect(abs(length.kilometers - 21.4) < 0.1)
  }

  @Test(
    "a GPX file is read under any prefix and namespace, declared or not, and in version 1.0",
    arguments: [
      "<gpx><trk><trkseg><trkpt lat='1' lon='2'><ele>3</ele></trkpt></trkseg></trk></gpx>",
      "<gpx xmlns='urn:other'><trk><trkseg><trkpt lon='2' lat='1'><ele>3</ele></trkpt></trkseg></trk></gpx>",
      "<g:gpx xmlns:g='http://www.topografix.com/GPX/1/0' version='1.0'><g:trk><g:trkseg><g:trkpt lat='1' lon='2'><g:ele> 3.0 </g:ele></g:trkpt></g:trkseg></g:trk></g:gpx>",
      "<g:gpx><g:trk><g:trkseg><g:trkpt lat='1' lon='2'><g:ele>+3</g:ele></g:trkpt></g:trkseg></g:trk></g:gpx>",
      "\u{FEFF}<?xml version='1.0'?><gpx><trk><trkseg><trkpt lat=' 1 ' lon='2.0'><ele>3</ele></trkpt></trkseg></trk></gpx>",
      "<gpx><trk><trkpt lat='1' lon='2'><ele>3</ele></trkpt></trk></gpx>",
    ])
  func prefixes(text: String) throws {
    let document = try read(text)
    let expected = TrackPoint(
      coordinate: try Coordinate(latitude: 1, longitude: 2), elevation: 3)
    #expect(document.tracks == [Track(segments: [[expected]])])
  }

  @Test("a GPX file is read in UTF-16 too")
  func utf16() throws {
    let text = file("<trkpt lat='1' lon='2'><name>산책</name></trkpt>")
    let data = try #require(text.data(using: .utf16))
    #expect(try GPXDocument(data: data).trackPointCount == 1)
  }

  @Test(
    "a GPX file has times of any form; without a zone they are UTC",
    arguments: [
      ("2024-05-01T08:00:00Z", 1_714_550_400.0), ("2024-05-01T17:00:00+09:00", 1_714_550_400),
      ("2024-05-01T08:00:00.250Z", 1_714_550_400.25), ("2024-05-01T08:00:00", 1_714_550_400),
      ("2024-05-01T08:00:00.123456789Z", 1_714_550_400.123_456_7),
      ("<![CDATA[2024-05-01T08:00:00Z]]>", 1_714_550_400),
      ("\n 2024-05-01T08:00:00Z\n", 1_714_550_400), ("1901-12-13T20:45:52Z", -2_147_483_648),
    ])
  func times(text: String, seconds: Double) throws {
    let time = try #require(try point("<time>\(text)</time>").time)
    #expect(abs(time.timeIntervalSince1970 - seconds) < 1e-6)
  }

  @Test("a GPX file keeps a point with an unreadable time or elevation, and reports it")
  func unreadable() throws {
    let document = try read(
      file(
        """
        <trkpt lat='1' lon='2'><ele>high</ele><time>noon</time></trkpt>
        <trkpt lat='1' lon='2'><ele></ele><time/></trkpt>
        <trkpt lat='1' lon='2'><ele>NaN</ele></trkpt>
        """))
    let points = try #require(document.tracks.first?.segments.first)
    #expect(points.count == 3)
    #expect(points.allSatisfy { $0.elevation == nil && $0.time == nil })
    #expect(document.unreadableValues.map(\.index) == [0, 0, 2])
    #expect(document.unreadableValues.map(\.key) == ["ele", "time", "ele"])
    #expect(document.unreadableValues.map(\.excerpt) == ["high", "noon", "NaN"])
  }

  @Test(
    "a GPX file loses only a point with an invalid place, and reports it",
    arguments: [
      "lat='91' lon='2'", "lat='1' lon='451'", "lat='nan' lon='2'", "lat='1'", "lon='2'", "",
      "lat='' lon=''", "lat='1,5' lon='2'", "lat='inf' lon='2'", "lat='0x1' lon='2'",
    ])
  func places(attributes: String) throws {
    let document = try read(
      file(
        "<trkpt lat='1' lon='2'/><trkpt \(attributes)><ele>3</ele></trkpt><trkpt lat='3' lon='4'/>")
    )
    #expect(document.tracks[0].segments.map(\.count) == [2])
    #expect(document.failures.map(\.index) == [1])
    #expect(document.failures.first?.key == "trkpt")
    #expect(document.failures.first?.reason.isEmpty == false)
  }

  @Test("a GPX file has the accuracy of Apple's Health and WalkKit, and ignores other extensions")
  func extensions() throws {
    let apple = try point(
      """
      <ele>9</ele><extensions><speed>1.3</speed><course>101</course><hAcc>1.8</hAcc><vAcc>1.1</vAcc>
      <ele>7</ele><time>2001-01-01T00:00:00Z</time></extensions>
      """)
    #expect(apple.accuracy == .meters(1.8))
    #expect((apple.elevation, apple.time) == (9, nil))
    let own = try point("<extensions><fk:accuracy xmlns:fk='urn:x'>8</fk:accuracy></extensions>")
    #expect(own.accuracy == .meters(8))
    let none = try point("<extensions><hAcc>-1</hAcc></extensions><hdop>2</hdop>")
    #expect(none.accuracy == nil)
    let garmin = try point(
      """
      <extensions><x:TrackPointExtension xmlns:x='urn:tpx'><x:hr>130</x:hr><x:ele>1</x:ele>
      </x:TrackPointExtension></extensions>
      """)
    #expect(garmin == TrackPoint(coordinate: try Coordinate(latitude: 1, longitude: 2)))
  }

  @Test("a GPX file has the first of two elements where GPX allows one, as gpxpy does")
  func twice() throws {
    let document = try read(
      """
      <gpx><wpt lat='1' lon='2'><ele>3</ele><ele>4</ele><time>2024-05-01T08:00:00Z</time>
      <time>2025-05-01T08:00:00Z</time><name>a</name><name>b</name><desc>c</desc><desc>d</desc>
      <sym>e</sym><sym>f</sym><type>g</type><type>h</type><link href='i'/><link href='j'/></wpt>
      <trk><name>k</name><name>l</name><trkseg><trkpt lat='1' lon='2'><time/><time>noon</time>
      <time>2024-05-01T08:00:00Z</time></trkpt></trkseg></trk></gpx>
      """)
    let time = Date(timeIntervalSince1970: 1_714_550_400)
    let place = try Coordinate(latitude: 1, longitude: 2)
    #expect(
      document.waypoints == [
        GPXDocument.Waypoint(
          point: TrackPoint(coordinate: place, elevation: 3, time: time), name: "a",
          description: "c", symbol: "e", kind: "g", link: "i")
      ])
    #expect(document.tracks.map(\.name) == ["k"])
    // Of those that can be read, that is; gpxpy has no time then.
    #expect(document.tracks[0].segments[0].map(\.time) == [time])
    #expect(document.unreadableValues.map(\.excerpt) == ["noon"])
  }

  @Test(
    "a GPX file has the texts in the extensions of tracks and segments, each with its namespace")
  func trackExtensions() throws {
    let document = try read(
      """
      <gpx xmlns='urn:gpx' xmlns:a='urn:a'><extensions><a:no>x</a:no></extensions>
      <trk><a:no>x</a:no><extensions><a:b> c&amp;<![CDATA[<d>]]>
      </a:b><e>f</e><a:g/><a:h><a:no>x</a:no>x</a:h><b xmlns='urn:i'>j</b></extensions>
      <trkseg/><trkseg><extensions><x:k>l</x:k></extensions><trkpt lat='1' lon='2'><extensions>
      <a:no>x</a:no></extensions></trkpt><a:no>x</a:no></trkseg><extensions><a:b>m</a:b></extensions>
      </trk><rte><extensions><a:n>o</a:n></extensions></rte>
      <wpt lat='1' lon='2'><extensions><a:no>x</a:no></extensions></wpt></gpx>
      """)
    #expect(
      document.tracks.map(\.extensions) == [
        [
          Track.Extension("b", namespace: "urn:a", text: "c&<d>"),
          Track.Extension("e", namespace: "urn:gpx", text: "f"),
          Track.Extension("b", namespace: "urn:i", text: "j"),
          Track.Extension("k", namespace: "", text: "l", segment: 1),
          Track.Extension("b", namespace: "urn:a", text: "m"),
        ]
      ])
    #expect(
      document.routes.map(\.extensions) == [[Track.Extension("n", namespace: "urn:a", text: "o")]])
    for count in [9_999, 10_000, 10_001] {
      let texts = String(repeating: "<a>1</a>", count: count)
      let many = try read("<gpx><trk><extensions>\(texts)</extensions></trk></gpx>")
      #expect(many.tracks[0].extensions.count == min(count, 10_000))
    }
  }

  @Test("a GPX file doesn't mistake a point in an extension for one of the track or route")
  func extensionPoints() throws {
    let document = try read(
      """
      <gpx><trk><extensions><x><trkpt lat='8' lon='8'/></x><trkpt lat='7' lon='7'/></extensions>
      <trkseg><extensions><trkpt lat='6' lon='6'/></extensions><trkpt lat='1' lon='2'/></trkseg>
      <trkpt lat='3' lon='4'/></trk>
      <rte><extensions><rtept lat='5' lon='5'/></extensions><rtept lat='9' lon='9'/></rte></gpx>
      """)
    let places = document.tracks[0].segments.map { $0.map(\.coordinate.latitude) }
    #expect(places == [[1], [3]])
    #expect(document.routes[0].segments[0].map(\.coordinate.latitude) == [9])
    #expect(document.failures.isEmpty)
  }

  @Test("a GPX file returns everything before a fault, and reports its position")
  func faults() throws {
    let start = file("<trkpt lat='1' lon='2'/>\n<trkpt lat='3' lon='4'/>")
    for length in start.count - 21..<start.count {
      let cut = try read(String(start.prefix(length)))
      #expect(cut.trackPointCount == 2)
      #expect(cut.fault?.isCut == true)
    }
    let half = try read("<gpx><trk><trkseg><trkpt lat='1' lon='2'/><trkpt lat='3' lon='4'><ele>5")
    #expect(half.tracks.map(\.pointCount) == [1])
    let broken = try read(
      "<gpx><trk><trkseg><trkpt lat='1' lon='2'/>\n</trk><trkpt lat='3' lon='4'/></gpx>")
    #expect(broken.trackPointCount == 1)
    #expect(broken.fault?.line == 2)
    #expect(broken.fault?.isCut == false)
  }

  @Test("a GPX file with only waypoints isn't a failure, and neither is an empty one")
  func sparse() throws {
    let document = try read("<gpx><wpt lat='1' lon='2'/></gpx>")
    #expect((document.waypoints.count, document.tracks.count) == (1, 0))
    #expect(try read("<gpx/>") == GPXDocument(data: Data("<gpx></gpx>".utf8)))
  }

  @Test(
    "a file that isn't GPX is rejected with the reason",
    arguments: [
      ("", FieldError.Code.emptyBody), (" \n", .emptyBody), ("{\"type\":1}", .notData),
      ("hello", .notData), ("<!DOCTYPE html><html><body/></html>", .notData),
      ("<html><head/></html>", .notData), ("<kml><trk/></kml>", .unknownFormat),
      ("<rss><channel/></rss>", .unknownFormat), ("<gpx><trk", .cut), ("<gpx>", .cut),
      ("<gpx><</gpx>", .malformed),
      ("<!DOCTYPE gpx [<!ENTITY a 'x'>]><gpx><name>&a;</name></gpx>", .xmlEntities),
      ("<!DOCTYPE gpx [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><gpx>&a;</gpx>", .xmlEntities),
      (
        """
        <!DOCTYPE gpx [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>
        <gpx><name>&c;</name></gpx>
        """, .xmlEntities
      ),
    ])
  func foreign(text: String, code: FieldError.Code) {
    #expect { try read(text) } throws: { error in
      (error as? FieldError)?.code == code
    }
  }

  @Test("a GPX file is rejected if it exceeds the limits of depth, size, or length")
  func limits() throws {
    let deep = "<gpx>" + String(repeating: "<a>", count: 100_000)
    #expect { try read(deep) } throws: { ($0 as? FieldError)?.code == .xmlLimit }
    let large = Data(repeating: UInt8(ascii: " "), count: 33 << 20)
    #expect { try GPXDocument(data: large) } throws: { ($0 as? FieldError)?.code == .xmlLimit }
    let points = file(String(repeating: "<trkpt lat='1' lon='2'/>", count: 11))
    #expect {
      try GPXDocument(data: Data(points.utf8), limits: .init(pointCount: 10))
    } throws: {
      ($0 as? FieldError)?.code == .xmlLimit
    }
    #expect(try GPXDocument(data: Data(points.utf8), limits: .init(pointCount: 11)).fault == nil)
  }

  @Test("a GPX file of any length is read completely", .heavy, .timeLimit(.minutes(60)))
  func large() throws {
    let one =
      "<trkpt lat='37.5' lon='127.1'><ele>12.5</ele><time>2024-05-01T08:00:00Z</time></trkpt>\n"
    let count = Sample.rounds(12_000_000, 1_200_000, inDebug: 400_000) / one.utf8.count
    #expect(try read(file(String(repeating: one, count: count))).trackPointCount == count)
  }

  @Test("a GPX file never crashes, whatever happens to its bytes", .heavy, .timeLimit(.minutes(60)))
  func mutants() throws {
    let text = file(
      (0..<6).map {
        """
        <trkpt lat="37.\($0)" lon="127.\($0)"><ele>\($0)</ele><time>2024-05-01T08:00:0\($0)Z</time>\
        <name><![CDATA[é]]></name><extensions><hAcc>4</hAcc></extensions></trkpt>
        """
      }.joined())
    let original = Array(text.utf8)
    let pieces = [
      "<", ">", "&", "\"", "]]>", "<!--", "<![CDATA[", "&#0;", "\u{0}", "<trkpt ", "/>",
    ]
    var random = SeededGenerator(seed: Sample.seed())
    var readable = 0
    let count = Sample.rounds(2000, 250)
    for number in 0..<count {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1:
          bytes.removeSubrange(
            place..<min(place + Int.random(in: 1...40, using: &random), bytes.count))
        case 2:
          bytes.insert(
            contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: place)
        default: bytes.insert(contentsOf: bytes[place...].prefix(50), at: place)
        }
        if bytes.isEmpty { bytes = [0x20] }
      }
      do {
        _ = try GPXDocument(data: Data(bytes))
        readable += 1
      } catch {
        #expect(error is FieldError, "mutant \(number)")
      }
    }
    #expect(readable > count / 5)
  }

  @Test("a GPX file is read in capitals too")
  func capitals() throws {
    let text = """
      <GPX VERSION="1.0"><WPT LAT="1" LON="2"><NAME>A</NAME></WPT><Trk><TrkSeg>
      <TrkPt Lat="3" Lon="4"><Ele>5</Ele><Time>2024-05-01T08:00:00Z</Time>
      <Extensions><x:HAcc xmlns:x="u">6</x:HAcc><hAcc>7</hAcc></Extensions></TrkPt></TrkSeg></Trk></GPX>
      """
    let document = try GPXDocument(data: Data(text.utf8))
    #expect(document.version == "1.0")
    #expect(document.waypoints.map(\.name) == ["A"])
    let point = try #require(document.tracks.first?.segments.first?.first)
    #expect(point.elevation == 5 && point.time != nil && point.accuracy == .meters(7))
    #expect(document.fault == nil && document.failures.isEmpty)
  }

  @Test(
    "a GPX file has the points of segments without a track, and reports those where GPX has none")
  func strayPoints() throws {
    let text = """
      <gpx><trkseg><trkpt lat="1" lon="2"/><trkpt lat="3" lon="4"/></trkseg><trkseg>
      <trkpt lat="5" lon="6"/></trkseg><trkpt lat="7" lon="8"/><x><wpt lat="1" lon="1"/></x>
      <extensions><wpt lat="1" lon="1"/></extensions></gpx>
      """
    let document = try GPXDocument(data: Data(text.utf8))
    #expect(document.tracks.map(\.pointCount) == [2, 1])
    #expect(document.failures.map(\.key) == ["trkpt", "wpt"])
    #expect(document.failures.map(\.index) == [3, 4])
  }
}
