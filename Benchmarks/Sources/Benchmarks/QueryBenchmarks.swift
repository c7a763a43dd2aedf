import Foundation
import GRDB
import MeteorKit

/// Places and names.
struct QueryBenchmarks {
  private let workbench: Workbench

  init(_ workbench: Workbench) { self.workbench = workbench }

  func run(into table: inout ResultTable) async throws {
    let store = InMemoryStore<Meteorite>()
    try await store.commit(
      Changes(upserting: workbench.meteorites), checkpoint: nil, expecting: nil)
    let catalog = MeteoriteCatalog(
      source: MeteoriteFile(workbench.folder), repository: store)
    let view = try await catalog.view()
    try nearest(view, &table)
    let queue = try Rival.database(at: workbench.path("query.sqlite"))
    try Rival.insert(workbench.meteorites, into: queue)
    try boxes(view, queue, &table)
    try texts(view, queue, &table)
  }

  private func nearest(_ view: MeteoriteView, _ table: inout ResultTable) throws {
    let places = try stride(from: -80.0, through: 80, by: 16).flatMap { latitude in
      try stride(from: -170.0, through: 170, by: 34).map { longitude in
        try Coordinate(latitude: latitude, longitude: longitude)
      }
    }
    var found = 0
    let own = median {
      for place in places { found += view.nearest(to: place, count: 10).count }
    }
    let located = workbench.meteorites.compactMap { meteorite in
      meteorite.hasPlausiblePosition ? meteorite.coordinate : nil
    }
    let scanned = Array(places.prefix(10))
    let linear = median(of: 3) {
      for place in scanned {
        found += located.map { place.distance(to: $0) }.sorted().prefix(10).count
      }
    }
    let haversine = median(of: 3) {
      for place in scanned {
        found += located.map { Self.haversine(place, $0) }.sorted().prefix(10).count
      }
    }
    try require(found > 0)
    let perQuery = own / places.count
    table.add(
      "nearest 10", own: perQuery, against: "linear scan, same distance", linear / scanned.count,
      wanted: 10)
    table.add(
      "nearest 10", own: perQuery, against: "linear scan, haversine", haversine / scanned.count,
      wanted: 10)
  }

  private static func haversine(_ left: Coordinate, _ right: Coordinate) -> Double {
    let radians = Double.pi / 180
    let (from, to) = (left.latitude * radians, right.latitude * radians)
    let latitude = sin((to - from) / 2)
    let longitude = sin((right.longitude - left.longitude) * radians / 2)
    return 2 * 6_371_008.8
      * asin(min(1, sqrt(latitude * latitude + cos(from) * cos(to) * longitude * longitude)))
  }

  private func boxes(
    _ view: MeteoriteView, _ queue: DatabaseQueue, _ table: inout ResultTable
  ) throws {
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE VIRTUAL TABLE place USING rtree(id, south, north, west, east);
          INSERT INTO place SELECT id, latitude, latitude, longitude, longitude FROM meteorite
            WHERE latitude IS NOT NULL
          """)
    }
    let box = try GeoBox(south: 20, west: 55, north: 21, east: 56)
    var found = 0
    let own = median(of: 51) { found += view.find(MeteoriteQuery(box: box)).count }
    let rival = try median(of: 51) {
      found += try queue.read { db in
        try StoredRow.fetchAll(
          db,
          sql: """
            SELECT meteorite.* FROM place JOIN meteorite ON meteorite.id = place.id
            WHERE south <= 21 AND north >= 20 AND west <= 56 AND east >= 55
            """
        ).count
      }
    }
    try require(found >= 0)
    table.add("one-degree box, rows", own: own, against: "SQLite R*Tree", rival, wanted: 1)
  }

  private func texts(
    _ view: MeteoriteView, _ queue: DatabaseQueue, _ table: inout ResultTable
  ) throws {
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE VIRTUAL TABLE names USING fts5(name, tokenize = 'trigram', content = '');
          INSERT INTO names (rowid, name) SELECT id, name FROM meteorite
          """)
    }
    for text in ["mountain", "gani 12"] {
      var (own, rival) = (0, 0)
      let ownTime = median(of: 21) { own = view.count(MeteoriteQuery(text: text)) }
      let rivalTime = try median(of: 21) {
        rival = try queue.read { db in
          try Int.fetchOne(
            db, sql: "SELECT count(*) FROM names WHERE names MATCH ?",
            arguments: ["\"\(text)\""]) ?? 0
        }
      }
      table.add(
        "\"\(text)\" in names, \(own) hits (rival \(rival))", own: ownTime,
        against: "FTS5 trigram", rivalTime, wanted: 1)
    }
  }
}
