import FieldCore
import FieldXML
import Foundation
import TestSupport
import Testing

/// Made-up files of many forms, against Python's gpxpy where it is installed.
@Suite("A GPX file compared with Python's gpxpy")
struct GPXPeerTests {
  private static let hasGPXPy = (try? Tool.run("python3", "-c", "import gpxpy")) != nil

  /// What gpxpy finds: latitude, longitude, elevation and time of each point.
  private struct Answer: Decodable {
    var tracks: [[[[Double?]]]]
    var routes: [[[Double?]]]
    var waypoints: [[Double?]]
  }

  /// A file by chance. It has no prefixes, which gpxpy does not read.
  private struct Maker {
    var chance: SeededGenerator
    private var text = ""

    init(seed: UInt64) { chance = SeededGenerator(seed: seed) }

    private mutating func one(of texts: String...) -> String {
      texts.randomElement(using: &chance) ?? ""
    }

    private mutating func point(_ name: String) {
      let latitude = Double.random(in: -90...90, using: &chance)
      let longitude = one(
        of: "\(Double.random(in: -180...180, using: &chance))", "1e-05", "+12.5", " 7 ", "-0", ".5")
      text += one(
        of: "<\(name) lat=\"\(latitude)\" lon='\(longitude)'>",
        "<\(name)\n\tlon='\(longitude)' lat='\(latitude)' >")
      text += one(
        of: "", "<ele>12.25</ele>", "<ele> -3e1 </ele>", "<ele><![CDATA[5.5]]></ele>",
        "<ele>&#49;7</ele>")
      text += one(
        of: "", "<time>2020-02-29T23:59:59Z</time>", "<time>2020-01-01T00:00:00.125Z</time>",
        "<time>2020-01-01T00:00:00+09:00</time>", "<time>2020-01-01T00:00:00-03:30</time>",
        "<time>1901-12-13T20:45:52Z</time>", "<time>2020-01-01T00:00:00</time>")
      text += one(
        of: "", "<!-- <ele>1</ele> -->",
        "<extensions><x:hr>7</x:hr><x:\(name) lat='1' lon='1'><x:ele>1</x:ele></x:\(name)></extensions>"
      )
      text += "</\(name)>\r\n"
    }

    private mutating func points(_ name: String, upTo count: Int) {
      for _ in 0..<Int.random(in: 0...count, using: &chance) { point(name) }
    }

    mutating func file() -> String {
      let version = one(of: "0", "1")
      text = one(of: "", "<?xml version='1.0' encoding='utf-8'?>\r\n")
      text += "<gpx version='1.\(version)' creator='t' xmlns:x='urn:x'"
      text += one(of: ">", " xmlns='http://www.topografix.com/GPX/1/\(version)'>")
      points("wpt", upTo: 3)
      for _ in 0..<Int.random(in: 0...2, using: &chance) {
        text += "<rte>"
        points("rtept", upTo: 4)
        text += "</rte>"
      }
      for _ in 0..<Int.random(in: 0...3, using: &chance) {
        text += "<trk>"
        text += one(
          of: "", "<name>t</name>", "<extensions><x:trkpt lat='1' lon='1'/></extensions>")
        for _ in 0..<Int.random(in: 0...3, using: &chance) {
          text += "<trkseg>"
          points("trkpt", upTo: 5)
          text += "</trkseg>"
        }
        text += "</trk>"
      }
      return text + "</gpx>\n"
    }
  }

  private func values(_ points: [TrackPoint]) -> [[Double?]] {
    points.map {
      [
        $0.coordinate.latitude, $0.coordinate.longitude, $0.elevation,
        $0.time.map { ($0.timeIntervalSince1970 * 1_000).rounded() },
      ]
    }
  }

  @Test(
    "a GPX file has the points that gpxpy finds, bit for bit", .heavy,
    .enabled(if: hasGPXPy, "Python has no gpxpy"), arguments: Sample.of([1, 2] as [UInt64], 1))
  func points(seed: UInt64) throws {
    let program = """
      import sys, json, gpxpy
      from datetime import timezone
      def read(p):
        t = p.time
        if t is not None and t.tzinfo is None: t = t.replace(tzinfo=timezone.utc)
        return [p.latitude, p.longitude, p.elevation, None if t is None else round(t.timestamp() * 1000)]
      files = []
      for text in json.load(sys.stdin):
        g = gpxpy.parse(text)
        files.append({
          "tracks": [[[read(p) for p in s.points] for s in t.segments] for t in g.tracks],
          "routes": [[read(p) for p in r.points] for r in g.routes],
          "waypoints": [read(p) for p in g.waypoints]})
      print(json.dumps(files))
      """
    var maker = Maker(seed: seed)
    let files = (0..<100).map { _ in maker.file() }
    let output = try Tool.run("python3", "-c", program, input: try JSONEncoder().encode(files))
    let answers = try JSONDecoder().decode([Answer].self, from: output)
    #expect(answers.count == files.count)
    for (file, answer) in zip(files, answers) {
      let document = try GPXDocument(data: Data(file.utf8))
      let context: Comment = "seed \(seed): \(file)"
      #expect(document.tracks.map { $0.segments.map(values) } == answer.tracks, context)
      #expect(document.routes.map { $0.segments.flatMap(values) } == answer.routes, context)
      #expect(values(document.waypoints.map(\.point)) == answer.waypoints, context)
      #expect(document.failures.isEmpty && document.fault == nil, context)
    }
  }
}
