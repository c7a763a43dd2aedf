internal import FieldCore
internal import FieldFoundation

/// The conversion of features into flat rows: dates and coded values become texts, and shapes become locations.
struct ArcGISRows {
  private let layer: ArcGISDescription
  private let reference: EsriReference
  private let dates: Set<String>
  private let coded: [String: [String: String]]

  init(_ layer: ArcGISDescription, reference: EsriReference) {
    self.layer = layer
    self.reference = reference
    dates = Set(layer.fields.filter { $0.type == "esriFieldTypeDate" }.map(\.name))
    coded = Dictionary(
      layer.fields.filter { !$0.domain.isEmpty }.map { ($0.name, $0.domain) }
    ) { $1 }
  }

  /// Appends a feature as an object.
  ///
  /// A coded value keeps its code in a column whose name ends in `_code`. The column `geometry` contains the location of the record, a
  /// point, and `shape_geojson` the whole shape if it isn't one.
  func append(_ row: borrowing SourceRow, to rows: inout [UInt8]) {
    guard let feature = row.object else { return rows.append(contentsOf: "{}".utf8) }
    var members: [JSONValue.Member] = []
    if case .object(let given) = feature["attributes"] ?? feature["properties"] {
      let type = layer.typeField.flatMap { name in
        given.last { $0.key == name }.flatMap { ArcGISDescription.code($0.value) }
      }
      for member in given { append(member, of: type, to: &members) }
    }
    if let shape = feature["geometry"].flatMap({ EsriShape($0, hasZ: layer.hasZ) }) {
      append(shape, to: &members)
    }
    rows += JSONValue.object(members).canonicalText.utf8
  }

  private func append(
    _ member: JSONValue.Member, of type: String?, to members: inout [JSONValue.Member]
  ) {
    let name = member.key
    if dates.contains(name), let text = text(ofDate: member.value) {
      return members.append(JSONValue.Member(key: name, value: .string(text)))
    }
    guard let code = ArcGISDescription.code(member.value),
      let text = type.flatMap({ layer.typeDomains[$0]?[name]?[code] }) ?? coded[name]?[code]
        ?? (name == layer.typeField ? layer.typeNames[code] : nil)
    else { return members.append(member) }
    members.append(JSONValue.Member(key: name, value: .string(text)))
    let codeName = "\(name)_code"
    if !layer.fields.contains(where: { $0.name == codeName }) {
      members.append(JSONValue.Member(key: codeName, value: member.value))
    }
  }

  /// Returns a number of milliseconds since 1970 as a date.
  private func text(ofDate value: JSONValue) -> String? {
    guard let milliseconds = ArcGISDescription.int64(value),
      // From the year 1 through 9999.
      (-62_135_596_800_000...253_402_300_799_999).contains(milliseconds)
    else { return nil }
    let fraction = ((milliseconds % 1000) + 1000) % 1000
    let seconds = (milliseconds - fraction) / 1000
    let whole = TimestampWriter.iso8601(Date(timeIntervalSince1970: Double(seconds)))
    let digits = String(1000 + fraction).dropFirst()
    return whole.dropLast(4) + digits + (layer.hasLocalDates ? "" : "Z")
  }

  private func append(_ shape: EsriShape, to members: inout [JSONValue.Member]) {
    guard let geometry = shape.geoJSON(in: reference) else { return }
    var point = geometry
    if shape.kind != .point {
      guard let center = shape.center else { return }
      members.append(JSONValue.Member(key: "shape_geojson", value: geometry))
      point =
        EsriShape(point: center).geoJSON(in: reference) ?? geometry
    }
    members.removeAll { $0.key == "geometry" }
    members.append(JSONValue.Member(key: "geometry", value: point))
  }
}

extension EsriShape {
  /// Creates a point.
  init(point: Position) { (kind, parts) = (.point, [[point]]) }
}
