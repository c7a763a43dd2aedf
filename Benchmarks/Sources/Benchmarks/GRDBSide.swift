import Foundation
import GRDB
import MeteorKit

/// GRDB with a plain `Codable` record and the queries of its query interface.
struct GRDBSide: RecordSide {
  private let database: any DatabaseWriter

  private init(_ database: any DatabaseWriter) { self.database = database }

  init(_ folder: URL) throws {
    self.init(try DatabaseQueue(path: Self.file(in: folder).path))
  }

  /// Opens a database for commits that are durable when they return.
  static func writer(in folder: URL) throws -> Self {
    Self(try DatabaseQueue(path: file(in: folder).path, configuration: SQLite.configuration))
  }

  /// Opens a database for readers that don't wait for a writer.
  static func pool(in folder: URL) throws -> Self { Self(try SQLite.pool(at: file(in: folder))) }

  /// Creates a database, with the indexes that a user would create or without.
  static func create(in folder: URL, isIndexed: Bool) throws -> Self {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let side = try writer(in: folder)
    try side.database.write { db in
      try db.create(table: "landing") { table in
        table.primaryKey("id", .integer)
        table.column("name", .text).notNull()
        table.column("mass", .double)
        table.column("year", .integer)
        table.column("class", .text).notNull()
        table.column("latitude", .double)
        table.column("longitude", .double)
      }
      if isIndexed { try createIndexes(db) }
    }
    return side
  }

  /// The R*Tree and the table of texts follow the rows by triggers.
  private static func createIndexes(_ db: Database) throws {
    try db.execute(sql: "CREATE INDEX heaviest ON landing (mass DESC)")
    try db.create(indexOn: "landing", columns: ["class"])
    try db.create(virtualTable: "landingName", using: FTS5()) { table in
      table.synchronize(withTable: "landing")
      table.tokenizer = FTS5TokenizerDescriptor(components: ["trigram"])
      table.column("name")
    }
    let place = "new.id, new.latitude, new.latitude, new.longitude, new.longitude"
    try db.execute(
      sql: """
        CREATE VIRTUAL TABLE place USING rtree(id, south, north, west, east);
        CREATE TRIGGER placeInserted AFTER INSERT ON landing WHEN new.latitude IS NOT NULL
        BEGIN
          INSERT INTO place VALUES (\(place));
        END;
        CREATE TRIGGER placeUpdated AFTER UPDATE ON landing
        WHEN new.latitude IS NOT old.latitude OR new.longitude IS NOT old.longitude
        BEGIN
          DELETE FROM place WHERE id = old.id;
          INSERT INTO place SELECT \(place) WHERE new.latitude IS NOT NULL;
        END;
        CREATE TRIGGER placeDeleted AFTER DELETE ON landing
        BEGIN
          DELETE FROM place WHERE id = old.id;
        END;
        """)
  }

  /// The file of the database.
  static func file(in folder: URL) -> URL { folder.appending(path: "landings.sqlite") }

  static func record(_ row: LandingRow) -> LandingRow { row }

  static func records(reading rows: LandingRows) throws -> [LandingRow] {
    try JSONDecoder().decode([LandingRow].self, from: rows.data)
  }

  static func key(of record: LandingRow) -> LandingKey {
    LandingKey(id: record.id, mass: record.mass)
  }

  func fill(_ records: [LandingRow]) async throws {
    try put { db in for record in records { try record.insert(db) } }
  }

  func commit(_ records: [LandingRow]) async throws {
    try put { db in for record in records { try record.upsert(db) } }
  }

  /// Writes on the thread of the caller, which costs less than from a task.
  private func put(_ updates: (Database) throws -> Void) throws { try database.write(updates) }

  func view() async throws -> any DatabaseWriter { database }

  func close() async throws { try database.close() }

  static func count(in view: any DatabaseWriter) throws -> Int {
    try view.read { db in try LandingRow.fetchCount(db) }
  }

  static func name(of id: Int, in view: any DatabaseWriter) throws -> String? {
    try view.read { db in try LandingRow.fetchOne(db, key: id)?.name }
  }

  static func grams(of ids: [Int], in view: any DatabaseWriter) throws -> Double {
    try ids.reduce(0) { sum, id in
      try sum + (view.read { db in try LandingRow.fetchOne(db, key: id)?.mass ?? 0 })
    }
  }

  static func heaviest(in view: any DatabaseWriter) throws -> [LandingRow] {
    try view.read(heaviest)
  }

  private static func heaviest(_ db: Database) throws -> [LandingRow] {
    try LandingRow.order(Column("mass").desc, Column("id")).limit(50).fetchAll(db)
  }

  static func heaviestOfRange(in view: any DatabaseWriter) throws -> [LandingRow] {
    try view.read { db in
      try LandingRow.filter((1_000.0...5_000.0).contains(Column("mass")))
        .order(Column("mass").desc, Column("id")).limit(20).fetchAll(db)
    }
  }

  static func count(named text: String, in view: any DatabaseWriter) throws -> Int {
    try view.read { db in
      try Int.fetchOne(
        db, sql: "SELECT count(*) FROM landingName WHERE landingName MATCH ?",
        arguments: ["\"\(text)\""]) ?? 0
    }
  }

  static func count(of class: String, in view: any DatabaseWriter) throws -> Int {
    try view.read { db in try LandingRow.filter(Column("class") == `class`).fetchCount(db) }
  }

  /// The ten nearest of those in a square of 10°.
  static func nearest(
    to place: Coordinate, in view: any DatabaseWriter
  ) throws -> [LandingRow] {
    let rows = try view.read { db in
      try LandingRow.fetchAll(
        db,
        sql: """
          SELECT landing.* FROM place JOIN landing ON landing.id = place.id
          WHERE south <= :north AND north >= :south AND west <= :east AND east >= :west
          """,
        arguments: [
          "south": place.latitude - 5, "north": place.latitude + 5,
          "west": place.longitude - 5, "east": place.longitude + 5,
        ])
    }
    return rows.compactMap { row in
      row.coordinate.map { (distance: place.distance(to: $0).meters, row: row) }
    }.sorted { ($0.distance, $0.row.id) < ($1.distance, $1.row.id) }.prefix(10).map(\.row)
  }

  func read(_ id: Int) async throws -> Bool {
    try await database.read { db in
      try LandingRow.fetchOne(db, key: id) != nil && Self.heaviest(db).count == 50
    }
  }

  func write(_ record: LandingRow) async throws {
    try await database.write { db in try record.upsert(db) }
  }
}
