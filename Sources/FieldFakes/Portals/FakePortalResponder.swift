internal import FieldCore
internal import FieldFoundation

/// The response of a ``FakePortal`` to one request.
struct FakePortalResponder {
  private let dialect: FakePortal.Dialect
  private let columns: [FakeSODAServer.Column]
  private let state: FakePortal.State
  private let request: FakeSODAServer.ReceivedRequest

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
      return dialect == .arcGIS
        ? json(#"{"error":{"code":499,"message":"Token Required","details":[]}}"#)
        : json(
          #"{"success":false,"error":{"__type":"Authorization Error","message":"Access denied"}}"#,
          403)
    }
    switch dialect {
    case .arcGIS where path.hasSuffix("/FeatureServer/0"): return layer()
    case .arcGIS where path.hasSuffix("/FeatureServer/0/query"): return query()
    case .ckan where path.hasSuffix("/api/3/action/datastore_search"): return search()
    default: return json(#"{"error":{"code":404,"message":"Not found","details":[]}}"#, 404)
    }
  }

  private func json(_ text: String, _ status: Int = 200) -> TransportResponse {
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
    let edits =
      state.options.recordsEdits
      ? #","editingInfo":{"lastEditDate":\#(1_767_225_600_000 + state.edits)}"# : ""
    return json(
      #"{"currentVersion":11.1,"id":0,"name":"Rows","type":"Feature Layer","description":"","copyrightText":"The city","#
        + #""geometryType":"esriGeometryPoint","objectIdField":"OBJECTID","maxRecordCount":\#(state.options.pageCap),"#
        + #""supportsStatistics":false,"supportsAdvancedQueries":\#(ordered),"advancedQueryCapabilities":{"supportsPagination":\#(ordered),"supportsOrderBy":\#(ordered)},"#
        + #""capabilities":"Query","fields":[\#(fields.joined(separator: ","))]\#(edits)}"#)
  }

  private func query() -> TransportResponse {
    var rows = state.rows
    if !state.options.ignoresConditions {
      for condition in (request[parameter: "where"] ?? "1=1").components(separatedBy: " AND ")
      where condition != "1=1" {
        let words = condition.split(separator: " ")
        guard words.count == 3, words[0] == "OBJECTID", let bound = Int(words[2]) else {
          return json(
            #"{"error":{"code":400,"message":"Unable to complete operation.","details":["Unable to perform query operation."]}}"#
          )
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
    if request[parameter: "returnCountOnly"] == "true" { return json(#"{"count":\#(rows.count)}"#) }
    if request[parameter: "returnIdsOnly"] == "true" {
      let ids = rows.map { String($0.number) }.joined(separator: ",")
      return json(#"{"objectIdFieldName":"OBJECTID","objectIds":[\#(ids)]}"#)
    }
    // Without an order, a database returns rows as it finds them.
    if !state.options.isOrdered { rows.reverse() }
    rows = Array(rows.dropFirst(request[parameter: "resultOffset"].flatMap { Int($0) } ?? 0))
    let limit = min(
      request[parameter: "resultRecordCount"].flatMap { Int($0) } ?? .max, state.options.pageCap)
    let isExceeded = rows.count > limit
    let features = rows.prefix(limit).map(feature).joined(separator: ",")
    let wkid = state.options.isProjected ? #"{"wkid":102100,"latestWkid":3857}"# : #"{"wkid":4326}"#
    return json(
      #"{"objectIdFieldName":"OBJECTID","geometryType":"esriGeometryPoint","spatialReference":\#(wkid),"features":[\#(features)]"#
        + (isExceeded ? #","exceededTransferLimit":true}"# : "}"))
  }

  private func feature(_ row: (number: Int, row: FakeSODAServer.Row)) -> String {
    var cells = ["\"OBJECTID\":\(row.number)"]
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

  private func text(_ cell: FakeSODAServer.Cell, inMilliseconds: Bool = false) -> String {
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
    if let filters = request[parameter: "filters"], !state.options.ignoresConditions {
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
      request[parameter: "limit"].flatMap { Int($0) } ?? 100, state.options.pageCap)
    rows = Array(
      rows.dropFirst(request[parameter: "offset"].flatMap { Int($0) } ?? 0).prefix(limit))
    let wanted = request[parameter: "fields"].map { $0.components(separatedBy: ",") }
    let records = rows.map { row in
      var cells = ["\"_id\":\(row.number)"]
      for column in columns where wanted?.contains(column.name) ?? true {
        cells.append("\(FakeJSON.quoted(column.name)):\(text(row.row[column.name] ?? .null))")
      }
      return "{\(cells.joined(separator: ","))}"
    }
    let fields = (["_id"] + columns.map(\.name)).map {
      #"{"id":\#(FakeJSON.quoted($0)),"type":"text"}"#
    }
    let next = state.options.hasRanges ? #","next_page":{"filters":{}}"# : ""
    return json(
      #"{"success":true,"result":{"fields":[\#(fields.joined(separator: ","))],"records":[\#(records.joined(separator: ","))],"total":\#(total),"limit":\#(limit)\#(next)}}"#
    )
  }
}
