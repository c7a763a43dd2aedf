import FieldCore
import FieldXML
import Foundation
import TestSupport
import Testing

@testable import WalkKit

@Suite("A walk that another program has written as GPX")
struct GPXExchangeTests {
  /// What a program does to a file that it reads and writes again.
  enum Rewriting: CaseIterable {
    case prefixes, namespaces, indentation, quotes, order, references, times, data, lostNamespace

    func apply(to text: String) -> String {
      switch self {
      case .prefixes: text.replacing("fk:", with: "a-1:").replacing("xmlns:fk", with: "xmlns:a-1")
      case .namespaces:
        // GPX has a prefix, and each of our own elements declares its namespace.
        text.replacing(" xmlns:fk=\"urn:fieldkit:gpx:1\"", with: "")
          .replacing(/<fk:([a-z]+)/) { "<\($0.1) xmlns=\"urn:fieldkit:gpx:1\"" }
          .replacing(/<(\/?)([a-z]+)(?=[ >\/])(?! xmlns="urn)/) { "<\($0.1)g:\($0.2)" }
          .replacing(/<\/(?:g|fk):(pet|weather|dust|start|accuracy)>/) { "</\($0.1)>" }
          .replacing("xmlns=\"http", with: "xmlns:g=\"http")
      case .indentation: text.replacing("><", with: ">\r\n\t  <").replacing("/>", with: "\n/>")
      case .quotes: text.replacing("\"", with: "'")
      case .order:
        text.replacing(/(lat="[^"]*") (lon="[^"]*")/) { "\($0.2) \($0.1)" }
          .replacing(/(<ele>[^<]*<\/ele>)(<time>[^<]*<\/time>)/) { "\($0.2)\($0.1)" }
          .replacing(/(<fk:weather>.*<\/fk:weather>)(<fk:dust>.*<\/fk:dust>)/) { "\($0.2)\($0.1)" }
          .replacing(/(?s)(<metadata>.*?<\/metadata>\n)(.*)(<\/gpx>)/) { "\($0.2)\($0.1)\($0.3)" }
          .replacing(
            /(?s)(<name>[^<]*<\/name><desc>[^<]*<\/desc><extensions><fk:pet>.*?<\/extensions>)(.*)(<\/trk>)/
          ) {
            "\($0.2)\($0.1)\($0.3)"
          }
          .replacing(/(?s)(<trkseg>)((?:(?!<trkseg>).)*?)(<extensions><fk:start>.*?<\/extensions>)/)
        {
          "\($0.1)\($0.3)\($0.2)"
        }
      case .references:
        text.unicodeScalars.map { $0.isASCII ? String($0) : "&#x\(String($0.value, radix: 16));" }
          .joined()
      case .times:
        text.replacing(/(\.[0-9]{3})?Z<\/time>/) { "\($0.1 ?? ".000")000+00:00</time>" }
      case .data:
        text.replacing(/(<fk:(?:pet|dust)>)([^<&]*)</) { "\($0.1)\n  <![CDATA[\($0.2)]]> <" }
      case .lostNamespace: text.replacing(" xmlns:fk=\"urn:fieldkit:gpx:1\"", with: "")
      }
    }
  }

  /// A walk with all that a file can have, stored in a diary.
  private static func bench() async throws -> (bench: DiaryBench, walk: Walk, route: WalkRoute) {
    let bench = DiaryBench()
    var pets: [Pet] = []
    for name in ["토리", "Bo & \"Co\" <3>"] {
      pets.append(try await bench.diary.register(DiaryBench.form(name)))
    }
    var finished = try await bench.finished("w", of: pets)
    let samples = try TrackSamples.walk(count: 1_500, seed: 5).enumerated()
      .filter { $0.offset.isMultiple(of: 5) }.map(\.element)
    // As the diary gives it back, to the centimetre.
    finished.route = try WalkRoute(
      decoding: WalkRoute(segments: [Array(samples[..<180]), [], Array(samples[192...])]).encoded())
    finished.walk.start = try #require(finished.route.start?.time)
    finished.walk.end = try #require(finished.route.end?.time)
    finished.walk.distance = finished.route.distance
    finished.walk.weather = .rain
    finished.walk.dust = .veryBad
    finished.walk.notes = [
      WalkNote(
        .water, text: "물 & 'x'", time: finished.walk.start + 1.25,
        coordinate: samples[1].coordinate)
    ]
    let walk = try await bench.diary.core.save(finished)
    return (bench, walk, finished.route)
  }

  /// What a file says of a walk, found in the diary that has its pets.
  private func expectSame(
    _ file: Data, as walk: Walk, _ route: WalkRoute, in diary: WalkDiary,
    isFaultless: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let document = try GPXDocument(data: file)
    #expect(document.tracks.count == 1, sourceLocation: sourceLocation)
    let track = try #require(document.tracks.first)
    let details = GPXDetails(track: track)
    let pets = try await diary.pets()
    let read = WalkRoute(track: track)
    var copy = walk
    copy.pets = details.pets.compactMap { name in
      pets.first { $0.name == name }.map { .init(pet: $0.id, joined: walk.pets[0].joined) }
    }
    copy.weather = details.weather.map(WalkWeather.init(rawValue:))
    copy.dust = details.dust.map(DustGrade.init(rawValue:))
    copy.start = try #require(read.start?.time)
    copy.end = try #require(read.end?.time)
    copy.distance = read.distance
    copy.notes = document.waypoints.map {
      WalkNote(
        .init(rawValue: $0.kind ?? ""), text: $0.name ?? "", time: $0.point.time ?? .distantPast,
        coordinate: $0.point.coordinate)
    }
    #expect(copy == walk, sourceLocation: sourceLocation)
    let isSameRoute = read == route  // not to print thousands of points
    #expect(isSameRoute, sourceLocation: sourceLocation)
    #expect(read.figures().splits == route.figures().splits, sourceLocation: sourceLocation)
    #expect(read.figures().splits.count > 1, sourceLocation: sourceLocation)
    #expect((document.fault == nil) == isFaultless, sourceLocation: sourceLocation)
  }

  @Test("a walk from GPX is read unchanged", arguments: Sample.of(Rewriting.allCases, 3))
  func rewritten(rewriting: Rewriting) async throws {
    let (bench, walk, route) = try await Self.bench()
    let file = try await bench.diary.gpx(of: walk.id)
    try await expectSame(file, as: walk, route, in: bench.diary)
    let text = rewriting.apply(to: String(decoding: file, as: UTF8.self))
    #expect(Data(text.utf8) != file)
    try await expectSame(Data(text.utf8), as: walk, route, in: bench.diary)
  }

  @Test("a walk from GPX is read after passing through several programs")
  func rewrittenOften() async throws {
    let (bench, walk, route) = try await Self.bench()
    var text = String(decoding: try await bench.diary.gpx(of: walk.id), as: UTF8.self)
    for rewriting in [.times, .order, .references, .data, .namespaces, .indentation, .quotes]
      as [Rewriting]
    {
      text = rewriting.apply(to: text)
      try await expectSame(Data(text.utf8), as: walk, route, in: bench.diary)
    }
  }

  @Test(
    "a walk from GPX is read after passing through Python's XML modules",
    .enabled(if: Tool.isThere("python3")),
    arguments: [
      "import sys, xml.etree.ElementTree as t; t.ElementTree(t.fromstring(sys.stdin.buffer.read())).write(sys.stdout.buffer)",
      "import sys, xml.etree.ElementTree as t; e = t.fromstring(sys.stdin.buffer.read()); t.indent(e); t.ElementTree(e).write(sys.stdout.buffer, 'utf-16')",
      "import sys, xml.dom.minidom as m; sys.stdout.buffer.write(m.parseString(sys.stdin.buffer.read()).toprettyxml(encoding='utf-8'))",
    ])
  func python(program: String) async throws {
    let (bench, walk, route) = try await Self.bench()
    let file = try Tool.run(
      "python3", "-c", program, input: try await bench.diary.gpx(of: walk.id))
    try await expectSame(file, as: walk, route, in: bench.diary)
  }

  @Test(
    "a walk from GPX is read after Python's gpxpy, which doesn't escape extensions",
    .enabled(if: (try? Tool.run("python3", "-c", "import gpxpy")) != nil, "Python has no gpxpy"))
  func gpxpy() async throws {
    let (bench, walk, route) = try await Self.bench()
    let program = "import sys, gpxpy; print(gpxpy.parse(sys.stdin).to_xml())"
    let file = try Tool.run(
      "python3", "-c", program, input: try await bench.diary.gpx(of: walk.id))
    try await expectSame(file, as: walk, route, in: bench.diary, isFaultless: false)
  }

  @Test("a walk from GPX has its details, including the starts of its segments")
  func details() throws {
    let details = GPXDetails(
      name: "산책", pets: ["b", "a", "b"], weather: "clear", dust: "good",
      segmentStarts: [.start, .resumed, .gap])
    let route = WalkRoute(segments: [[], [try TrackSamples.point(0, north: 0)], []])
    for rewriting in Rewriting.allCases {
      let text = rewriting.apply(to: String(decoding: route.gpx(details), as: UTF8.self))
      let track = try #require(try GPXDocument(data: Data(text.utf8)).tracks.first)
      #expect(GPXDetails(track: track) == details, "\(rewriting)")
      #expect(WalkRoute(track: track) == route, "\(rewriting)")
    }
  }

  @Test(
    "a walk from GPX has nothing of other namespaces, and starts up to the first segment without")
  func foreign() throws {
    func element(_ name: String, _ namespace: String, segment: Int? = nil) -> Track.Extension {
      Track.Extension(name, namespace: namespace, text: "x", segment: segment)
    }
    let own = GPXDetails.namespace
    let track = Track(
      segments: [[], [], []],
      extensions: [
        element("pet", "urn:x"), element("weather", "http://www.topografix.com/GPX/1/1"),
        element("dust", own, segment: 0), element("start", own), element("start", own, segment: 0),
        element("start", own, segment: 2), element("Pet", own),
      ])
    #expect(
      GPXDetails(track: track)
        == GPXDetails(segmentStarts: [GPXDetails.SegmentStart(rawValue: "x")]))
    #expect(GPXDetails(track: Track(name: "n", segments: [])) == GPXDetails(name: "n"))
  }
}
