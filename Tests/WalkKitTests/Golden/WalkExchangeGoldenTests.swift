import FieldCore
import FieldFakes
import FieldXML
import Foundation
import TestSupport
import Testing
import WalkKit

@Suite("The walks' golden files for other programs", .timeLimit(.minutes(60)))
struct WalkExchangeGoldenTests {
  private static let golden = Golden("walks")
  private static let exchange = Golden("walks-exchange")
  private static let end = Date(timeIntervalSince1970: 1_767_242_800)

  /// Values that a user may store as JSON.
  private struct Values: Codable, Equatable {
    var pets: [Pet]
    var walks: [Walk]
    var places: [Place]
    var route: WalkRoute
    var polyline: EncodedPolyline
    var cursor: WalkPage.Cursor?
    var goal: WeeklyGoal
  }

  private static func values(of diary: WalkDiary) async throws -> Values {
    let page = try await diary.walks(limit: 1)
    let walk = try #require(page.walks.first)
    let route = try await diary.route(of: walk.id)
    return Values(
      pets: try await diary.pets(), walks: try await diary.allWalks(),
      places: try await diary.places(), route: route,
      polyline: EncodedPolyline(route.segments[0].map(\.coordinate)), cursor: page.next,
      goal: try WeeklyGoal(.minutes(150), pet: walk.pets[0].pet))
  }

  private static func export(_ diary: WalkDiary, to folder: URL) async throws {
    let walk = try #require(try await diary.walks().walks.first)
    let route = try await diary.route(of: walk.id)
    let texts: [String: Data] = [
      "archive.json": try await diary.archive().json(),
      "old-app.json": try await diary.export().json(),
      "walk.gpx": try await diary.gpx(of: walk.id), "route.gpx": route.gpx(name: "route"),
      "route.geojson": route.geoJSON(name: "route"),
      "path.svg.txt": Data(route.svgPath(width: 100, height: 100).utf8),
      "values.json": try Golden.json(try await values(of: diary)),
    ]
    for (name, data) in texts { try data.write(to: folder.appending(path: name)) }
  }

  private static func diary(_ folder: TemporaryFolder) -> WalkDiary {
    WalkGoldenTests.diary(folder.url, ManualClock(now: end))
  }

  @Test("the walks' portable files are written", Golden.writing)
  func writing() async throws {
    let source = try TemporaryFolder()
    try await WalkGoldenTests.write(to: source.url)
    try await Self.exchange.replace { try await Self.export(Self.diary(source), to: $0) }
  }

  /// The walks of today's diary, since its random IDs differ from those of the golden one.
  @Test("the walks' portable files are identical today", Golden.reading)
  func sameBytes() async throws {
    let source = try TemporaryFolder()
    try await WalkGoldenTests.write(to: source.url)
    try await Self.exchange.expectSame { try await Self.export(Self.diary(source), to: $0) }
  }

  @Test(
    "the walks' portable files have an archive that another diary imports completely",
    Golden.reading)
  func archive() async throws {
    let archive = try WalkArchive(reading: Self.exchange.bytes("archive.json"))
    #expect(archive.problems.isEmpty && archive.exported == Self.end)
    #expect(archive.attachments.count == 3)
    let folder = try TemporaryFolder()
    let diary = Self.diary(folder)
    let additions = try await diary.add(archive)
    #expect(additions.problems.isEmpty)
    #expect(try await diary.pets().map(\.name) == ["mesh", "토리", "보리"])
    let walk = try #require(try await diary.walks().walks.first)
    #expect(walk == archive.walks.first { $0.id == walk.id })
    #expect(walk.weather == .clear && walk.notes.map(\.text) == ["물"])
    #expect(try await diary.photo(walk.photos[0]) == Data([0xFF, 0xD8, 0xFF, 3]))
    #expect(try await diary.route(of: walk.id).segments.map(\.count) == [10, 11])
    #expect(try await diary.portrait(of: diary.pets()[0].id) == Data([0xFF, 0xD8, 0xFF, 0xE0, 1]))
    #expect(try await diary.places().map(\.name) == ["공원", "집"])
    try await diary.close()
  }

  @Test("the walks' portable files have a document of the old app", Golden.reading)
  func oldApp() throws {
    let old = try WalkImport(
      reading: Self.exchange.bytes("old-app.json"), clock: ManualClock(now: Self.end))
    #expect(Set(old.pets.map(\.name)) == ["mesh", "토리", "보리"])
    #expect(old.pets.first?.breed == .welshCorgi && old.unknownKeys.isEmpty)
    #expect(old.walks.contains { $0.weather == .clear && $0.duration == .seconds(168) })
  }

  @Test("the walks' portable files have tracks with the extensions", Golden.reading)
  func tracks() throws {
    let gpx = try GPXDocument(data: Self.exchange.bytes("walk.gpx"))
    #expect(gpx.tracks.first?.segments.map(\.count) == [10, 11])
    #expect(gpx.tracks.first?.segments[1].last?.coordinate.latitude == 37.502)
    #expect(gpx.waypoints.map(\.kind) == ["photo", "water"])
    #expect(gpx.waypoints.last?.name == "물" && gpx.failures.isEmpty)
    let text = String(decoding: try Self.exchange.bytes("walk.gpx"), as: UTF8.self)
    #expect(text.contains("urn:fieldkit:gpx:1"))
    #expect(text.contains("<fk:accuracy>5.5</fk:accuracy>") && text.contains("<fk:dust>good"))
    let plain = try GPXDocument(data: Self.exchange.bytes("route.gpx"))
    #expect(plain.trackPointCount == 21)
    let values = try JSONDecoder().decode(Values.self, from: Self.exchange.bytes("values.json"))
    #expect(try WalkRoute(geoJSON: Self.exchange.bytes("route.geojson")) == values.route)
  }

  @Test(
    "the walks' portable files equal the golden diary, except for its random IDs",
    Golden.reading)
  func values() async throws {
    let folder = try Self.golden.copy()
    let diary = Self.diary(folder)
    let stored = try await Self.values(of: diary)
    let read = try JSONDecoder().decode(Values.self, from: Self.exchange.bytes("values.json"))
    #expect(read.pets == stored.pets && read.places == stored.places)
    #expect(read.route == stored.route && read.polyline == stored.polyline)
    #expect(read.goal == stored.goal)
    #expect(read.walks.map(\.start) == stored.walks.map(\.start))
    #expect(read.walks[0].notes == stored.walks[0].notes)
    #expect(read.walks[0].pets == stored.walks[0].pets)
    #expect(try read.cursor?.position.start == stored.walks[0].start)
    try await diary.close()
  }
}
