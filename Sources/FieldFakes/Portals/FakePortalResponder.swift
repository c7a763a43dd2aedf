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

  private static let esriTypes = [
    "number": "esriFieldTypeDouble", "fixed_timestamp": "esriFieldTypeDate",
  ]

  private func layer() -> TransportResponse {
    var fields = [#"{"name":"OBJECTID","type":"esriFieldTypeOID","alias":"OBJECTID"}"#]
    for column in columns where column.type != .point {
      let (name, title) = (FakeJSON.quoted(column.name), FakeJSON.quoted(column.title))
      let type = Self.esriTypes[column.type.rawValue] ?? "esriFieldTypeString"
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

// MARK: - Descriptions

/// What portals say about a dataset besides its rows.
extension FakePortalResponder {
  private var root: String {
    let url = request.url
    return "\(url.scheme ?? "https")://\(url.host() ?? "")\(url.port.map { ":\($0)" } ?? "")"
  }

  /// The entry of a Hub site.
  func hub() -> TransportResponse {
    let slug = self["filter[slug]"] ?? ""
    let layer = "\(root)/rest/services/Rows/FeatureServer/0"
    return json(
      #"{"data":[{"id":"0123456789abcdef0123456789abcdef_0","type":"dataset","attributes":{"name":"Rows","slug":\#(FakeJSON.quoted(slug)),"#
        + #""url":"\#(layer)","owner":"city","licenseInfo":"<p>Open License v2.0</p>","description":"<b>All</b> rows"}}]}"#
    )
  }

  // MARK: CKAN

  func success(_ result: String) -> TransportResponse {
    json(#"{"help":"","success":true,"result":\#(result)}"#)
  }

  private static let ckanTypes = ["number": "numeric", "fixed_timestamp": "timestamp"]

  /// The columns with their types.
  var ckanFields: [String] {
    [#"{"id":"_id","type":"int"}"#]
      + columns.map {
        let type = Self.ckanTypes[$0.type.rawValue] ?? "text"
        return #"{"id":\#(FakeJSON.quoted($0.name)),"type":"\#(type)"}"#
      }
  }

  /// The resource of the dataset.
  var resource: String {
    #"{"id":"rows-1","name":"Rows as a table","format":"CSV","package_id":"rows","datastore_active":\#(state.options.hasDatastore),"#
      + #""url":"\#(root)/dataset/rows/resource/rows-1/download/rows.csv","last_modified":"2026-01-02T03:04:05.678901"}"#
  }

  /// The dataset.
  var package: String {
    #"{"id":"rows","name":"rows","title":"Rows","notes":"All rows","license_title":"Open License v2.0","organization":{"title":"The city"},"#
      + #""metadata_modified":"2026-01-02T03:04:05","resources":[{"id":"rows-0","name":"Report","format":"PDF","url":"\#(root)/report.pdf"},\#(resource)]}"#
  }

  /// Returns the names of the datasets in the catalog that contain a text, in any case.
  func names(containing text: String) -> [String] {
    (0..<max(0, state.options.catalogSize)).map { $0 == 0 ? "rows" : "rows-\($0 + 1)" }
      .filter { text.isEmpty || $0.contains(text.lowercased()) }
  }

  /// Returns a page of names, by the parameters of a request.
  func page(of names: [String], start: String, limit: String, default count: Int) -> [String] {
    let start = self[start].flatMap { Int($0) } ?? 0
    let limit = min(self[limit].flatMap { Int($0) } ?? count, state.options.pageCap)
    return Array(names.dropFirst(start).prefix(limit))
  }

  func packages() -> TransportResponse {
    let names = names(containing: self["q"] ?? "")
    let results = page(of: names, start: "start", limit: "rows", default: 10).map {
      package.replacing(#""name":"rows""#, with: #""name":"\#($0)""#)
    }
    return success(
      #"{"count":\#(names.count),"sort":"score desc","results":[\#(results.joined(separator: ","))]}"#
    )
  }

  func info() -> TransportResponse {
    guard state.options.hasDatastore else {
      return json(
        #"{"success":false,"error":{"__type":"Not Found Error","message":"Not found"}}"#, 404)
    }
    return success(
      #"{"meta":{"id":"rows-1","count":\#(state.rows.count),"table_type":"table"},"fields":[\#(ckanFields.joined(separator: ","))]}"#
    )
  }

  /// The rows as CSV, unless the client has them.
  func file() -> TransportResponse {
    let tag = "\"rows-\(state.edits)\""
    if request.fields["If-None-Match"] == tag {
      return TransportResponse(status: 304, fields: ["ETag": tag])
    }
    let lines =
      [columns.map { Self.cell(.text($0.name)) }]
      + state.rows.map { row in columns.map { Self.cell(row.row[$0.name] ?? .null) } }
    return TransportResponse(
      status: 200, fields: ["Content-Type": "text/csv; charset=utf-8", "ETag": tag],
      body: .text(lines.map { $0.joined(separator: ",") + "\r\n" }.joined()))
  }

  private static func cell(_ cell: FakeSODAServer.Cell) -> String {
    switch cell {
    case .null, .location: ""
    case .text(let text), .json(let text), .timestamp(let text):
      "\"\(text.replacing("\"", with: "\"\""))\""
    case .number(let text): text
    case .checkbox(let isSet): isSet ? "true" : "false"
    case .point(let longitude, let latitude): "POINT (\(longitude) \(latitude))"
    }
  }
}

// MARK: - Open data soft

extension FakePortalResponder {
  private static let exploreTypes = [
    "number": "double", "fixed_timestamp": "datetime", "point": "geo_point_2d",
    "checkbox": "boolean",
  ]

  func openDataSoft(_ path: String) -> TransportResponse {
    if path.hasSuffix("/catalog/datasets") { return datasets() }
    if path.hasSuffix("/catalog/datasets/rows") { return json(dataset("rows")) }
    if path.hasSuffix("/datasets/rows/records") { return records() }
    if path.hasSuffix("/datasets/rows/facets") { return facets() }
    if path.hasSuffix("/datasets/rows/exports/json") { return export() }
    return problem("InvalidRESTParameterError", "Unknown dataset.", 404)
  }

  private func problem(_ code: String, _ message: String, _ status: Int) -> TransportResponse {
    json(
      #"{"error_code":\#(FakeJSON.quoted(code)),"message":\#(FakeJSON.quoted(message))}"#, status)
  }

  /// Returns whether all numbers of a column are integers, so that its type is.
  private func isInteger(_ column: FakeSODAServer.Column) -> Bool {
    column.type == .number
      && state.rows.allSatisfy {
        guard case .number(let text) = $0.row[column.name] else { return false }
        return Int(text) != nil
      }
  }

  private func datasets() -> TransportResponse {
    let names = names(containing: (self["where"] ?? "").filter { $0 != "\"" })
    let results = page(of: names, start: "offset", limit: "limit", default: 10).map(dataset)
    return json(
      #"{"total_count":\#(names.count),"results":[\#(results.joined(separator: ","))]}"#)
  }

  private func dataset(_ name: String) -> String {
    let fields = columns.map { column in
      let type =
        isInteger(column) ? "int" : Self.exploreTypes[column.type.rawValue] ?? "text"
      return #"{"name":\#(FakeJSON.quoted(column.name)),"label":\#(FakeJSON.quoted(column.title)),"#
        + #""type":"\#(type)","annotations":[]}"#
    }
    let seconds = 1_767_225_600 + Double(state.edits)
    let date = TimestampWriter.iso8601(Date(timeIntervalSince1970: seconds))
    let processed =
      state.options.recordsEdits
      ? #""data_processed":"\#(date.dropLast())+00:00","modified":"2020-01-01T00:00:00+00:00","#
      : ""
    return
      #"{"dataset_id":"\#(name)","dataset_uid":"da_rows","has_records":true,"features":[],"attachments":[],"fields":[\#(fields.joined(separator: ","))],"#
      + #""metas":{"default":{"title":"Rows","publisher":"The city","license":"Open License v2.0","#
      + processed + #""records_count":\#(state.rows.count)}}}"#
  }

  /// Returns the rows that a request asks for, or `nil` if its condition can't be read.
  private func selected() -> [FakeSODAServer.Row]? {
    var rows = state.rows.map(\.row)
    func number(_ row: FakeSODAServer.Row, _ name: String) -> Double? {
      guard case .number(let text) = row[name] else { return nil }
      return Double(text)
    }
    func name(_ word: Substring) -> String { word.filter { $0 != "`" } }
    if let condition = self["where"], !state.options.ignoresConditions {
      let words = condition.split(separator: " ")
      guard words.count == 3, words[1] == ">", let bound = Double(words[2]) else { return nil }
      rows = rows.filter { number($0, name(words[0])).map { $0 > bound } ?? false }
    }
    if let order = self["order_by"] {
      let name = name(order[...])
      rows.sort { (number($0, name) ?? .infinity) < (number($1, name) ?? .infinity) }
    }
    return rows
  }

  private func row(_ row: FakeSODAServer.Row) -> String {
    let wanted = self["select"].map { $0.filter { $0 != "`" } }
      .map { $0.components(separatedBy: ",") }
    let cells = columns.filter { wanted?.contains($0.name) ?? true }.map { column in
      let cell = row[column.name] ?? .null
      var text = text(cell)
      if case .point(let longitude, let latitude) = cell {
        text = #"{"lon":\#(longitude),"lat":\#(latitude)}"#
      }
      return "\(FakeJSON.quoted(column.name)):\(text)"
    }
    return "{\(cells.joined(separator: ","))}"
  }

  private func records() -> TransportResponse {
    let offset = self["offset"].flatMap { Int($0) } ?? 0
    let limit = self["limit"].flatMap { Int($0) } ?? 10
    guard limit <= 100, offset + limit <= 10_000, limit >= 0 else {
      return problem(
        "InvalidRESTParameterError",
        "Invalid value for limit API parameter: \(limit) was found but <= 100 is expected.", 400)
    }
    guard let rows = selected() else {
      return problem("ODSQLError", "ODSQL query is malformed", 400)
    }
    let results = rows.dropFirst(offset).prefix(limit).map(row).joined(separator: ",")
    return json(#"{"total_count":\#(rows.count),"results":[\#(results)]}"#)
  }

  /// The number of rows with each text. Columns of texts are facets, as a publisher may choose.
  private func facets() -> TransportResponse {
    let names = columns.filter { $0.type == .text }.map(\.name)
    let wanted = request.parameters.filter { $0.name == "facet" }.map(\.value)
    for name in wanted where !names.contains(name) {
      return problem("InvalidRESTParameterError", "The field \(name) isn't a facet.", 400)
    }
    let facets = (wanted.isEmpty ? names : wanted).map { name in
      var counts: [String: Int] = [:]
      for row in state.rows {
        if case .text(let text) = row.row[name] { counts[text, default: 0] += 1 }
      }
      let values = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        .prefix(state.options.facetLimit).map { text, count in
          #"{"name":\#(FakeJSON.quoted(text)),"count":\#(count),"state":"displayed","value":\#(FakeJSON.quoted(text))}"#
        }
      return #"{"name":\#(FakeJSON.quoted(name)),"facets":[\#(values.joined(separator: ","))]}"#
    }
    return json(#"{"links":[],"facets":[\#(facets.joined(separator: ","))]}"#)
  }

  private func export() -> TransportResponse {
    if state.options.deniesExports {
      return problem("Forbidden", "You don't have the permission to export this dataset.", 403)
    }
    guard let rows = selected() else {
      return problem("ODSQLError", "ODSQL query is malformed", 400)
    }
    var limit = self["limit"].flatMap { Int($0) } ?? -1
    if limit < 0 { limit = rows.count }
    let results = rows.prefix(limit).map(row)
    if let count = state.options.interruptsExportsAfter, count < results.count {
      let text = results.prefix(count).joined(separator: ",\n")
      return json("[\n\(text),\nStreaming interrupted due to the following error: Timeout")
    }
    return json("[\n\(results.joined(separator: ",\n"))\n]")
  }
}
