internal import FieldCore
internal import FieldFoundation

/// A feature service's description of a layer or a table.
struct ArcGISDescription: Sendable {
  struct Field: Sendable {
    var name: String
    var title: String
    /// The type, such as `esriFieldTypeDate`.
    var type: String
    /// The texts of coded values, by code.
    var domain: [String: String]
  }

  var name: String
  var summary: String
  var copyright: String
  var fields: [Field]
  /// The field that numbers the rows.
  var keyField: String
  /// The maximum number of rows in a response, whatever is requested; `nil` for services that don't say.
  var pageLimit: Int?
  var capabilities: [String]
  /// Whether rows can be requested in an order.
  var isOrdered: Bool
  /// Whether a response can be limited to a number of rows.
  var isLimited: Bool
  var hasZ: Bool
  /// Whether dates are those of clocks in an unknown time zone.
  var hasLocalDates: Bool
  /// The time of the last edit, in milliseconds; `nil` for services that don't record edits.
  var editedAt: Int64?
  var reference: JSONValue?
  /// The field with the subtype of a row, and the texts of the coded values that a subtype has of its own, by its number.
  var typeField: String?
  var typeNames: [String: String] = [:]
  var typeDomains: [String: [String: [String: String]]] = [:]

  /// Reads the response to a request for a layer.
  init(_ value: JSONValue, at url: URL) throws(FieldError) {
    guard let fields = value["fields"]?.elements, !fields.isEmpty else {
      throw FieldError(
        .portalUnsupported,
        value["layers"] == nil
          ? "\(url.absoluteString) isn't a layer with rows: it has no fields."
          : "\(url.absoluteString) is a service with several layers. Add the number of one, such as /0."
      )
    }
    name = value["name"]?.string ?? ""
    summary = value["description"]?.string ?? ""
    copyright = value["copyrightText"]?.string ?? ""
    self.fields = fields.compactMap { field in
      guard let name = field["name"]?.string, let type = field["type"]?.string else { return nil }
      return Field(
        name: name, title: field["alias"]?.string ?? name, type: type,
        domain: Self.texts(field["domain"]))
    }
    let key =
      value["objectIdField"]?.string
      ?? self.fields.first { $0.type == "esriFieldTypeOID" }?.name
    guard let key, !key.isEmpty else {
      throw FieldError(
        .portalUnsupported,
        "\(url.absoluteString) has no field that numbers its rows, so pages of it can't be told apart."
      )
    }
    keyField = key
    pageLimit = value["maxRecordCount"]?.integer.flatMap { $0 > 0 ? $0 : nil }
    capabilities =
      (value["capabilities"]?.string ?? "").split(separator: ",").map {
        String($0.filter { $0 != " " })
      }
    let advanced = value["advancedQueryCapabilities"]
    func states(_ name: String, _ older: String) -> Bool {
      (advanced?[name] ?? value[older]) == .bool(true)
    }
    isOrdered = states("supportsOrderBy", "supportsAdvancedQueries")
    isLimited = states("supportsPagination", "supportsPagination")
    hasZ = value["hasZ"] == .bool(true)
    hasLocalDates = value["datesInUnknownTimezone"] == .bool(true)
    let editing = value["editingInfo"]
    editedAt = (editing?["dataLastEditDate"] ?? editing?["lastEditDate"]).flatMap(Self.int64)
    reference = value["extent"]?["spatialReference"] ?? value["sourceSpatialReference"]
    readTypes(value)
  }

  private mutating func readTypes(_ value: JSONValue) {
    guard let field = value["typeIdField"]?.string, !field.isEmpty,
      let types = value["types"]?.elements
    else { return }
    typeField = field
    for type in types {
      guard let id = type["id"].flatMap(Self.code) else { continue }
      typeNames[id] = type["name"]?.string
      if case .object(let members) = type["domains"] {
        for member in members where member.value["type"]?.string == "codedValue" {
          typeDomains[id, default: [:]][member.key] = Self.texts(member.value)
        }
      }
    }
  }

  /// Returns the texts of a domain's codes; empty for a range of numbers.
  private static func texts(_ domain: JSONValue?) -> [String: String] {
    var texts: [String: String] = [:]
    for value in domain?["codedValues"]?.elements ?? [] {
      if let code = value["code"].flatMap(code), let name = value["name"]?.string {
        texts[code] = name
      }
    }
    return texts
  }

  /// Returns a code as text; numbers that are equal have equal texts.
  static func code(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .number(let text): int64(value).map { String($0) } ?? text
    default: nil
    }
  }

  static func int64(_ value: JSONValue) -> Int64? {
    guard case .number(let text) = value else { return nil }
    return Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
  }

  /// The types of the fields by name, as other portals name them.
  static let typeNames = [
    "esriFieldTypeOID": "number", "esriFieldTypeInteger": "number",
    "esriFieldTypeSmallInteger": "number", "esriFieldTypeBigInteger": "number",
    "esriFieldTypeDouble": "number", "esriFieldTypeSingle": "number",
    "esriFieldTypeDate": "date", "esriFieldTypeDateOnly": "date",
    "esriFieldTypeTimestampOffset": "date", "esriFieldTypeGeometry": "geometry",
  ]
}
