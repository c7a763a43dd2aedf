import FieldFakes
import FieldTesting
import FieldTransit
import Foundation
import TestSupport
import Testing

@Suite("Catalogs of timetables")
struct TimetableCatalogTests {
  private static let url = URL(string: "https://example.org/gtfs.zip") ?? URL(filePath: "/")

  private static func feed(_ change: (inout FeedFixture) -> Void = { _ in }) -> [UInt8] {
    var feed = FeedFixture.simple
    feed.files["calendar.txt"] = feed.files["calendar.txt"]?.replacing("20241231", with: "20991231")
    change(&feed)
    return ZipFixture(feed.files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }).bytes()
  }

  private static func catalog(
    _ body: @escaping @Sendable () -> [UInt8], _ storage: Storage = .inMemory
  ) -> TimetableCatalog {
    TimetableCatalog(
      "test", at: url, storage: storage,
      transport: FeedTransport(body: body))
  }

  @Test("A catalog of a timetable keeps to the contract of a kit")
  func conformance() async throws {
    let feed = Self.feed()
    try await KitConformance.run { bench in
      TimetableCatalog(
        "test", at: Self.url, storage: bench.storage, transport: bench.transport,
        clock: bench.clock)
    } responding: { _ in
      TransportResponse(status: 200, body: .bytes(feed))
    } damage: { catalog in
      try await catalog.view().damage
    } following: { catalog in
      catalog.updates { $0.timetable?.bytes }
    } content: { catalog in
      try await catalog.view().timetable?.bytes
    }
  }

  @Test("A catalog answers from its timetable and reports what couldn't be used")
  func view() async throws {
    let catalog = Self.catalog { Self.feed { $0.add("single", [("A", "08:00:00")]) } }
    #expect(try await catalog.view().timetable == nil)
    try await catalog.refresh()
    let view = try await catalog.view()
    #expect(try view.timetable?.pairs("A", "D", at: 420) == [[600, 0], [510, 1]])
    #expect(view.report?.failures.map(\.row.key) == ["single"])
  }

  @Test(
    "A feed that is cut, empty, expired, or much smaller is refused, and the old timetable stays",
    arguments: [
      { Array($0.dropLast(40)) },
      { _ in Self.feed { $0.files["trips.txt"] = "trip_id,route_id,service_id\n" } },
      { _ in
        Self.feed {
          $0.files["calendar.txt"] = $0.files["calendar.txt"]?.replacing("2099", with: "2024")
        }
      },
      { _ in
        Self.feed {
          $0.files["trips.txt"] = "trip_id,route_id,service_id\nt1,R,W\n"
        }
      },
    ] as [@Sendable ([UInt8]) -> [UInt8]])
  func refused(_ change: @escaping @Sendable ([UInt8]) -> [UInt8]) async throws {
    let isLater = Lock(false)
    let first = Self.feed {
      for trip in 0..<20 { $0.add("x\(trip)", [("A", "10:\(10 + trip):00"), ("B", "11:00:00")]) }
    }
    let catalog = Self.catalog { isLater.withLock { $0 } ? change(first) : first }
    try await catalog.refresh(.now)
    let before = try await catalog.view().timetable?.bytes
    isLater.withLock { $0 = true }
    await #expect(throws: FieldError.self) { try await catalog.refresh(.now) }
    #expect(try await catalog.view().timetable?.bytes == before)
  }
}

/// A server that sends a feed.
private struct FeedTransport: Transport {
  let body: @Sendable () -> [UInt8]

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    TransportResponse(status: 200, body: .bytes(body()))
  }
}
