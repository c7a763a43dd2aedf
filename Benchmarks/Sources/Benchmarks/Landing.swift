import Foundation
import GRDB
import MeteorKit

/// A meteorite as a stranger to FieldKit declares it: a plain `Codable` struct, and the fields that queries use.
struct Landing: CatalogRecord {
  let id: Int
  let name: String
  let mass: Double?
  let year: Int?
  let `class`: String
  let coordinate: Coordinate?

  static let indexes: [RecordIndex<Landing>] = [.text(\.name), .order(\.mass), .value(\.class)]
}

/// The same meteorite as a plain `Codable` record of GRDB, and as a row of the JSON that all sides read.
struct LandingRow: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "landing"

  let id: Int
  let name: String
  var mass: Double?
  let year: Int?
  let `class`: String
  let latitude: Double?
  let longitude: Double?

  /// Returns `nil` if the ID isn't a number.
  init?(_ meteorite: Meteorite) {
    guard let number = Int(meteorite.id.rawValue) else { return nil }
    (id, name, mass) = (number, meteorite.name, meteorite.massInGrams)
    (year, `class`) = (meteorite.year?.rawValue, meteorite.classification.rawValue)
    (latitude, longitude) = (meteorite.coordinate?.latitude, meteorite.coordinate?.longitude)
  }

  var coordinate: Coordinate? {
    guard let latitude, let longitude else { return nil }
    return try? Coordinate(latitude: latitude, longitude: longitude)
  }
}

/// Rows, and the JSON that contains them.
struct LandingRows {
  let rows: [LandingRow]
  let bytes: [UInt8]
  let data: Data

  init(_ meteorites: [Meteorite]) throws {
    rows = meteorites.compactMap(LandingRow.init)
    data = try JSONEncoder().encode(rows)
    bytes = [UInt8](data)
  }
}
