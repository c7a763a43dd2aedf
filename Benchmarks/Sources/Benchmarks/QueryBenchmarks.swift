import Foundation
import GRDB
import MeteorKit

/// Queries of a view that answered the same ones before, so its indexes are there.
struct QueryBenchmarks {
  private let workbench: Workbench

  init(_ workbench: Workbench) { self.workbench = workbench }

  func run(into table: inout ResultTable) async throws {
    let store = InMemoryStore<Meteorite>()
    try await store.commit(
      Changes(upserting: workbench.meteorites), checkpoint: nil, expecting: nil)
    let view = try await MeteoriteCatalog(
      source: FileRows<Meteorite>(workbench.folder), repository: store
    ).view()
    let queue = try SQLite.indexed(workbench.meteorites, at: workbench.path("query.sqlite"))
    try await orders(view, queue, &table)
    try await nearest(view, queue, &table)
    try await texts(view, queue, &table)
    try queue.close()
  }

  private func orders(
    _ view: MeteoriteView, _ queue: DatabaseQueue, _ table: inout ResultTable
  ) async throws {
    try await table.race(
      "1 to 5 kg, heaviest 20", against: "GRDB, index", floor: 15
    ) {
      await measured(times: 200) { view.find(Self.heaviestOfRange) }
    } baseline: {
      try await measured(times: 20) { try queue.read(SQLite.heaviestOfRange) }
    } check: { own, baseline in
      own.isSame(as: baseline) && own.count == 20
    }
    try await table.race("50 heaviest", against: "GRDB, index", floor: 20) {
      await measured(times: 200) { view.find(MeteoriteQuery(order: .massDescending, limit: 50)) }
    } baseline: {
      try await measured(times: 20) { try queue.read(SQLite.heaviest) }
    } check: { own, baseline in
      own.isSame(as: baseline) && own.count == 50
    }
    // SQLite's order ignores the case of ASCII letters only, so the rows are compared without it.
    try await table.race("years 1990 to 1999, by name", against: "GRDB, index", floor: 3) {
      await measured(times: 3) { view.find(MeteoriteQuery(years: 1990...1999, order: .name)) }
    } baseline: {
      try await measured(times: 3) { try queue.read(SQLite.yearsByName) }
    } check: { own, baseline in
      Set(own.map(\.id.rawValue)) == Set(baseline.map { String($0.id) }) && !own.isEmpty
    }
    let box = try GeoBox(south: 20, west: 55, north: 21, east: 56)
    try await table.race("one-degree box, rows", against: "SQLite R*Tree", floor: 8) {
      await measured(times: 100) { view.find(MeteoriteQuery(box: box)) }
    } baseline: {
      try await measured(times: 20) { try queue.read { try SQLite.rows(in: box, $0) } }
    } check: { own, baseline in
      Set(own.map(\.id.rawValue)) == Set(baseline.map { String($0.id) }) && !own.isEmpty
    }
  }

  static let heaviestOfRange = MeteoriteQuery(
    massInGrams: 1_000...5_000, order: .massDescending, limit: 20)

  private func nearest(
    _ view: MeteoriteView, _ queue: DatabaseQueue, _ table: inout ResultTable
  ) async throws {
    let place = try Self.dhofar
    try await table.race(
      "nearest 10 in Dhofar", against: "R*Tree, square of 10°, sorted", floor: 200
    ) {
      await measured(times: 50) { view.nearest(to: place, count: 10) }
    } baseline: {
      try await measured { try queue.read { try SQLite.nearest(to: place, $0) } }
    } check: { own, baseline in
      own.map(\.meteorite.id.rawValue) == baseline.map { String($0.id) } && own.count == 10
    }
    let places = try stride(from: -80.0, through: 80, by: 16).flatMap { latitude in
      try stride(from: -170.0, through: 170, by: 34).map { longitude in
        try Coordinate(latitude: latitude, longitude: longitude)
      }
    }
    let located = workbench.meteorites.compactMap { meteorite in
      meteorite.hasPlausiblePosition ? meteorite.coordinate : nil
    }
    let scans: [(String, Double, (Coordinate, Coordinate) -> Double)] = [
      ("linear scan, same distance", 100, { $0.distance(to: $1).meters }),
      ("linear scan, haversine", 20, Self.haversine),
    ]
    for (name, floor, distance) in scans {
      try await table.race("nearest 10 anywhere", against: name, floor: floor, rounds: 5) {
        await measured(per: places.count) { places.map { view.nearest(to: $0, count: 10) } }
      } baseline: {
        await measured(per: 4) {
          places.prefix(4).map { place in
            Array(located.map { distance(place, $0) }.sorted().prefix(10))
          }
        }
      } check: { own, baseline in
        zip(own, baseline).allSatisfy { Self.areClose($0, $1) }
      }
    }
  }

  /// A sphere's distances differ from the ellipsoid's by up to 0.6 %.
  private static func areClose(_ found: [NearbyMeteorite], _ meters: [Double]) -> Bool {
    found.count == 10
      && zip(found, meters).allSatisfy { abs($0.distance.meters - $1) <= 0.006 * $1 + 0.01 }
  }

  /// A place in the desert where thousands of meteorites were found.
  static var dhofar: Coordinate {
    get throws { try Coordinate(latitude: 20.5, longitude: 55.5) }
  }

  private static func haversine(_ left: Coordinate, _ right: Coordinate) -> Double {
    let radians = Double.pi / 180
    let (from, to) = (left.latitude * radians, right.latitude * radians)
    let latitude = sin((to - from) / 2)
    let longitude = sin((right.longitude - left.longitude) * radians / 2)
    return 2 * 6_371_008.8
      * asin(min(1, sqrt(latitude * latitude + cos(from) * cos(to) * longitude * longitude)))
  }

  private func texts(
    _ view: MeteoriteView, _ queue: DatabaseQueue, _ table: inout ResultTable
  ) async throws {
    for (text, floor) in [("yam", 4.0), ("mountain", 10), ("gani 12", 30)] {
      try await table.race("\"\(text)\" in names, counted", against: "FTS5 trigram", floor: floor) {
        await measured(times: 100) { view.count(MeteoriteQuery(text: text)) }
      } baseline: {
        try await measured(times: 20) { try queue.read { try SQLite.count(named: text, $0) } }
      } check: { own, baseline in
        own == baseline
      }
    }
  }
}

extension [Meteorite] {
  /// Returns whether these are the rows, in their order.
  func isSame(as rows: [StoredRow]) -> Bool {
    map(\.id.rawValue) == rows.map { String($0.id) } && map(\.massInGrams) == rows.map(\.mass)
  }
}
