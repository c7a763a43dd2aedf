import FieldKit

// atlas:begin own
/// A row of any table: all of its cells, by the names of their columns.
struct OpenRow: CatalogRecord {
  /// A cell that isn't blank.
  struct Cell: Sendable, Equatable {
    var column: String
    var text: String
    /// The place in the cell, if it's the text or the object of one.
    var place: Coordinate?
    /// The lines of a shape in the cell, each of longitudes and latitudes in turn.
    var outline: [[Double]]?
  }

  /// The text of the first cell: no column is known to identify a row.
  let id: String
  let cells: [Cell]

  init(from decoder: any Decoder) throws {
    let row = try decoder.container(keyedBy: ColumnName.self)
    // Asking which keys there are makes FieldKit read all columns of a source.
    cells = try row.allKeys.filter(\.isOfData).prefix(OwnLimits.columns).compactMap { key in
      try Cell(at: key, in: row)
    }
    id = cells.first?.text ?? ""
  }

  func encode(to encoder: any Encoder) throws {
    var row = encoder.container(keyedBy: ColumnName.self)
    for cell in cells { try row.encode(cell.text, forKey: ColumnName(stringValue: cell.column)) }
  }
}
// atlas:end own

/// The name of a column as a coding key.
struct ColumnName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }

  /// A Boolean value that indicates whether the column isn't one of Socrata's own, except the one that identifies rows.
  var isOfData: Bool { !stringValue.hasPrefix(":") || stringValue == ":id" }
}

extension OpenRow.Cell {
  /// Reads a cell, or returns `nil` if it's blank.
  init?(at key: ColumnName, in row: KeyedDecodingContainer<ColumnName>) throws {
    guard try !row.decodeNil(forKey: key) else { return nil }
    let nested = try? row.decode(NestedCell.self, forKey: key)
    let text = try nested?.text ?? row.decodeIfPresent(String.self, forKey: key)
    guard let text, !text.isEmpty else { return nil }
    self.init(
      column: key.stringValue, text: String(text.prefix(OwnLimits.cellLength)),
      outline: nested?.outline)
    if nested != nil || text.contains("(") || text.contains(",") {
      place = try? row.decodeIfPresent(Coordinate.self, forKey: key)
      if place == nil, let outline { place = Self.middle(of: outline) }
    }
  }

  /// Returns the middle of the box around a shape.
  private static func middle(of outline: [[Double]]) -> Coordinate? {
    var (west, south, east, north) = (
      Double.infinity, Double.infinity, -Double.infinity, -Double.infinity
    )
    for line in outline {
      for place in stride(from: 0, to: line.count - 1, by: 2) {
        (west, east) = (min(west, line[place]), max(east, line[place]))
        (south, north) = (min(south, line[place + 1]), max(north, line[place + 1]))
      }
    }
    return try? Coordinate(latitude: (south + north) / 2, longitude: (west + east) / 2)
  }
}

/// A cell that is an object or an array, such as the geometry of GeoJSON.
private struct NestedCell: Decodable {
  var text: String
  var outline: [[Double]]?

  private enum Keys: String, CodingKey { case type, coordinates }

  init(from decoder: any Decoder) throws {
    guard let object = try? decoder.container(keyedBy: Keys.self) else {
      // An array that isn't one of these can't be shown in a line.
      let texts = try decoder.singleValueContainer().decode([String].self)
      text = texts.joined(separator: ", ")
      return
    }
    let type = try object.decodeIfPresent(String.self, forKey: .type)
    text = type ?? "{…}"
    guard type != nil, type != "Point", object.contains(.coordinates) else { return }
    var reader = OutlineReader()
    try reader.read(try object.nestedUnkeyedContainer(forKey: .coordinates), depth: 0)
    outline = reader.lines.isEmpty ? nil : reader.lines
  }
}

/// A reader of the nested arrays of a shape.
private struct OutlineReader {
  var lines: [[Double]] = []
  private var count = 0

  mutating func read(_ array: any UnkeyedDecodingContainer, depth: Int) throws {
    var (array, line) = (array, [Double]())
    while !array.isAtEnd, depth < 4, count < OwnLimits.outlineLength {
      guard let nested = try? array.nestedUnkeyedContainer() else { return }
      if let place = Self.place(nested) {
        line += place
        count += 1
      } else {
        try read(nested, depth: depth + 1)
      }
    }
    if line.count > 2 { lines.append(line) }
  }

  private static func place(_ array: any UnkeyedDecodingContainer) -> [Double]? {
    var array = array
    guard let longitude = try? array.decode(Double.self),
      let latitude = try? array.decode(Double.self),
      abs(longitude) <= 180, abs(latitude) <= 90
    else { return nil }
    return [longitude, latitude]
  }
}

/// The limits of what a visitor may bring.
enum OwnLimits {
  /// The largest file or response, in bytes.
  static let fileSize = 32 << 20
  /// The largest sum of the files in an archive, in bytes.
  static let archiveSize: Int64 = 192 << 20
  /// The time for all requests for a dataset.
  static let time = Duration.seconds(120)
  /// The largest table in an archive, in bytes.
  static let tableSize: Int64 = 64 << 20
  static let rows = 100_000
  /// The largest number of signs that separate cells.
  static let separators = 3_000_000
  static let columns = 60
  static let cellLength = 1_000
  /// The largest number of positions of a shape.
  static let outlineLength = 400
  static let datasets = 8
  /// The longest address, in bytes.
  static let addressLength = 2_048
  /// The number of failed rows to keep for the page.
  static let failures = 200
}
