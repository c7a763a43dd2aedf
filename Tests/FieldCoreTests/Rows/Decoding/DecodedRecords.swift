import FieldCore
import Foundation

/// The record of the front door.
struct DecodedTree: CatalogRecord, Hashable {
  let id: String
  let species: String?
  let height: Double?
  let coordinate: Coordinate?

  enum CodingKeys: String, CodingKey {
    case id = "treeid", species = "qspecies", height = "dbh", coordinate
  }
}

/// A record with a property of each kind.
struct DecodedSpot: CatalogRecord, Hashable {
  static let timeZone: FixedZone? = .taipei

  enum Kind: String, Codable { case park, street }

  struct Address: Codable, Hashable {
    var street: String?
    var number: Int?
  }

  var id: RecordID<DecodedSpot>
  var name: String?
  var size: Double?
  var width: Float?
  var count: Int?
  var level: Int8?
  var serial: UInt64?
  var isOpen: Bool?
  var day: CalendarDay?
  var moment: Date?
  var page: URL?
  var price: Decimal?
  var kind: Kind?
  var coordinate: Coordinate?
  var tags: [String]?
  var address: Address?
}

/// The same record, read by the accessors of a row.
struct HandReadSpot: CatalogRecord, Hashable {
  enum Columns: String, CodingKey, CaseIterable {
    case id, name, size, width, count, level, serial, isOpen, day, moment, page, price, kind
    case coordinate, latitude, longitude, geometry, tags, address
  }

  static let columns = Columns.allCases.map { RowColumn($0.rawValue) }

  var spot: DecodedSpot
  var id: RecordID<DecodedSpot> { spot.id }
  var coordinate: Coordinate? { spot.coordinate }

  init(row: borrowing SourceRow) throws(RowProblem) {
    guard let id = row.id(Columns.id) else { throw RowProblem("There is no ID.") }
    spot = DecodedSpot(id: RecordID(rawValue: id))
    spot.name = row.trimmedText(Columns.name)
    spot.size = row.double(Columns.size)
    spot.width = row.double(Columns.width).map { Float($0) }.flatMap { $0.isFinite ? $0 : nil }
    spot.count = row.integer(Columns.count)
    spot.level = row.integer(Columns.level).flatMap { Int8(exactly: $0) }
    spot.serial = row.integer(Columns.serial).flatMap { UInt64(exactly: $0) }
    spot.isOpen = row.bool(Columns.isOpen)
    spot.moment = row.date(Columns.moment, in: .taipei)
    // The day is that of the zone that the text states.
    spot.day = Columns.allCases.firstIndex(of: .day).flatMap { row.instant($0, in: .taipei)?.day }
    spot.page = row.webAddress(Columns.page)
    spot.price = row.double(Columns.price).flatMap { Decimal(string: "\($0)") }
    spot.kind = row.trimmedText(Columns.kind).flatMap { DecodedSpot.Kind(rawValue: $0) }
    spot.coordinate =
      row.coordinate(Columns.coordinate)
      ?? row.coordinate(latitude: Columns.latitude, longitude: Columns.longitude)
      ?? row.coordinate(Columns.geometry)
    let decoder = JSONDecoder()
    spot.tags = row.rawText(Columns.tags).flatMap {
      try? decoder.decode([String].self, from: Data($0.utf8))
    }
    spot.address = row.rawText(Columns.address).flatMap {
      try? decoder.decode(DecodedSpot.Address.self, from: Data($0.utf8))
    }
  }
}

/// Rows in every format that is read.
enum RowShape: String, CaseIterable {
  case array, lines, csv, tabs, positional, features, esri, envelope, objects

  /// Writes rows, whose cells are JSON values.
  func body(_ columns: [String], _ rows: [[String]]) -> String {
    func object(_ row: [String]) -> String {
      let members = zip(columns, row).filter { $0.1 != "" }.map { "\"\($0.0)\":\($0.1)" }
      return "{" + members.joined(separator: ",") + "}"
    }
    let objects = rows.map(object)
    switch self {
    case .array: return "[" + objects.joined(separator: ",") + "]"
    case .lines: return objects.joined(separator: "\n")
    case .csv: return separated(columns, rows, by: ",")
    case .tabs: return separated(columns, rows, by: "\t")
    case .positional:
      let names = columns.map { "{\"fieldName\":\"\($0)\"}" }.joined(separator: ",")
      let cells = rows.map { row in
        "[" + row.map { $0 == "" ? "null" : $0 }.joined(separator: ",") + "]"
      }
      return "{\"meta\":{\"view\":{\"columns\":[\(names)]}},\"data\":["
        + cells.joined(separator: ",") + "]}"
    case .features:
      let features = objects.map { "{\"type\":\"Feature\",\"properties\":\($0)}" }
      return "{\"type\":\"FeatureCollection\",\"features\":["
        + features.joined(separator: ",") + "]}"
    case .esri:
      return "{\"features\":["
        + objects.map { "{\"attributes\":\($0)}" }.joined(separator: ",") + "]}"
    case .envelope:
      return "{\"result\":{\"results\":[" + objects.joined(separator: ",") + "]}}"
    case .objects:
      return "{"
        + objects.enumerated().map { "\"row\($0.offset)\":\($0.element)" }.joined(separator: ",")
        + "}"
    }
  }

  private func separated(
    _ columns: [String], _ rows: [[String]], by separator: String
  ) -> String {
    let lines = rows.map { row in row.map(cell).joined(separator: separator) }
    return ([columns.joined(separator: separator)] + lines).joined(separator: "\n") + "\n"
  }

  /// Returns a JSON value as it is in a cell of separated values.
  private func cell(_ value: String) -> String {
    if value == "null" { return "" }
    var text = value
    if value.hasPrefix("\""),
      let string = try? JSONDecoder().decode(String.self, from: Data(value.utf8))
    {
      text = string
    }
    return "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
  }
}

extension Batch where Record: RowReadable {
  /// Reads a body.
  init(_ body: String) throws { try self.init(reading: Array(body.utf8)) }
}
