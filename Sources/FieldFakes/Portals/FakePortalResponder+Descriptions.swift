internal import FieldCore
internal import FieldFoundation

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

  private static let types = ["number": "numeric", "fixed_timestamp": "timestamp"]

  /// The columns with their types.
  var ckanFields: [String] {
    [#"{"id":"_id","type":"int"}"#]
      + columns.map {
        let type = Self.types[$0.type.rawValue] ?? "text"
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
