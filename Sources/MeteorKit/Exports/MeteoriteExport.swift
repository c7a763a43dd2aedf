internal import FieldCore
public import FieldFoundation

extension Sequence<Meteorite> {
  /// Returns the meteorites as a CSV file (RFC 4180, UTF-8, CRLF), with the columns of NASA's
  /// export.
  ///
  /// Years are written as dates such as `0861-01-01T00:00:00.000`, which have no Julian shift to
  /// correct. Reading the file with `Batch<Meteorite>(reading:)` restores the same meteorites.
  public func csv() -> Data {
    var text = "name,id,nametype,recclass,mass (g),fall,year,reclat,reclong,GeoLocation\r\n"
    for meteorite in self {
      let coordinate = meteorite.coordinate
      let cells: [String] = [
        meteorite.name,
        meteorite.id.rawValue,
        meteorite.nameType.rawValue,
        meteorite.classification.rawValue,
        meteorite.massInGrams.map(Self.plain) ?? meteorite.unreadable[MeteoriteColumn.mass] ?? "",
        meteorite.fall.rawValue,
        meteorite.year.map(Self.date) ?? meteorite.unreadable[MeteoriteColumn.year] ?? "",
        coordinate.map { Self.plain($0.latitude) } ?? "",
        coordinate.map { Self.plain($0.longitude) } ?? "",
        coordinate.map { "(\(Self.plain($0.latitude)), \(Self.plain($0.longitude)))" }
          ?? meteorite.unreadable[MeteoriteColumn.position] ?? "",
      ]
      text += cells.map(\.csvCell).joined(separator: ",") + "\r\n"
    }
    return Data(text.utf8)
  }

  /// Returns the meteorites as GeoJSON (RFC 7946), with the dataset's columns as properties.
  ///
  /// Each meteorite is a feature; its geometry is null if it has no position. Longitudes beyond
  /// 180° are wrapped, as the RFC requires, and the property `positionIssue` still names the issue.
  public func geoJSON() -> Data {
    var writer = GeoJSONWriter()
    for meteorite in self {
      writer.add(
        meteorite.coordinate, id: .string(meteorite.id.rawValue),
        properties: [
          ("name", .string(meteorite.name)),
          ("id", .string(meteorite.id.rawValue)),
          ("nametype", .string(meteorite.nameType.rawValue)),
          ("recclass", .string(meteorite.classification.rawValue)),
          ("mass", meteorite.massInGrams.map { .number($0) } ?? .null),
          ("fall", .string(meteorite.fall.rawValue)),
          ("year", meteorite.year.map { .string(Self.date($0)) } ?? .null),
          ("positionIssue", meteorite.positionIssue.map { .string($0.rawValue) } ?? .null),
        ])
    }
    return Data(writer.finish())
  }

  private static func date(_ year: Meteorite.Year) -> String {
    "\(year.rawValue < 0 ? "-" : "")\(year.rawValue.magnitude.digits(4))-01-01T00:00:00.000"
  }

  /// Returns the shortest text that reads as the same number, without `.0`.
  private static func plain(_ number: Double) -> String {
    let text = number.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
