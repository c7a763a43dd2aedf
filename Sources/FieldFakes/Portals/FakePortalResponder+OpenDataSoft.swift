internal import FieldCore
internal import FieldFoundation

extension FakePortalResponder {
  private static let types = [
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
        isInteger(column) ? "int" : Self.types[column.type.rawValue] ?? "text"
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
