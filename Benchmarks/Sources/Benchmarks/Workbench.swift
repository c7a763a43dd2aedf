import Foundation
import GRDB
import MeteorKit

/// What all benchmarks work on: the same rows for all.
struct Workbench {
  let ndjson: [UInt8]
  /// The rows as one JSON array, as the portal gave it.
  let json: [UInt8]
  let meteorites: [Meteorite]
  let folder: URL

  init(ndjson: [UInt8]) throws {
    self.ndjson = ndjson
    var json: [UInt8] = [UInt8(ascii: "[")]
    json.reserveCapacity(ndjson.count + 2)
    for byte in ndjson {
      json.append(byte)
      if byte == UInt8(ascii: "\n") { json.append(UInt8(ascii: ",")) }
    }
    while let last = json.last, last == UInt8(ascii: ",") || last == UInt8(ascii: "\n") {
      json.removeLast()
    }
    json.append(UInt8(ascii: "]"))
    json.append(UInt8(ascii: "\n"))
    self.json = json
    meteorites = try MeteoriteRows(reading: json).meteorites
    folder = FileManager.default.temporaryDirectory.appending(
      path: "fieldkit-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// A new file or folder name.
  func path(_ name: String) -> URL { folder.appending(path: "\(name)-\(UUID().uuidString)") }
}

/// Nothing is sent.
struct Offline: Transport {
  func send(_ request: TransportRequest) async throws -> TransportResponse {
    throw FieldError(.offline, "benchmarks send nothing")
  }
}

/// The row as `JSONDecoder` reads it.
struct WireMeteorite: Decodable {
  struct Geolocation: Decodable {
    let coordinates: [Double]
  }

  let name: String
  let id: String
  let nametype: String
  let recclass: String
  let mass: String?
  let fall: String
  let year: String?
  let reclat: String?
  let reclong: String?
  let geolocation: Geolocation?
}

/// The row as GRDB stores and fetches it, with a hand-written initialiser.
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

enum Rival {
  static func database(at url: URL) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    }
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
    try queue.write { db in
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
  }
}
