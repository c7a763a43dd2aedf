internal import FieldCore
internal import FieldFoundation

/// The response of a ``FakePortal`` to one request.
struct FakePortalResponder {
  private let dialect: FakePortal.Dialect
  let columns: [FakeSODAServer.Column]
  let state: FakePortal.State
  let request: FakeSODAServer.ReceivedRequest

  init(
    _ portal: FakePortal, _ state: FakePortal.State, _ request: FakeSODAServer.ReceivedRequest
  ) {
    (dialect, columns) = (portal.dialect, portal.columns)
    (self.state, self.request) = (state, request)
  }

  func response() -> TransportResponse {
    let path = request.url.path
    if let token = state.options.token,
      !(request.fields["X-Esri-Authorization"] ?? request.fields["Authorization"] ?? "").hasSuffix(
        token)
    {
      return switch dialect {
      case .arcGIS: json(#"{"error":{"code":499,"message":"Token Required","details":[]}}"#)
      case .ckan:
        json(
          #"{"success":false,"error":{"__type":"Authorization Error","message":"Access denied"}}"#,
          403)
      case .openDataSoft:
        json(#"{"error_code":"NotAuthenticated","message":"You must be authenticated."}"#, 401)
      }
    }
    switch dialect {
    case .arcGIS where path.hasSuffix("/FeatureServer/0"): return layer()
    case .arcGIS where path.hasSuffix("/FeatureServer/0/query"): return query()
    case .arcGIS where path.hasSuffix("/FeatureServer"):
      return json(#"{"layers":[{"id":0,"name":"Rows","subLayerIds":null}],"tables":[]}"#)
    case .arcGIS where path.hasSuffix("/api/v3/datasets"): return hub()
    case .openDataSoft: return openDataSoft(path)
    case .ckan where path.hasSuffix("/package_show"): return success(package)
    case .ckan where path.hasSuffix("/package_search"): return packages()
    case .ckan where path.hasSuffix("/resource_show"): return success(resource)
    case .ckan where path.hasSuffix("/datastore_info"): return info()
    case .ckan where path.hasSuffix("/download/rows.csv"): return file()
    case .ckan where path.hasSuffix("/action/datastore_search"): return search()
    default: return json(#"{"error":{"code":404,"message":"Not found","details":[]}}"#, 404)
    }
  }

  /// The value of a parameter: of the URL, of a form, or of a JSON object, as `ckanapi` sends.
  subscript(_ name: String) -> String? {
    if let value = request[parameter: name] { return value }
    guard !request.body.isEmpty else { return nil }
    if request.body.first != UInt8(ascii: "{") {
      return QueryItems(request.bodyText.replacing("+", with: " "))[name]
    }
    do {
      return switch try JSONDocument.value(request.body)[name] {
      case nil, .null?: nil
      case .string(let text)?, .number(let text)?: text
      case let value?: value.canonicalText
      }
    } catch {
      return nil
    }
  }

  func json(_ text: String, _ status: Int = 200) -> TransportResponse {
    TransportResponse(
      status: status, fields: ["Content-Type": "application/json; charset=utf-8"],
      body: .text(text))
  }

  // MARK: ArcGIS

  private static let types = [
    "number": "esriFieldTypeDouble", "fixed_timestamp": "esriFieldTypeDate",
  ]

  private func layer() -> TransportResponse {
    var fields = [#"{"name":"OBJECTID","type":"esriFieldTypeOID","alias":"OBJECTID"}"#]
    for column in columns where column.type != .point {
      let (name, title) = (FakeJSON.quoted(column.name), FakeJSON.quoted(column.title))
      let type = Self.types[column.type.rawValue] ?? "esriFieldTypeString"
      fields.append(#"{"name":\#(name),"type":"\#(type)","alias":\#(title)}"#)
    }
    let ordered = state.options.isOrdered
    let limit = state.options.statesLimit ? #""maxRecordCount":\#(state.options.pageCap),"# : ""
    let edits =
      state.options.recordsEdits
      ? #","editingInfo":{"lastEditDate":\#(Int64(1_767_225_600_000) + Int64(state.edits))}"# : ""
    return json(
      #"{"currentVersion":11.1,"id":0,"name":"Rows","type":"Feature Layer","description":"","copyrightText":"The city","#
        + #""geometryType":"esriGeometryPoint","objectIdField":"OBJECTID",\#(limit)"#
        + #""supportsStatistics":false,"supportsAdvancedQueries":\#(ordered),"advancedQueryCapabilities":{"supportsPagination":\#(ordered),"supportsOrderBy":\#(ordered)},"#
        + #""capabilities":"Query","fields":[\#(fields.joined(separator: ","))]\#(edits)}"#)
  }

  private static let refusal = TransportResponse(
    status: 200, fields: ["Content-Type": "application/json; charset=utf-8"],
    body: .text(
      #"{"error":{"code":400,"message":"Unable to complete operation.","details":["Unable to perform query operation."]}}"#
    ))

  private func query() -> TransportResponse {
    var rows = state.rows
    if !state.options.ignoresConditions {
      for condition in (self["where"] ?? "1=1").components(separatedBy: " AND ")
      where condition != "1=1" {
        let words = condition.split(separator: " ")
        guard words.count == 3, words[0] == "OBJECTID", let bound = Int(words[2]) else {
          return Self.refusal
        }
        rows = rows.filter { row in
          switch words[1] {
          case ">": row.number > bound
          case ">=": row.number >= bound
          case "<": row.number < bound
          case "<=": row.number <= bound
          default: row.number == bound
          }
        }
      }
    }
    if self["returnCountOnly"] == "true" { return json(#"{"count":\#(rows.count)}"#) }
    if self["returnIdsOnly"] == "true" {
      let ids = rows.map { String($0.number) }.joined(separator: ",")
      return json(#"{"objectIdFieldName":"OBJECTID","objectIds":[\#(ids)]}"#)
    }
    if state.options.refusesOrder, self["orderByFields"] != nil {
      return Self.refusal
    }
    // Without an order, a database returns rows as it finds them.
    if !state.options.isOrdered { rows.reverse() }
    rows = Array(rows.dropFirst(self["resultOffset"].flatMap { Int($0) } ?? 0))
    let limit = min(
      self["resultRecordCount"].flatMap { Int($0) } ?? .max, state.options.pageCap)
    let isExceeded = rows.count > limit
    let features = rows.prefix(limit).map(feature).joined(separator: ",")
    let wkid = state.options.isProjected ? #"{"wkid":102100,"latestWkid":3857}"# : #"{"wkid":4326}"#
    return json(
      #"{"objectIdFieldName":"OBJECTID","geometryType":"esriGeometryPoint","spatialReference":\#(wkid),"features":[\#(features)]"#
        + (isExceeded && state.options.statesLimit ? #","exceededTransferLimit":true}"# : "}"))
  }

  private func feature(_ row: (number: Int, row: FakeSODAServer.Row)) -> String {
    var cells = state.options.hidesNumbers ? [] : ["\"OBJECTID\":\(row.number)"]
    var geometry = ""
    for column in columns {
      let cell = row.row[column.name] ?? .null
      if case .point(let longitude, let latitude) = cell {
        var (x, y) = (longitude, latitude)
        if state.options.isProjected {
          (x, y) = (longitude * 111_319.490_793_273_57, Self.height(latitude))
        }
        geometry = #","geometry":{"x":\#(x),"y":\#(y)}"#
      } else if column.type != .point {
        cells.append("\(FakeJSON.quoted(column.name)):\(text(cell, inMilliseconds: true))")
      }
    }
    return #"{"attributes":{\#(cells.joined(separator: ","))}\#(geometry)}"#
  }

  /// Returns the height of a latitude in Web Mercator, by the inverse hyperbolic tangent of its sine.
  private static func height(_ latitude: Double) -> Double {
    let sine = Angle.sine(latitude * .pi / 180)
    // Artanh by its series, since logarithms are in the C library: fast enough below 60 degrees.
    var (sum, power, count) = (0.0, sine, 1.0)
    while abs(power / count) > 1e-18, count < 4_000 {
      sum += power / count
      power *= sine * sine
      count += 2
    }
    return 6_378_137 * sum
  }

  func text(_ cell: FakeSODAServer.Cell, inMilliseconds: Bool = false) -> String {
    switch cell {
    case .null, .location: "null"
    case .text(let text): FakeJSON.quoted(text)
    case .number(let text), .json(let text): text
    case .checkbox(let isSet): isSet ? "true" : "false"
    case .point(let longitude, let latitude):
      #"{"type":"Point","coordinates":[\#(longitude),\#(latitude)]}"#
    case .timestamp(let text):
      inMilliseconds
        ? TimestampParser(zone: .utc).instant(text).map {
          String(Int64(($0.date.timeIntervalSince1970 * 1000).rounded()))
        } ?? "null" : FakeJSON.quoted(text)
    }
  }

  // MARK: CKAN

  private func search() -> TransportResponse {
    var rows = state.rows
    if let filters = self["filters"], !state.options.ignoresConditions {
      guard let bound = FakeJSON.read(filters.utf8)?["_id"]?["gt"]?.integer, state.options.hasRanges
      else {
        return json(
          #"{"success":false,"error":{"__type":"Validation Error","filters":["invalid filters"]}}"#,
          409)
      }
      rows = rows.filter { $0.number > bound }
    }
    let total = rows.count
    let limit = min(
      self["limit"].flatMap { Int($0) } ?? 100, state.options.pageCap)
    rows = Array(
      rows.dropFirst(self["offset"].flatMap { Int($0) } ?? 0).prefix(limit))
    let wanted = self["fields"].map { $0.components(separatedBy: ",") }
    let records = rows.map { row in
      var cells = ["\"_id\":\(row.number)"]
      for column in columns where wanted?.contains(column.name) ?? true {
        cells.append("\(FakeJSON.quoted(column.name)):\(text(row.row[column.name] ?? .null))")
      }
      return "{\(cells.joined(separator: ","))}"
    }
    let fields = ckanFields
    let next = state.options.hasRanges ? #","next_page":{"filters":{}}"# : ""
    return json(
      #"{"success":true,"result":{"fields":[\#(fields.joined(separator: ","))],"records":[\#(records.joined(separator: ","))],"total":\#(total),"limit":\#(limit)\#(next)}}"#
    )
  }
}
