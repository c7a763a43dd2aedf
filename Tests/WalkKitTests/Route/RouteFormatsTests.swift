import FieldCore
import FieldXML
import Foundation
import TestSupport
import Testing
import WalkKit

@Suite("A route for other programs")
struct RouteFormatsTests {
  private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

  /// The points as a file can hold them: longitudes below 180, times to the millisecond.
  private func written(_ segments: [[TrackPoint]]) -> [[TrackPoint]] {
    segments.map { segment in
      segment.map { point in
        var point = point
        point.coordinate = point.coordinate.normalized
        point.time = point.time.map {
          // As the parser makes a date of seconds and a fraction.
          let milliseconds = ($0.timeIntervalSince1970 * 1000).rounded()
          let second = (milliseconds / 1000).rounded(.down)
          return Date(
            timeIntervalSinceReferenceDate: second - 978_307_200
              + (milliseconds - second * 1000) / 1000)
        }
        return point
      }
    }
  }

  // MARK: GPX

  @Test("a route is GPX 1.1 with its elements in the order of the schema")
  func gpx() throws {
    let photo = GPXDetails.Waypoint(
      coordinate: try Coordinate(latitude: 37.5, longitude: 127), elevation: 12,
      time: TrackSamples.start, name: "a <dog> & \"co\"", description: "]]>",
      link: URL(string: "https://example.org/a.jpg?b=1&c=2"), kind: "photo")
    let details = GPXDetails(
      name: "산책", description: "out", created: TrackSamples.start, pets: ["토리", "mesh"],
      weather: "clear", dust: "good", segmentStarts: [.start, .resumed], waypoints: [photo])
    let route = WalkRoute(segments: [
      [try TrackSamples.point(0.25, north: 0, elevation: -0.000_05, accuracy: 8)],
      [try TrackSamples.point(nil, north: 0)],
    ])
    #expect(
      text(route.gpx(details)) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="FieldKit" xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:fk="urn:fieldkit:gpx:1">
        <metadata><name>산책</name><desc>out</desc><time>2023-11-14T22:13:20Z</time>\
        <bounds minlat="37.5" minlon="127" maxlat="37.5" maxlon="127"/></metadata>
        <wpt lat="37.5" lon="127"><ele>12</ele><time>2023-11-14T22:13:20Z</time>\
        <name>a &lt;dog&gt; &amp; &quot;co&quot;</name><desc>]]&gt;</desc>\
        <link href="https://example.org/a.jpg?b=1&amp;c=2"/><type>photo</type></wpt>
        <trk><name>산책</name><desc>out</desc><extensions><fk:pet>토리</fk:pet><fk:pet>mesh</fk:pet>\
        <fk:weather>clear</fk:weather><fk:dust>good</fk:dust></extensions>
        <trkseg>
        <trkpt lat="37.5" lon="127"><ele>-0.00005</ele><time>2023-11-14T22:13:20.250Z</time>\
        <extensions><fk:accuracy>8</fk:accuracy></extensions></trkpt>
        <extensions><fk:start>start</fk:start></extensions></trkseg>
        <trkseg>
        <trkpt lat="37.5" lon="127"></trkpt>
        <extensions><fk:start>resumed</fk:start></extensions></trkseg>
        </trk>
        </gpx>

        """)
  }

  @Test(
    "a route is read back from GPX unchanged, to the last bit of every number",
    arguments: 1...20 as ClosedRange<UInt64>)
  func gpxRoundTrip(seed: UInt64) throws {
    var route = WalkRoute(segments: try TrackSamples.wild(seed: seed))
    if seed == 1 { route.segments = [] }
    let document = try GPXDocument(data: route.gpx(name: "\(seed)"))
    #expect(document.tracks.map(\.name) == ["\(seed)"])
    #expect(WalkRoute(tracks: document.tracks).segments == written(route.segments), "seed \(seed)")
    #expect(document.fault == nil)
    #expect(document.failures.isEmpty)
  }

  @Test("a route omits characters that XML can't contain")
  func controlCharacters() throws {
    let name = "a\u{0}\u{1B}\u{FFFE}b\tc\nd\r]]>é🐕"
    let document = try GPXDocument(data: WalkRoute().gpx(name: name))
    #expect(document.name == "ab\tc\nd\r]]>é🐕")
    #expect(document.fault == nil)
  }

  @Test("a route writes neither bounds across the antimeridian nor times beyond the years of XML")
  func gpxLimits() throws {
    var points = try [179.9, -179.9].map {
      TrackPoint(coordinate: try Coordinate(latitude: 1, longitude: $0))
    }
    points[0].time = .distantPast.addingTimeInterval(-1e6)
    points[1].time = Date(timeIntervalSince1970: 1e15)
    let gpx = text(WalkRoute(segments: [points]).gpx())
    #expect(!gpx.contains("<bounds"))
    #expect(!gpx.contains("<time"))
  }

  // MARK: GeoJSON

  @Test("a route is a GeoJSON feature, with its times beside the positions")
  func geoJSON() throws {
    let route = WalkRoute(segments: [
      [
        try TrackSamples.point(0, north: 0, elevation: 1.5),
        TrackPoint(coordinate: try Coordinate(latitude: 37.25, longitude: 354.5)),
      ]
    ])
    #expect(
      text(route.geoJSON(name: "x")) == """
        {"geometry":{"coordinates":[[[127,37.5,1.5],[-5.5,37.25]]],"type":"MultiLineString"},\
        "properties":{"coordinateProperties":{"times":[["2023-11-14T22:13:20.000Z",null]]},\
        "name":"x"},"type":"Feature"}
        """)
  }

  @Test("a route is read back from GeoJSON unchanged", arguments: 1...20 as ClosedRange<UInt64>)
  func geoJSONRoundTrip(seed: UInt64) throws {
    let route = WalkRoute(segments: try TrackSamples.wild(seed: seed))
    let copy = try WalkRoute(geoJSON: route.geoJSON())
    #expect(copy.segments == written(route.segments.filter { $0.count > 1 }), "seed \(seed)")
  }

  @Test("a route has no line in GeoJSON for a single point")
  func geoJSONPoint() throws {
    let points = try [0.0, 10].map { try TrackSamples.point(nil, north: $0) }
    let json = WalkRoute(segments: [[points[0]], points]).geoJSON()
    #expect(try WalkRoute(geoJSON: json).segments.map(\.count) == [2])
  }

  @Test("a route is split if the way across the antimeridian is shorter", arguments: [90.0, 90.5])
  func halfAround(east: Double) throws {
    let points = try [-90, east].map {
      TrackPoint(coordinate: try Coordinate(latitude: 0, longitude: $0))
    }
    let json = text(WalkRoute(segments: [points]).geoJSON())
    #expect(json.contains("[[[-90,0],[90,0]]]") == (east == 90))
    #expect(json.contains("-180") == (east > 90))
  }

  @Test("a route is split at the antimeridian in both directions, and joined again")
  func antimeridian() throws {
    let points = try [(10.0, 179.0), (20.0, -179.0), (20.0, 180.0), (20.0, -180.0), (22, 178)].map {
      TrackPoint(coordinate: try Coordinate(latitude: $0.0, longitude: $0.1))
    }
    let route = WalkRoute(segments: [points])
    let json = text(route.geoJSON())
    #expect(json.contains("[[179,10],[180,15]],[[-180,15],[-179,20],[-180,20],[-180,20]"))
    let copy = try WalkRoute(geoJSON: Data(json.utf8))
    #expect(copy.segments.count == 1)
    #expect(copy.segments[0].map(\.coordinate) == points.map(\.coordinate.normalized))
  }

  @Test(
    "a route is read from bare lines, features, and collections",
    arguments: [
      (#"{"type":"LineString","coordinates":[[1,2],[3,4,5]]}"#, [2]),
      (#"{"type":"MultiLineString","coordinates":[[[1,2]],[[3,4]]]}"#, [1, 1]),
      (
        #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":null,"geometry":{"type":"Point","coordinates":[1,2]}},{"type":"Feature","properties":{"name":"x"},"geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}}]}"#,
        [2]
      ),
      (
        #"{"type":"GeometryCollection","geometries":[{"type":"LineString","coordinates":[[1,2],[3,4]]},{"type":"LineString","coordinates":[[5,6],[7,8]]}]}"#,
        [2, 2]
      ),
      (#"{"type":"MultiLineString","coordinates":[]}"#, []),
      (
        #"{"type":"MultiLineString","coordinates":[[[179,2],[180,2]],[[-180,2],[-179,3]]]}"#, [2]
      ),
      (#"{"type":"MultiLineString","coordinates":[[[180,2]],[[-180,2],[-179,3]]]}"#, [1, 2]),
    ] as [(String, [Int])])
  func geoJSONForms(text: String, counts: [Int]) throws {
    #expect(try WalkRoute(geoJSON: Data(text.utf8)).segments.map(\.count) == counts)
  }

  @Test("a route has the times of older files, and loses only invalid positions")
  func geoJSONTolerance() throws {
    let file = try GeoJSONRoute(
      Data(
        """
        {"type":"Feature","properties":{"name":"n","coordTimes":["2024-05-01T17:00:00+09:00",7,null]},
        "geometry":{"type":"LineString","coordinates":[[-190,2],[1],["a",2],[500,1],[3,4,"9"],null]}}
        """.utf8))
    let points = try #require(file.route.segments.first)
    #expect(points.map(\.coordinate.longitude) == [170, 3])
    #expect(points[0].time == Date(timeIntervalSince1970: 1_714_550_400))
    #expect(points[1].elevation == 9)
    #expect(file.name == "n")
    #expect(file.failures.map(\.index) == [1, 2, 3, 5])
  }

  private static let moment = Date(timeIntervalSince1970: 1_714_550_400)

  @Test(
    "a route has the times of GeoJSON under each name, as text, seconds, or milliseconds",
    arguments: [
      #""properties":{"times":["2024-05-01T08:00:00Z",null]}"#,
      #""properties":{"coordTimes":["2024-05-01T17:00:00+09:00",null]}"#,
      #""properties":{"times":[1714550400,null]}"#,
      #""properties":{"coordTimes":[1714550400000,null]}"#,
      #""properties":{"coordTimes":["1714550400",null]}"#,
      #""properties":{"coordTimes":[["2024-05-01T08:00:00Z",null]]}"#,
      #""properties":{"coordinateProperties":{"times":[1714550400.0,null]}}"#,
      #""properties":{"times":7,"coordTimes":[1.7145504e9]}"#,
    ])
  func geoJSONTimes(properties: String) throws {
    let text = #"{"type":"Feature",\#(properties),"geometry":{"type":"LineString",\#(Self.line)}}"#
    let file = try GeoJSONRoute(Data(text.utf8))
    #expect(file.route.segments.map { $0.map(\.time) } == [[Self.moment, nil]])
    #expect(file.failures.isEmpty)
  }

  private static let line = #""coordinates":[[1,2],[3,4]]"#

  @Test(
    "a route has the times of each line of GeoJSON, whether they are by line or in one list",
    arguments: ["[[null,1714550400],[1714550401000]]", "[null,1714550400,1714550401]"],
    [
      #"{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[[5,6]]]}"#,
      #"{"type":"GeometryCollection","geometries":[{"type":"LineString","coordinates":[[1,2],[3,4]]},{"type":"LineString","coordinates":[[5,6]]}]}"#,
    ])
  func geoJSONTimesOfLines(times: String, geometry: String) throws {
    let text = #"{"type":"Feature","properties":{"times":\#(times)},"geometry":\#(geometry)}"#
    let route = try WalkRoute(geoJSON: Data(text.utf8))
    #expect(
      route.segments.map { $0.map(\.time) } == [[nil, Self.moment], [Self.moment + 1]])
  }

  @Test("a route reports the times of GeoJSON that can't be read, and has their positions")
  func geoJSONBadTimes() throws {
    let text =
      #"{"type":"LineString","coordTimes":["soon",1e300],"coordinates":[[1,2],[3,4]]}"#
    let file = try GeoJSONRoute(Data(text.utf8))
    #expect(file.route.segments.map { $0.map(\.time) } == [[nil, nil]])
    #expect(file.failures.map(\.index) == [0, 1])
    #expect(file.failures.map(\.key) == ["times", "times"])
  }

  @Test("a route continues across the antimeridian in GeoJSON with longitudes beyond 180 and 360")
  func geoJSONBeyond() throws {
    let text = #"{"type":"LineString","coordinates":[[-179.9,0],[-180.096474,0],[363.8,0]]}"#
    let points = try WalkRoute(geoJSON: Data(text.utf8)).segments[0]
    for (point, longitude) in zip(points, [-179.9, 179.903_526, 3.8]) {
      #expect(abs(point.coordinate.longitude - longitude) < 1e-9)
    }
  }

  @Test("a route has no empty segment for an invalid line, and reports it")
  func geoJSONNoLine() throws {
    let file = try GeoJSONRoute(
      Data(
        """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","geometry":{"type":"LineString","coordinates":null}},
        {"type":"Feature","geometry":{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],7]}}]}
        """.utf8))
    #expect(file.route.segments.map(\.count) == [2])
    #expect(file.failures.map(\.index) == [0, 2])
  }

  @Test(
    "a route is rejected as GeoJSON with the reason",
    arguments: [
      ("", FieldError.Code.emptyBody), ("<html></html>", .notData), ("{\"type\":", .cut),
      ("{\"type\":\"Feature\"}", .unknownFormat), ("[]", .unknownFormat), ("7", .unknownFormat),
      (#"{"type":"Point","coordinates":[1,2]}"#, .unknownFormat),
      (#"{"type":"LineString"}"#, .unknownFormat),
      (#"{"type":"LineString","coordinates":null}"#, .unknownFormat),
      (#"{"type":"MultiLineString","coordinates":{}}"#, .unknownFormat),
    ])
  func foreign(text: String, code: FieldError.Code) {
    #expect { try WalkRoute(geoJSON: Data(text.utf8)) } throws: {
      ($0 as? FieldError)?.code == code
    }
  }

  @Test("a route is one polyline per segment")
  func polylines() throws {
    let walk = try TrackSamples.walk(count: 20, seed: 8)
    let lines = WalkRoute(segments: [walk, []]).polylines(precision: .six)
    #expect(lines.map(\.precision) == [.six, .six])
    #expect(try lines.map { try $0.coordinates().count } == [20, 0])
    #expect(lines[0] == EncodedPolyline(walk.map(\.coordinate), precision: .six))
  }

  @Test("a route is drawn north up and to scale, a line per segment, within its rectangle")
  func svg() throws {
    let points = try [(0.0, 0.0), (0, 100), (50, 100)].map {
      try TrackSamples.point(nil, north: $0.0, east: $0.1)
    }
    let route = WalkRoute(segments: [points, [], [points[0]]])
    #expect(
      route.svgPath(width: 216, height: 216)
        == "M8.0 158.0L208.0 158.0L208.0 58.0M8.0 158.0L8.0 158.0")
    #expect(
      WalkRoute(segments: [[points[0]]]).svgPath(width: 100, height: 50) == "M50.0 25.0L50.0 25.0")
    #expect(WalkRoute().svgPath(width: 100, height: 50).isEmpty)
    #expect(route.svgPath(width: 17, height: .nan).isEmpty)
    #expect(route.svgPath(width: 16, height: 216).isEmpty)
    #expect(route.svgPath(width: 216, height: 16).isEmpty)
    #expect(!route.svgPath(width: 17, height: 17).isEmpty)
  }

  @Test("a route is drawn across the antimeridian in one piece")
  func svgAcross() throws {
    let points = try [179.5, -179.5].map {
      TrackPoint(coordinate: try Coordinate(latitude: 0, longitude: $0))
    }
    #expect(
      WalkRoute(segments: [points]).svgPath(width: 110, height: 30, margin: 5)
        == "M5.0 15.0L105.0 15.0")
  }
}
