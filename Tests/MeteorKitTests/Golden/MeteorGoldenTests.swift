import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import MeteorKit
import TestSupport
import Testing

@Suite("The meteorites' golden files", .timeLimit(.minutes(60)))
struct MeteorGoldenTests {
  private static let golden = Golden("meteorites")
  private static let exchange = Golden("meteorites-exchange")
  private static let first = Date(timeIntervalSince1970: 1_767_225_600)
  private static let second = first + 90_000
  private static let source = TestSupport.address("https://meteorites.example/rows.json")

  // MARK: Writing

  /// Two downloads, between which a meteorite changed, one disappeared, and one was added.
  private static func write(to folder: URL) async throws {
    let clock = ManualClock(now: first)
    let bodies = [
      Rows.json(Rows.aachen, Rows.hoba, Rows.osterplana, Rows.nowhere),
      Rows.json(
        Rows.aachen.replacing(#""mass":"21""#, with: #""mass":"21.5""#), Rows.osterplana,
        Rows.nowhere.replacing("2000-01-01", with: "soon"),
        Rows.hoba.replacing("11890", with: "7").replacing("Hoba", with: "阿壩")),
    ]
    let left = Lock(bodies)
    let transport = StubTransport {
      $0.on("meteorites.snapshot") { _ in
        let (body, number) = left.withLock { ($0.removeFirst(), bodies.count - $0.count) }
        return TransportResponse(
          status: 200,
          fields: [
            "ETag": "\"golden-\(number)\"", "Last-Modified": "Wed, 31 Dec 2025 00:00:00 GMT",
            "Content-Type": "application/json",
          ], body: .text(body))
      }
    }
    let catalog = catalog(folder, transport, clock)
    #expect(try await catalog.importLegacyTimestamp(1_700_000_000))
    try await catalog.refresh()
    clock.advance(by: .seconds(90_000))
    let report = try await catalog.refresh()
    #expect((report.added, report.updated, report.removed) == (1, 2, 1))
    try await catalog.close()
  }

  private static func catalog(
    _ folder: URL, _ transport: some Transport, _ clock: ManualClock
  ) -> MeteoriteCatalog {
    MeteoriteCatalog(
      sources: Download<Meteorite>.nasa(transport: transport, addresses: [source]),
      storage: .directory(folder, clock: clock), clock: clock,
      snapshotGuard: SnapshotGuard(maximumRemovedFraction: 0.5))
  }

  @Test("the meteorites' golden files are written", Golden.writing)
  func writing() async throws {
    try await Self.golden.replace { try await Self.write(to: $0) }
    try await Self.exchange.replace { try await Self.export(to: $0) }
  }

  @Test("the meteorites' golden files are identical today", Golden.reading)
  func sameBytes() async throws {
    try await Self.golden.expectSame { try await Self.write(to: $0) }
    try await Self.exchange.expectSame { try await Self.export(to: $0) }
  }

  // MARK: Reading

  @Test("the meteorites' golden files have the meteorites, in order", Golden.reading)
  func meteorites() async throws {
    let folder = try Self.golden.copy()
    let clock = ManualClock(now: Self.second)
    let catalog = MeteoriteCatalog(
      storage: .directory(folder.url, clock: clock), transport: StubTransport { _ in },
      clock: clock)
    let report = try await catalog.open()
    #expect(report.cuts.isEmpty && report.setAside.isEmpty && report.recordCount == 4)
    let view = try await catalog.view()
    #expect(view.all.map(\.name) == ["Aachen", "Österplana 009", "Yamato 000001", "阿壩"])
    let aachen = try #require(view["1"])
    #expect(aachen.massInGrams == 21.5 && aachen.year == 1880 && aachen.fall == .fell)
    #expect(aachen.classification.rawValue == "L5" && aachen.coordinate?.latitude == 50.775)
    #expect(view["44852"]?.massInGrams == nil && view["11890"] == nil)
    #expect(view["24500"]?.positionIssue != nil)
    #expect(view["24500"]?.year == nil && view["24500"]?.unreadable.isEmpty == false)
    #expect(try await catalog.find(MeteoriteQuery(fall: .fell)).map(\.name) == ["Aachen"])
    #expect(try await catalog.lastRefresh == Self.second)
    let next = try #require(try await catalog.nextRefreshDate)
    #expect(abs(next.timeIntervalSince(Self.second) - 86_400) < 0.001)
    #expect(try await catalog.refresh().outcome == .notDue)
    #expect(try await !catalog.importLegacyTimestamp(1_700_000_001))
    try await catalog.close()
  }

  @Test("the meteorites' golden files have the validators for the next request", Golden.reading)
  func validators() async throws {
    let folder = try Self.golden.copy()
    let clock = ManualClock(now: Self.second + 90_000)
    let transport = StubTransport { $0.on("meteorites.snapshot", respond: .status(304)) }
    let catalog = Self.catalog(folder.url, transport, clock)
    #expect(try await catalog.refresh().outcome == .notModified)
    #expect(transport.requests.map { $0.fields["If-None-Match"] } == ["\"golden-2\""])
    #expect(
      transport.requests.map { $0.fields["If-Modified-Since"] }
        == ["Wed, 31 Dec 2025 00:00:00 GMT"])
    #expect(try await catalog.lastRefresh == clock.now)
    try await catalog.close()
  }

  /// Data that another reader stored is read anew. If the columns change, give the reader in
  /// `MeteoriteCatalog` the next number, and this test the new checksum.
  @Test(
    "the meteorites' golden files are stored by a reader whose version is new if its columns are")
  func readerVersion() {
    #expect(
      Meteorite.fingerprint("meteorites/1", columns: Meteorite.rowColumns)
        == "meteorites/1 80d7f0c2")
  }

  // MARK: Exchange

  /// Values that a user may store as JSON.
  private struct Values: Codable, Equatable {
    var meteorites: [Meteorite]
    var query: MeteoriteQuery
  }

  private static func values(_ meteorites: [Meteorite]) -> Values {
    Values(
      meteorites: meteorites,
      query: MeteoriteQuery(fall: .fell, years: 1800...2011, order: .massDescending))
  }

  private static func meteorites(in folder: URL) async throws -> [Meteorite] {
    let catalog = catalog(folder, StubTransport { _ in }, ManualClock(now: second))
    let meteorites = try await catalog.find()
    try await catalog.close()
    return meteorites
  }

  private static func export(to folder: URL) async throws {
    let source = try TemporaryFolder()
    try await write(to: source.url)
    let meteorites = try await meteorites(in: source.url)
    try meteorites.csv().write(to: folder.appending(path: "meteorites.csv"))
    try meteorites.geoJSON().write(to: folder.appending(path: "meteorites.geojson"))
    try Golden.json(values(meteorites)).write(to: folder.appending(path: "values.json"))
  }

  @Test(
    "the meteorites' golden files in CSV, GeoJSON, and JSON are the meteorites that the store has",
    Golden.reading)
  func values() async throws {
    let folder = try Self.golden.copy()
    let stored = try await Self.meteorites(in: folder.url)
    for name in ["meteorites.csv", "meteorites.geojson"] {
      let rows = try Batch<Meteorite>(reading: [UInt8](Self.exchange.bytes(name)))
      #expect(rows.records.map(\.id) == stored.map(\.id), "\(name)")
      #expect(rows.records.map(\.name) == stored.map(\.name), "\(name)")
      #expect(rows.records.map(\.massInGrams) == stored.map(\.massInGrams), "\(name)")
      #expect(rows.records.map(\.coordinate) == stored.map(\.coordinate), "\(name)")
    }
    let read = try JSONDecoder().decode(Values.self, from: Self.exchange.bytes("values.json"))
    #expect(read == Self.values(stored))
  }
}
