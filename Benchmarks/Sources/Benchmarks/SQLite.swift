import Foundation
import GRDB
import MeteorKit

/// The row as GRDB stores and fetches it, with a hand-written initializer.
struct StoredRow: FetchableRecord {
  let id: Int64
  let name: String
  let recclass: String
  let mass: Double?
  let fall: String
  let nametype: String
  let year: Int?
  let latitude: Double?
  let longitude: Double?

  init(row: Row) {
    id = row[0]
    name = row[1]
    recclass = row[2]
    mass = row[3]
    fall = row[4]
    nametype = row[5]
    year = row[6]
    latitude = row[7]
    longitude = row[8]
  }
}

/// The meteorites in SQLite by GRDB, as an app would store and query them.
enum SQLite {
  /// Settings with which a commit is durable when it returns.
  static var configuration: Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    }
    return configuration
  }

  /// Opens a database for readers that don't wait for a writer.
  static func pool(at url: URL) throws -> DatabasePool {
    var configuration = Configuration()
    // A connection that only reads can't set the mode, which the file has already.
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
    return try DatabasePool(path: url.path, configuration: configuration)
  }

  static func database(at url: URL) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: url.path, configuration: configuration)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE IF NOT EXISTS meteorite (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, recclass TEXT NOT NULL, mass DOUBLE,
            fall TEXT NOT NULL, nametype TEXT NOT NULL, year INTEGER, latitude DOUBLE,
            longitude DOUBLE)
          """)
    }
    return queue
  }

  static let upsert = """
    INSERT INTO meteorite VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, recclass = excluded.recclass,
      mass = excluded.mass, fall = excluded.fall, nametype = excluded.nametype,
      year = excluded.year, latitude = excluded.latitude, longitude = excluded.longitude
    """

  static func insert(_ meteorites: [Meteorite], into queue: DatabaseQueue) throws {
    try queue.write { try put(meteorites, $0) }
  }

  static func put(_ meteorites: [Meteorite], _ db: Database) throws {
    let statement = try db.makeStatement(sql: upsert)
    for meteorite in meteorites {
      try statement.execute(arguments: [
        Int64(meteorite.id.rawValue), meteorite.name, meteorite.classification.rawValue,
        meteorite.massInGrams, meteorite.fall.rawValue, meteorite.nameType.rawValue,
        meteorite.year?.rawValue, meteorite.coordinate?.latitude,
        meteorite.coordinate?.longitude,
      ])
    }
  }

  /// A new database of meteorites with the indexes that a user would create.
  static func indexed(_ meteorites: [Meteorite], at url: URL) throws -> DatabaseQueue {
    let queue = try database(at: url)
    try insert(meteorites, into: queue)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE INDEX heaviest ON meteorite (mass DESC);
          CREATE INDEX years ON meteorite (year);
          CREATE VIRTUAL TABLE names USING fts5(name, tokenize = 'trigram', content = '');
          INSERT INTO names (rowid, name) SELECT id, name FROM meteorite;
          CREATE VIRTUAL TABLE place USING rtree(id, south, north, west, east);
          INSERT INTO place SELECT id, latitude, latitude, longitude, longitude FROM meteorite
            WHERE latitude IS NOT NULL
          """)
    }
    return queue
  }

  static func row(_ id: String, _ db: Database) throws -> StoredRow? {
    let statement = try db.cachedStatement(sql: "SELECT * FROM meteorite WHERE id = ?")
    return try StoredRow.fetchOne(statement, arguments: [Int64(id)])
  }

  static func heaviest(_ db: Database) throws -> [StoredRow] {
    try StoredRow.fetchAll(db, sql: "SELECT * FROM meteorite ORDER BY mass DESC, id LIMIT 50")
  }

  static func heaviestOfRange(_ db: Database) throws -> [StoredRow] {
    try StoredRow.fetchAll(
      db,
      sql: """
        SELECT * FROM meteorite WHERE mass BETWEEN 1000 AND 5000 ORDER BY mass DESC, id LIMIT 20
        """)
  }

  static func yearsByName(_ db: Database) throws -> [StoredRow] {
    try StoredRow.fetchAll(
      db,
      sql: """
        SELECT * FROM meteorite WHERE year BETWEEN 1990 AND 1999
        ORDER BY name COLLATE NOCASE, id
        """)
  }

  static func count(named text: String, _ db: Database) throws -> Int? {
    try Int.fetchOne(
      db, sql: "SELECT count(*) FROM names WHERE names MATCH ?", arguments: ["\"\(text)\""])
  }

  /// The rectangles of an R*Tree are a little larger than the positions.
  static func rows(in box: GeoBox, _ db: Database) throws -> [StoredRow] {
    try StoredRow.fetchAll(
      db,
      sql: """
        SELECT meteorite.* FROM place JOIN meteorite ON meteorite.id = place.id
        WHERE south <= :north AND north >= :south AND west <= :east AND east >= :west
          AND latitude BETWEEN :south AND :north AND longitude BETWEEN :west AND :east
        """,
      arguments: ["south": box.south, "north": box.north, "west": box.west, "east": box.east])
  }

  /// The ten nearest of those in a square of 10°, ties by ID.
  static func nearest(to place: Coordinate, _ db: Database) throws -> [StoredRow] {
    let square = try GeoBox(
      south: place.latitude - 5, west: place.longitude - 5, north: place.latitude + 5,
      east: place.longitude + 5)
    return try rows(in: square, db).map { row in
      let coordinate = try Coordinate(latitude: row.latitude ?? 0, longitude: row.longitude ?? 0)
      return (distance: place.distance(to: coordinate).meters, row: row)
    }.sorted { ($0.distance, $0.row.id) < ($1.distance, $1.row.id) }.prefix(10).map(\.row)
  }
}
