import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

extension PortalStone: CatalogRecord {
  var searchText: String { id }
}

@Suite("A catalog of a paged source")
struct CatalogTests {
  private let portal = ModelPortal.filled(25, pageSize: 10)
  private let stones: Catalog<PortalStone>

  init() {
    stones = Catalog(
      "stones", source: portal, storage: .inMemory, clock: ManualClock(),
      snapshotGuard: SnapshotGuard(maximumRemovedFraction: 0.3, pageSize: nil))
  }

  @Test("a catalog of pages stores all of them, then the changes, and removes deleted records")
  func pages() async throws {
    #expect(try await stones.refresh().added == 25)
    #expect(Set(try await stones.view().all) == portal.stones)
    #expect(try await stones.view().search("s24").map(\.id) == ["s24"])
    portal.change {
      $0.put(PortalStone(id: "s1", value: 100))
      $0.delete("s2")
    }
    #expect(try await stones.refresh().outcome == .notDue)
    let report = try await stones.refresh(.now)
    #expect(report.updated == 1)
    #expect(report.removed == 1)
    #expect(Set(try await stones.view().all) == portal.stones)
  }

  @Test("a catalog of pages keeps those before a failure, and continues after the last one")
  func interruption() async throws {
    portal.change {
      $0.beforeAnswer = { number, _ in
        if number == 2 { throw FieldError(.offline, "There is no network.") }
      }
    }
    let error = await #expect(throws: FieldError.self) { try await stones.refresh() }
    #expect(error?.code == .offline)
    #expect(try await stones.view().count == 10)
    #expect(try await stones.lastRefresh == nil)
    portal.change { $0.beforeAnswer = nil }
    try await stones.refresh(.now)
    #expect(portal.change { $0.requests[2].position } != nil)
    #expect(Set(try await stones.view().all) == portal.stones)
  }

  @Test("a catalog shows damage in its views and updates until a refresh has reported it")
  func damage() async throws {
    let folder = try TemporaryFolder()
    let damaged = Catalog<PortalStone>(
      "stones", source: portal, storage: .directory(folder.url), clock: ManualClock())
    try await damaged.refresh()
    try await damaged.close()
    let file = folder.url.appending(path: "stones.store")
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count - 3] ^= 0xFF
    try bytes.write(to: file)
    let reopened = Catalog<PortalStone>(
      "stones", source: portal, storage: .directory(folder.url), clock: ManualClock())
    var updates = reopened.updates().makeAsyncIterator()
    #expect(try await updates.next()?.damage.count == 1)
    #expect(try await reopened.view().damage.count == 1)
    try await reopened.refresh(.now)
    #expect(try await updates.next()?.damage.isEmpty == true)
    #expect(try await reopened.view().damage.isEmpty)
    try await reopened.close()
  }
}

@Suite("A view of a catalog")
struct CatalogViewTests {
  struct Buoy: CatalogRecord, Hashable {
    let id: Int
    var coordinate: Coordinate?
  }

  /// Boxes in the east, from west to east across the antimeridian, and around the earth.
  private static func boxes() throws -> [GeoBox] {
    try [
      (0, 90, 50, 150), (-21, 176, 12, -178), (-80, 10, 80, -10), (60, -180, 89, 180),
      (-90, -180, 90, 180),
    ].map { try GeoBox(south: $0.0, west: $0.1, north: $0.2, east: $0.3) }
  }

  /// Whether a box contains a place, computed apart from `GeoBox`.
  private static func contains(_ box: GeoBox, _ place: Coordinate) -> Bool {
    guard (box.south...box.north).contains(place.latitude) else { return false }
    let (isEast, isWest) = (place.longitude >= box.west, place.longitude <= box.east)
    return box.west <= box.east ? isEast && isWest : isEast || isWest
  }

  private static func buoy(_ id: Int, _ chance: inout SeededGenerator) throws -> Buoy {
    if id.isMultiple(of: 10) { return Buoy(id: id, coordinate: nil) }
    let isNearAntimeridian = id.isMultiple(of: 3)
    let longitude = Double.random(in: isNearAntimeridian ? 175...185 : -180...180, using: &chance)
    return Buoy(
      id: id,
      coordinate: try Coordinate(
        latitude: .random(in: -89.9...89.9, using: &chance),
        longitude: longitude > 180 ? longitude - 360 : longitude))
  }

  private func expectSame(_ view: CatalogView<Buoy>, _ seed: UInt64) throws {
    for box in try Self.boxes() {
      let expected = view.all.filter { $0.coordinate.map { Self.contains(box, $0) } ?? false }
      #expect(view.records(in: box) == expected, "\(box), seed \(seed)")
      #expect(!expected.isEmpty, "\(box), seed \(seed)")
    }
    for center in try [(25, 121.5), (-17, 179.9), (88, -30)].map({
      try Coordinate(latitude: $0.0, longitude: $0.1)
    }) {
      for radius in [Distance.kilometers(1_500), .kilometers(4_000), .kilometers(21_000)] {
        let expected = view.all.filter {
          $0.coordinate.map { $0.distance(to: center) <= radius } ?? false
        }
        #expect(
          view.records(within: radius, of: center) == expected,
          "\(radius) of \(center), seed \(seed)")
        #expect(!expected.isEmpty, "\(radius) of \(center), seed \(seed)")
      }
    }
  }

  @Test(
    "a view of a catalog finds what a filter of all records finds in a box and within a distance"
  )
  func regions() async throws {
    let seed = Sample.seed()
    var chance = SeededGenerator(seed: seed)
    let store = InMemoryStore<Buoy>()
    try await store.commit(
      Changes(upserting: try (1...3_000).map { try Self.buoy($0, &chance) }), checkpoint: nil,
      expecting: nil)
    let first = CatalogView(of: try await store.snapshot())
    try expectSame(first, seed)
    // Few enough changes to keep the index: some move, some are removed, and some are new.
    var changes = Changes<Buoy>()
    for _ in 0..<20 {
      changes.upsert(try Self.buoy(.random(in: 1...3_000, using: &chance), &chance))
      changes.remove(.random(in: 1...3_000, using: &chance))
    }
    for id in 3_001...3_009 { changes.upsert(try Self.buoy(id, &chance)) }
    try await store.commit(changes, checkpoint: nil, expecting: nil)
    let second = CatalogView(of: try await store.snapshot(), after: first)
    #expect(second.all.contains { $0.id == 3_001 })
    try expectSame(second, seed)
  }
}
