import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("A catalog of a Codable struct")
struct DecodedCatalogTests {
  /// The next version of ``DecodedTree``, with one property more.
  struct PlantedTree: CatalogRecord, Hashable {
    static let storedName = "DecodedTree"
    let id: String
    let species: String?
    let planted: CalendarDay?
    let coordinate: Coordinate?
    var searchText: String { species ?? "" }

    enum CodingKeys: String, CodingKey {
      case id = "treeid", species = "qspecies", planted = "plantdate", coordinate
    }
  }

  /// A tree that counts how often its columns are asked for.
  struct CountedTree: CatalogRecord, Hashable {
    static let inquiries = Lock(0)
    static var columns: [RowColumn] {
      inquiries.withLock { $0 += 1 }
      return [RowColumn("treeid")]
    }
    let treeid: String
    var id: String { treeid }
  }

  struct Named<Value: Codable & Hashable & Sendable>: CatalogRecord, Hashable {
    let id: Value
  }

  private static let url = URL(literal: "https://example.org/trees")

  private static let body = """
    treeid,qspecies,plantdate,dbh,latitude,longitude
    1,Ginkgo biloba,2001-05-06T00:00:00.000,12,37.75,-122.42
    2,Quercus robur,,tall,37.76,-122.43
    3,Acer rubrum,1999-12-31T00:00:00.000,,,
    ,Nothing,,,,
    """

  /// A transport that confirms a conditional request with 304.
  private static func transport() -> StubTransport {
    StubTransport {
      $0.on("trees.rows") { request in
        request.fields["If-None-Match"] == "\"1\""
          ? TransportResponse(status: 304)
          : TransportResponse(status: 200, fields: ["ETag": "\"1\""], body: .text(body))
      }
    }
  }

  @Test("a catalog of a Codable struct asks for the columns of its record only when it refreshes")
  func columns() async throws {
    let trees = Catalog<CountedTree>(
      "trees", at: Self.url, storage: .inMemory, transport: Self.transport(), clock: ManualClock())
    #expect(try await trees.view().count == 0)
    #expect(CountedTree.inquiries.withLock { $0 } == 0)
    #expect(try await trees.refresh().added == 3)
    #expect(CountedTree.inquiries.withLock { $0 } > 0)
  }

  @Test("a catalog of a Codable struct names the type in its store as its description does")
  func names() {
    #expect(PortalStone.storedName == "PortalStone")
    #expect(PlantedTree.storedName == "DecodedTree")
    #expect(CountedTree.storedName == "\(CountedTree.self)")
    #expect(Named<String>.storedName == "\(Named<String>.self)")
    #expect(Named<[Int?]>.storedName == String(describing: Named<[Int?]>.self))
  }

  @Test("a catalog of a Codable struct finds what it reads, and reads all again for a new property")
  func versions() async throws {
    let storage = Storage.directory(try TemporaryFolder().url)
    let old = Catalog<DecodedTree>(
      "trees", at: Self.url, storage: storage, transport: Self.transport(), clock: ManualClock())
    let first = try await old.refresh()
    #expect(first.added == 3)
    #expect(first.failures.map(\.reason) == ["treeid has no value"])
    #expect(
      first.notices.first { $0.code == .unreadableValues }?.message.hasSuffix(
        "dbh (1). The first: row 1 (2): dbh isn't a number: \"tall\"") == true)
    let here = try Coordinate(latitude: 37.75, longitude: -122.42)
    #expect(try await old.view().nearest(to: here, count: 1).map(\.record.id) == ["1"])
    #expect(try await old.view()["1"]?.height == 12)
    #expect(try await old.refresh(.now).outcome == .notModified)
    try await old.close()

    let new = Catalog<PlantedTree>(
      "trees", at: Self.url, storage: storage, transport: Self.transport(), clock: ManualClock())
    let second = try await new.refresh(.now)
    #expect(second.rows == 4)
    #expect(second.notices.map(\.code).contains(.startedAnew))
    let view = try await new.view()
    #expect(view["1"]?.planted == (try CalendarDay("2001-05-06")))
    #expect(view.search("quercus").map(\.id) == ["2"])
    #expect(try await new.refresh(.now).outcome == .notModified)
    try await new.close()
  }

  @Test("a catalog of a Codable struct keeps the record of an unusable row, and removes others")
  func removal() async throws {
    struct Bench: CatalogRecord {
      let seats: Int
      let id: String
    }
    let bodies = Lock([
      "seats,id\n" + (1...20).map { "\($0),b\($0)\n" }.joined(),
      "seats,id\n" + (1...17).map { "\($0),b\($0)\n" }.joined() + "many,b20\n",
    ])
    let benches = Catalog<Bench>(
      "benches", at: Self.url, storage: .inMemory,
      transport: StubTransport {
        $0.on("benches.rows") { _ in
          TransportResponse(status: 200, body: .text(bodies.withLock { $0.removeFirst() }))
        }
      }, clock: ManualClock())
    try await benches.refresh()
    let report = try await benches.refresh(.now)
    #expect(report.removed == 2)
    #expect(
      report.failures.map(\.description) == ["row 17 (b20): seats isn't an integer: \"many\""])
    #expect(try await benches.view()["b20"]?.seats == 20)
  }
}
