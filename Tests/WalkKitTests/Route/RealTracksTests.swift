import FieldCore
import FieldXML
import Foundation
import TestSupport
import Testing
import WalkKit

/// The recorded tracks of ../shared, against what independent programs make of the same bytes.
@Suite("Real tracks", .enabled(if: SharedData.isThere, "the captures of ../shared are not here"))
struct RealTracksTests {
  /// A line of reference.csv, by its columns.
  struct Reference: Sendable, CustomTestStringConvertible {
    let cells: [String: String]

    var file: String { cells["file"] ?? "" }
    var testDescription: String { file }

    func number(_ column: String) -> Double? { cells[column].flatMap(Double.init) }

    /// The references of the files that are there.
    static let all: [Reference] = {
      guard let bytes = try? SharedData.bytes("walk/reference.csv") else { return [] }
      let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      let columns = lines[0].split(separator: ",").map(String.init)
      return lines.dropFirst().map { line in
        let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return Reference(cells: Dictionary(zip(columns, cells)) { first, _ in first })
      }.filter { FileManager.default.fileExists(atPath: SharedData.url("walk/\($0.file)").path) }
    }()

    /// The references that a run tries.
    static let sample = Sample.of(all, 4, inDebug: 2)

    /// The documents that were read before, by their files.
    private static let documents = Lock<[String: GPXDocument]>([:])

    func document() throws -> GPXDocument {
      if let known = Self.documents.withLock({ $0[file] }) { return known }
      let document = try GPXDocument(data: Data(SharedData.bytes("walk/\(file)")))
      Self.documents.withLock { $0[file] = document }
      return document
    }

    func route() throws -> WalkRoute { WalkRoute(tracks: try document().tracks) }
  }

  @Test("real tracks are all read, including at least the ten that may be used freely")
  func presence() {
    #expect(Reference.all.count >= 10)
  }

  @Test("real tracks are read completely", arguments: Reference.sample)
  func counts(reference: Reference) throws {
    let document = try reference.document()
    let points = document.tracks.flatMap { $0.segments.joined() }
    #expect(Double(document.tracks.count) == reference.number("tracks"))
    #expect(Double(document.tracks.flatMap(\.segments).count) == reference.number("segments"))
    #expect(Double(points.count) == reference.number("points"))
    #expect(Double(points.count { $0.time != nil }) == reference.number("with_time"))
    #expect(Double(points.count { $0.elevation != nil }) == reference.number("with_ele"))
    #expect(Double(document.waypoints.count) == reference.number("waypoints"))
    #expect(document.fault == nil)
    #expect(document.failures.isEmpty && document.unreadableValues.isEmpty)
  }

  @Test(
    "real tracks have geographiclib's length, before and after their stored form, to a millionth",
    arguments: Reference.sample)
  func distance(reference: Reference) throws {
    let meters = try #require(reference.number("geodesic_m"))
    let route = try reference.route()
    let stored = try WalkRoute(decoding: route.encoded())
    #expect(abs(route.distance.meters / meters - 1) < 1e-8)
    #expect(abs(route.figures().distance.meters / meters - 1) < 1e-8)
    #expect(abs(stored.distance.meters / meters - 1) < 1e-6)
  }

  @Test(
    "real tracks have gpxpy's elapsed time if their clocks only go forward",
    arguments: Reference.sample)
  func elapsed(reference: Reference) throws {
    let figures = try reference.route().figures()
    guard let seconds = reference.number("elapsed_s") else {
      #expect(figures.elapsedTime == nil)
      return
    }
    let elapsed = try #require(figures.elapsedTime) / .seconds(1)
    if reference.number("dt_negative") == 0 {
      #expect(abs(elapsed - seconds) < 0.0011)
    } else {
      #expect(elapsed >= 0)
    }
  }

  @Test(
    "real tracks have the climb of the reference at each threshold, and none without elevations",
    arguments: Reference.sample,
    [(0.0, "raw_ascent_m"), (3, "hysteresis3_ascent_m"), (10, "hysteresis10_ascent_m")])
  func climb(reference: Reference, threshold: (meters: Double, column: String)) throws {
    let options = TrackMeter.Options(climbThreshold: .meters(threshold.meters))
    let climb = try reference.route().figures(options).climb
    guard reference.number("with_ele") != 0 else {
      #expect(climb == nil)
      return
    }
    let expected = try #require(reference.number(threshold.column))
    #expect(abs(try #require(climb).meters - expected) < 0.001)
  }

  @Test(
    "real tracks move no longer than they last, and not without two times",
    arguments: Reference.sample)
  func moving(reference: Reference) throws {
    let figures = try reference.route().figures()
    guard let moving = figures.movingTime else {
      #expect((reference.number("with_time") ?? 0) <= 1)
      return
    }
    #expect(moving >= .zero)
    #expect(moving <= figures.elapsedTime ?? .zero)
  }

  @Test("real tracks have splits that add up to the whole", arguments: Reference.sample)
  func splits(reference: Reference) throws {
    let figures = try reference.route().figures()
    let sum = figures.splits.reduce(0) { $0 + $1.distance.meters }
    #expect(abs(sum - figures.distance.meters) < 1e-6)
    #expect(figures.splits.count == Int(figures.distance.kilometers.rounded(.up)))
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  @Test("real tracks have the polylines of Python's polyline", arguments: Reference.sample)
  func polylines(reference: Reference) throws {
    struct Lines: Decodable {
      let sha256_precision5: [String]
    }
    let all = try JSONDecoder().decode(
      [String: Lines].self, from: Data(SharedData.bytes("walk/reference-polylines.json")))
    let hashes = try reference.route().polylines().map { line in
      Self.hex(SHA256.digest(of: Array(line.text.utf8)))
    }
    #expect(hashes == all[reference.file]?.sha256_precision5)
  }

  @Test(
    "real tracks keep as many points as GEOS does, except for a few at the edge of the tolerance",
    arguments: Reference.sample, [5.0, 10])
  func simplified(reference: Reference, meters: Double) throws {
    let expected = try #require(reference.number(meters == 5 ? "dp5m_kept" : "dp10m_kept"))
    let kept = Double(try reference.route().simplified(within: .meters(meters)).pointCount)
    #expect(abs(kept - expected) <= max(2, expected * 0.03), "\(kept) for \(expected)")
  }

  @Test(
    "real tracks are read back from GPX and from GeoJSON unchanged", arguments: Reference.sample)
  func formats(reference: Reference) throws {
    let route = try reference.route()
    let again = WalkRoute(tracks: try GPXDocument(data: route.gpx()).tracks)
    #expect(again.segments.map(\.count) == route.segments.map(\.count))
    #expect(again.segments.joined().map(\.coordinate) == route.segments.joined().map(\.coordinate))
    #expect(again.segments.joined().map(\.elevation) == route.segments.joined().map(\.elevation))
    let json = try WalkRoute(geoJSON: route.geoJSON())
    #expect(json.segments == again.segments.filter { $0.count > 1 })
  }

  /// One line a point: latitude, longitude and elevation as Python prints them.
  private static let listing = """
    import sys, gpxpy
    for t in gpxpy.parse(sys.stdin.read()).tracks:
      for s in t.segments:
        for p in s.points: print(p.latitude, p.longitude, p.elevation, p.time and p.time.timestamp())
    """

  private static let hasGPXPy = (try? Tool.run("python3", "-c", "import gpxpy")) != nil

  @Test(
    "real tracks have, written as GPX, the original's points according to gpxpy", .heavy,
    .enabled(if: hasGPXPy, "Python has no gpxpy"), arguments: Reference.sample)
  func gpxpy(reference: Reference) throws {
    let original = try Data(SharedData.bytes("walk/\(reference.file)"))
    let left = try Tool.run("python3", "-c", Self.listing, input: original)
    let right = try Tool.run("python3", "-c", Self.listing, input: reference.route().gpx())
    let (lines, ours) = (left.split(separator: 0x0A), right.split(separator: 0x0A))
    // The times of Mojstrovka have microseconds, and milliseconds after.
    func cells(_ line: Data) -> [String] {
      String(decoding: line, as: UTF8.self).split(separator: " ").map {
        Double($0).map { "\(($0 * 1e9).rounded() / 1e9)" } ?? String($0)
      }
    }
    #expect(lines.count == ours.count)
    for (line, our) in zip(lines, ours) {
      #expect(cells(line).prefix(3) == cells(our).prefix(3))
      let times = (Double(cells(line)[3]), Double(cells(our)[3]))
      #expect((times.0 == nil) == (times.1 == nil))
      #expect(abs((times.0 ?? 0) - (times.1 ?? 0)) < 0.001)
    }
  }

  @Test("real tracks have their oddities flagged, and nothing is lost")
  func review() throws {
    func kinds(_ file: String) throws -> [RouteIssue.Kind: Int]? {
      try Reference.all.first { $0.file == file }?.route().review().counts
    }
    #expect(try kinds("gpxpy-mojstrovka.gpx")?[.implausibleTime] == 184)
    #expect(try kinds("gpxpy-korita-zbevnica.gpx")?[.noTime] == 871 - 513)
    #expect(try kinds("gpxpy-cerknicko-jezero-without-elevations.gpx")?[.noElevation] == 296)
    #expect(try kinds("togeojson-blue-hills.gpx")?[.wrongOrder] == 1)
    #expect(try kinds("togeojson-apple-watch-route.gpx") == [:])
    let repeated = try kinds("coregpx-trackpoint-only.gpx")
    #expect((repeated?[.duplicate] ?? 0) + (repeated?[.repeatedTime] ?? 0) == 127)
  }
}
