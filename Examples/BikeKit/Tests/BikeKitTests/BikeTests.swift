import BikeKit
import FieldKit
import FieldTesting
import Foundation
import Testing

@Suite("A kit of your own: YouBike", .timeLimit(.minutes(60)))
struct BikeTests {
  /// Two stations as the file of YouBike 2.0 has them, one as that of 1.0, and a row that can't be used.
  private static let rows = named + #"{"sno":"0004","sna":"壞","available_rent_bikes":"?"}]"#

  private static let named = """
    [{"sno":"500101001","sna":"YouBike2.0_捷運科技大樓站","ar":"復興南路二段235號前","act":"1",
      "srcUpdateTime":"2026-01-01 08:00:00","available_rent_bikes":3,"latitude":25.02605,
      "longitude":121.5436,"available_return_bikes":25},
     {"sno":"500101002","sna":"YouBike2.0_臺北車站","ar":"忠孝西路一段","act":"1",
      "srcUpdateTime":"2026-01-01 08:00:10","available_rent_bikes":"12","latitude":"25.04776",
      "longitude":"121.51706","available_return_bikes":"0"},
     {"sno":"0003","sna":"台北市政府","ar":"松智路","act":"0","mday":"20260101080000","sbi":"0",
      "bemp":"40","lat":"25.0408578889","lng":"121.567904444"},
    """

  private static func bikes(
    _ transport: any Transport, storage: Storage = .inMemory, clock: any FieldClock = ManualClock()
  ) -> Catalog<BikeStation> {
    Catalog<BikeStation>(storage: storage, transport: transport, clock: clock)
  }

  @Test("the bike kit reads both generations of columns, and reports the row that can't be used")
  func reading() async throws {
    let bikes = Self.bikes(StubTransport { $0.on("bikes.rows", respond: .json(text: Self.rows)) })
    let report = try await bikes.refresh()
    #expect(report.added == 3)
    #expect(report.failures.map(\.key) == ["0004"])
    let station = try #require(try await bikes.view()["500101001"])
    #expect(station.name == "捷運科技大樓站")
    #expect((station.bikes, station.docks) == (3, 25))
    #expect(station.updated == Date(timeIntervalSince1970: 1_767_225_600))
  }

  @Test("the bike kit finds 臺 by 台, the other way round, and the nearest stations, all offline")
  func offline() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let online = StubTransport { $0.on("bikes.rows", respond: .json(text: Self.rows)) }
    let first = Self.bikes(online, storage: .directory(folder))
    try await first.refresh()
    try await first.close()
    let second = Self.bikes(StubTransport { _ in }, storage: .directory(folder))
    let view = try await second.view()
    #expect(view.search("台北車站").map(\.id) == ["500101002"])
    #expect(view.search("臺北市政府").map(\.id) == ["0003"])
    let here = try Coordinate(latitude: 25.0478, longitude: 121.5170)
    #expect(view.nearest(to: here, count: 2).map(\.id) == ["500101002", "500101001"])
    #expect(view.nearest(to: here, count: 9) { $0.docks > 0 }.map(\.id) == ["500101001", "0003"])
    try await second.close()
  }

  @Test(
    "the bike kit keeps its stations when the response can't be the whole file, and says why",
    arguments: [
      ("<html><body>maintenance</body></html>", FieldError.Code.notData),
      ("[]", .snapshotRefused), (String(rows.prefix(300)), .cut), ("", .emptyBody),
    ])
  func refusals(body: String, code: FieldError.Code) async throws {
    let transport = StubTransport {
      $0.on("bikes.rows", respond: .sequence(.json(text: Self.rows), .json(text: body)))
    }
    let bikes = Self.bikes(transport)
    try await bikes.refresh()
    let error = await #expect(throws: FieldError.self) { try await bikes.refresh(.now) }
    #expect(error?.code == code)
    #expect(try await bikes.view().count == 3)
  }

  @Test("the bike kit is due a minute after its last refresh, and is part of a field")
  func field() async throws {
    let clock = ManualClock()
    let transport = StubTransport { $0.on("bikes.rows", respond: .json(text: Self.rows)) }
    let bikes = Self.bikes(transport, clock: clock)
    let field = Field(
      storage: .inMemory, transport: StubTransport { _ in }, clock: clock, adding: [bikes])
    try await field.kits.last?.refresh()
    #expect(try await bikes.refresh().outcome == .notDue)
    clock.advance(by: .seconds(61))
    #expect(try await bikes.refresh().outcome == .unchanged)
    try await field.close()
    await #expect(throws: FieldError.self) { try await bikes.view() }
  }

  @Test("the bike kit keeps to the contract of a kit")
  func conformance() async throws {
    try await KitConformance.run { bench in
      Catalog<BikeStation>(storage: bench.storage, transport: bench.transport, clock: bench.clock)
    } responding: { _ in
      TransportResponse(status: 200, body: .text(Self.rows))
    } later: { _ in
      // One station is gone, another comes twice, and the bikes of the third can't be read.
      let twice = #"{"sno":"0003","sna":"台北市政府","sbi":"1","bemp":"39"}"#
      let rows = #"{"sno":"500101001","sbi":"?","bemp":"39"}"#
      return TransportResponse(status: 200, body: .text("[\(twice),\(twice),\(rows)]"))
    } lacking: { _ in
      let row = #"{"sno":"0003","sna":"台北市政府","sbi":"0","bemp":"40"}"#
      return TransportResponse(status: 200, body: .text("[\(row)]"))
    } unreadable: { _ in
      let rows = Self.rows.replacing("20260101080000", with: "yesterday")
      return TransportResponse(status: 200, body: .text(rows))
    } damage: {
      try await $0.view().damage
    } following: {
      $0.updates { $0.all.map(\.id) }
    } content: { bikes in
      try await bikes.view().all.map(\.id)
    }
  }
}
