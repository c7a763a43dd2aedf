internal import FieldCore
internal import FieldFoundation

/// A responder to one request.
struct FakeSODAResponder {
  let server: FakeSODAServer
  let request: FakeSODAServer.ReceivedRequest
  var setting: FakeSODASetting
  private(set) var visitedCount = 0

  mutating func respond() -> TransportResponse {
    do throws(FakeSoQLError) {
      return try route()
    } catch {
      return response(error.status, error.body(setting.options.errorShape, server.dataset))
    }
  }

  private enum Format: String {
    case json, csv, geojson

    var type: String {
      switch self {
      case .json: "application/json;charset=utf-8"
      case .csv: "text/csv; charset=utf-8"
      case .geojson: "application/vnd.geo+json; charset=utf-8"
      }
    }
  }

  private mutating func route() throws(FakeSoQLError) -> TransportResponse {
    let missing = FakeSoQLError(status: 404, code: "dataset.missing", message: "Not found")
    if setting.isRetired { throw missing }
    let path = request.path
    let isVersion3 = path.starts(with: ["api", "v3", "views"])
    try checkAccess(isVersion3: isVersion3)
    guard let last = path.last else { throw missing }
    let (name, format) = Self.split(last)
    if isVersion3 {
      guard path.count == 5, path[3] == server.dataset, name == "query",
        setting.options.flavor != .soda20, let format
      else { throw missing }
      try checkMethod(["GET", "POST"])
      return try rows(try FakeSODAQueryReader.version3(request), format)
    }
    try checkMethod(["GET", "HEAD"])
    switch (path.first, path.count) {
    case ("resource", 2) where name == server.dataset:
      guard let format else { throw missing }
      return try rows(
        try FakeSODAQueryReader.parameters(request, server.columns, setting.options.flavor), format)
    case ("resource", 3) where path[1] == server.dataset:
      return rowsResponse(.bytes(try row(name)))
    case ("api", 3) where path[1] == "views" && name == server.dataset:
      return rowsResponse(.text(FakeSODAView.metadata(server, setting.table)))
    case ("api", 4) where path[1] == "views" && path[2] == server.dataset && name == "rows":
      guard format == .json else { throw missing }
      return rowsResponse(.text(FakeSODAView.rows(server, setting)))
    default: throw missing
    }
  }

  /// Returns the name and the format of a last segment. A row's ID can contain a dot itself.
  private static func split(_ segment: String) -> (name: String, format: Format?) {
    guard let dot = segment.lastIndex(of: ".") else { return (segment, .json) }
    let format = Format(rawValue: String(segment[segment.index(after: dot)...]))
    if format == nil, segment.hasPrefix("row-") { return (segment, .json) }
    return (String(segment[..<dot]), format)
  }

  // MARK: rows

  private mutating func rows(
    _ read: FakeSODAQueryReader.Reading, _ format: Format
  ) throws(FakeSoQLError) -> TransportResponse {
    let options = setting.options
    var query = read.query
    if options.flavor == .soda20, let limit = query.limit, limit > 50_000 {
      throw FakeSoQLError(
        code: "req.row-limit-exceeded", message: "The limit is at most 50000, and not \(limit)")
    }
    if let cap = options.pageCap {
      query.limit = min(query.limit ?? FakeSoQLExecutor.defaultLimit, cap)
    }
    if let count = options.staticRows {
      query = FakeSoQLQuery()
      query.limit = count
    }
    if options.unboundedRow != nil, !query.isGrouped {
      setting.table = server.extend(by: query.limit ?? FakeSoQLExecutor.defaultLimit)
    }
    let executor = FakeSoQLExecutor(
      table: setting.table, options: options, isCaseBlind: options.flavor == .soda20,
      hasSystem: read.hasSystemFields, hasComputed: read.hasComputed)
    let result = try executor.run(query)
    visitedCount = result.visitedCount
    var body =
      switch format {
      case .json: FakeSODAWriter.json(result)
      case .csv: FakeSODAWriter.csv(result)
      case .geojson: FakeSODAWriter.geoJSON(result)
      }
    if options.hasByteOrderMark || read.hasByteOrderMark { body = [0xEF, 0xBB, 0xBF] + body }
    var response = rowsResponse(.bytes(body))
    guard response.status == 200 else { return response }
    response.head.fields["Content-Type"] = format.type
    if options.hasTypeHeaders { addTypes(result.outputs, to: &response.head.fields) }
    return response
  }

  private func row(_ name: String) throws(FakeSoQLError) -> [UInt8] {
    var query = FakeSoQLQuery()
    let column = setting.options.ids.number(name) == nil ? server.key : ":id"
    guard let column else { throw Self.noRow }
    query.condition = .equal(column, name)
    query.limit = 1
    let executor = FakeSoQLExecutor(table: setting.table, options: setting.options)
    let result = try executor.run(query)
    guard !result.rows.isEmpty else { throw Self.noRow }
    return FakeSODAWriter.object(result)
  }

  private static let noRow = FakeSoQLError(
    status: 404, code: "soda.row.not-found", message: "No such row")

  // MARK: access

  private func checkMethod(_ methods: [String]) throws(FakeSoQLError) {
    guard methods.contains(request.method.rawValue) else {
      throw FakeSoQLError(
        status: 405, code: "method-not-allowed", message: "\(request.method) is not allowed here")
    }
  }

  private func checkAccess(isVersion3: Bool) throws(FakeSoQLError) {
    let options = setting.options
    if let token = request.token {
      guard options.acceptedTokens?.contains(token) ?? true else {
        throw FakeSoQLError(
          status: 403, code: "permission_denied", message: "Invalid app_token specified")
      }
    } else if request.fields["Authorization"] == nil,
      options.requiresToken ?? (isVersion3 || options.flavor == .soda30)
    {
      throw FakeSoQLError(
        status: 403, code: "permission_denied",
        message: "This request needs an app token or a login")
    }
  }

  // MARK: header fields

  private var entityTag: String? {
    let about = [
      request.url.absoluteString, request.bodyText, String(setting.table.revision),
      request.fields["Accept"] ?? "", request.fields["Accept-Encoding"] ?? "",
    ].joined(separator: "\n")
    // FNV-1a, because the value only has to be the same in every run.
    let hash = about.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    let text = "\(setting.table.revision)_\(String(hash, radix: 36))"
    return switch setting.options.entityTag {
    case .absent: nil
    case .strong: "\"\(text)\""
    case .gzipSuffix: "\"\(text)---gzi\(String(hash >> 7, radix: 36))--gzip--gzip\""
    case .weak: "W/\"\(text)\""
    }
  }

  private var isUnchanged: Bool {
    if let wanted = request.fields["If-None-Match"] {
      return entityTag != nil && wanted == entityTag
    }
    return request.fields["If-Modified-Since"].map { $0 == httpDate(setting.table.modifiedAt) }
      ?? false
  }

  private func httpDate(_ micros: Int64) -> String {
    HTTPDate.string(for: Date(timeIntervalSince1970: Double(micros / 1_000_000)))
  }

  private func response(_ status: Int, _ body: String) -> TransportResponse {
    let fields: HTTPHeaderFields = [
      "Date": httpDate(setting.now), "Content-Type": Format.json.type,
      "X-Socrata-RequestId": "fake-\(request.number)", "X-Socrata-Region": "fake",
    ]
    return TransportResponse(status: status, fields: fields, url: request.url, body: .text(body))
  }

  /// Returns a response with the fields of rows, or 304 without a body.
  private func rowsResponse(_ body: TransportBody) -> TransportResponse {
    var response = response(200, "")
    if isUnchanged { response.head.status = 304 } else { response.body = body }
    let isOld = setting.table.revision < setting.current.revision
    let modified = httpDate(setting.table.modifiedAt)
    let isHidden = isOld && setting.claim == false
    let truth = isHidden ? modified : httpDate(setting.current.modifiedAt)
    response.head.fields["ETag"] = entityTag
    response.head.fields["Vary"] = "Accept, Accept-Encoding"
    response.head.fields["Last-Modified"] = modified
    response.head.fields["X-SODA2-Truth-Last-Modified"] = truth
    response.head.fields["X-SODA2-Secondary-Last-Modified"] = modified
    response.head.fields["X-SODA2-Data-Out-Of-Date"] = String(setting.claim ?? isOld)
    response.head.fields["X-SODA2-Row-Count"] = String(setting.table.count)
    if setting.options.flavor == .soda20 { response.head.fields["X-SODA2-Legacy-Types"] = "true" }
    return response
  }

  private func addTypes(_ outputs: [FakeSoQLOutput], to fields: inout HTTPHeaderFields) {
    let names = outputs.map { FakeJSON.quoted($0.name) }.joined(separator: ",")
    let types = outputs.map { FakeJSON.quoted($0.typeName) }.joined(separator: ",")
    fields["X-SODA2-Warning"] =
      "X-SODA2-Fields and X-SODA2-Types are deprecated. Use the c-json output format"
    guard names.utf8.count + types.utf8.count < 5000 else { return }
    fields["X-SODA2-Fields"] = "[\(names)]"
    fields["X-SODA2-Types"] = "[\(types)]"
  }
}

extension FakeSoQLError {
  fileprivate func body(_ shape: FakeSODAServer.ErrorShape, _ dataset: String) -> String {
    let code = FakeJSON.quoted(code)
    var data: [String] = []
    if let column {
      data.append("\"column\":\(FakeJSON.quoted(column)),\"dataset\":\(FakeJSON.quoted(dataset))")
    }
    if let offset {
      data.append("\"position\":{\"row\":1,\"column\":\(offset + 1)}")
    }
    let place = data.isEmpty ? "" : ",\"data\":{\(data.joined(separator: ","))}"
    let documented =
      "{\"code\":\(code),\"error\":true,\"message\":\(FakeJSON.quoted(message))\(place)}\n"
    switch shape {
    case .documented: return documented
    case .coordinator:
      guard status == 400 else { return documented }
      let message = FakeJSON.quoted("Query coordinator error: \(self.code); \(message)")
      return "{\"message\":\(message),\"errorCode\":\(code)\(place)}\n"
    case .withoutMessage: return "{\"code\":\(code),\"error\":true}\n"
    case .nested: return "{\"error\":{\"message\":\(FakeJSON.quoted(message))}}\n"
    }
  }
}
