package import FieldCore

/// The usual names of the dataset's columns.
enum MeteoriteColumn {
  static let id = "id"
  static let mass = "mass"
  static let year = "year"
  static let position = "geolocation"
}

extension Meteorite {
  fileprivate enum Position {
    static let id = 0
    static let name = 1
    static let nameType = 2
    static let classification = 3
    static let mass = 4
    static let fall = 5
    static let year = 6
    static let latitude = 7
    static let longitude = 8
    static let geolocation = 9
  }

  package static var rowColumns: [RowColumn] {
    [
      RowColumn(MeteoriteColumn.id),
      RowColumn("name"),
      RowColumn("nametype", "name_type", "name type"),
      RowColumn("recclass", "class", "classification"),
      RowColumn(MeteoriteColumn.mass, "mass (g)", "mass_g", "mass(g)"),
      RowColumn("fall"),
      RowColumn(MeteoriteColumn.year),
      RowColumn("reclat", "latitude", "lat"),
      RowColumn("reclong", "longitude", "lon", "long"),
      RowColumn(MeteoriteColumn.position, "geometry", "location"),
    ]
  }

  package static var rowKey: Int { Position.id }

  package init(row: borrowing SourceRow) throws(RowProblem) { self.init(try Fields(row: row)) }
}

extension Meteorite.Fields {
  private typealias Position = Meteorite.Position
  private typealias ID = Meteorite.ID
  private typealias Fall = Meteorite.Fall
  private typealias NameType = Meteorite.NameType

  fileprivate init(row: borrowing SourceRow) throws(RowProblem) {
    id = try Self.id(row)
    name = row.text(Position.name) ?? ""
    classification =
      row.text(Position.classification).map(Meteorite.Classification.init(rawValue:)) ?? .unknown
    fall = Self.fall(row)
    nameType = Self.nameType(row)
    unreadable = [:]
    readMass(row)
    readYear(row)
    readPosition(row)
  }

  private static func id(_ row: borrowing SourceRow) throws(RowProblem) -> ID {
    if let number = row.plainNumber(Position.id) { return ID(number) }
    guard let key = row.id(Position.id) else {
      throw RowProblem("there is no id, which identifies meteorites")
    }
    return ID(rawValue: key)
  }

  private static func fall(_ row: borrowing SourceRow) -> Fall {
    if row.isText(Position.fall, "Found") { return .found }
    if row.isText(Position.fall, "Fell") { return .fell }
    return row.trimmedText(Position.fall).map(Fall.init(rawValue:)) ?? .unknown
  }

  private static func nameType(_ row: borrowing SourceRow) -> NameType {
    if row.isText(Position.nameType, "Valid") { return .valid }
    return row.trimmedText(Position.nameType).map(NameType.init(rawValue:)) ?? .valid
  }

  private mutating func readMass(_ row: borrowing SourceRow) {
    if let mass = row.double(Position.mass), mass >= 0 {
      massInGrams = mass
    } else if let text = row.rawText(Position.mass) {
      unreadable[MeteoriteColumn.mass] = text
    }
  }

  /// Reads the year. CSV exports use the Julian calendar before 1582, where January 1 of a
  /// Gregorian year falls in the previous year. A full ISO date is a Socrata timestamp, which has
  /// no such shift.
  private mutating func readYear(_ row: borrowing SourceRow) {
    let isCSV = row.format == .csv
    let reading = row.withUTF8(Position.year) { text -> Int? in
      guard let year = FloatingYear.year(in: text) else { return Self.wideYear(text, row) }
      return isCSV && year < 1582 && !Self.isISODate(text) ? year + 1 : year
    }
    if let year = reading ?? nil {
      self.year = Meteorite.Year(year)
    } else if let text = row.rawText(Position.year) {
      unreadable[MeteoriteColumn.year] = text
    }
  }

  /// Returns the year in full-width digits.
  private static func wideYear(_ text: Span<UInt8>, _ row: borrowing SourceRow) -> Int? {
    guard text.indices.contains(where: { text[$0] >= 0x80 }),
      let year = row.integer(Position.year), (-9999...9999).contains(year)
    else { return nil }
    return year
  }

  private static func isISODate(_ text: Span<UInt8>) -> Bool {
    for position in text.indices where position > 0 && text[position] == UInt8(ascii: "-") {
      return true
    }
    return false
  }

  private mutating func readPosition(_ row: borrowing SourceRow) {
    if let latitude = row.double(Position.latitude), let longitude = row.double(Position.longitude),
      let position = Coordinate(validLatitude: latitude, longitude: longitude)
    {
      coordinate = position
      return
    }
    let texts = (row.rawText(Position.latitude), row.rawText(Position.longitude))
    if texts.0 == nil && texts.1 == nil { return readGeolocation(row) }
    unreadable[MeteoriteColumn.position] = "\(texts.0 ?? ""), \(texts.1 ?? "")"
  }

  /// Reads the geometry, in any of its four generations, if the file gives no latitude and
  /// longitude.
  private mutating func readGeolocation(_ row: borrowing SourceRow) {
    guard let text = row.rawText(Position.geolocation),
      let pair = row.json(Position.geolocation).flatMap(Geolocation.pair)
    else { return }
    if let latitude = pair.latitude, let longitude = pair.longitude,
      let position = Coordinate(validLatitude: latitude, longitude: longitude)
    {
      coordinate = position
    } else {
      unreadable[MeteoriteColumn.position] = text
    }
  }
}
