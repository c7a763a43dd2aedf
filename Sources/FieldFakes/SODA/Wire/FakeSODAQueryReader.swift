internal import FieldCore

/// A reader of queries in requests.
enum FakeSODAQueryReader {
  struct Reading {
    var query = FakeSoQLQuery()
    var hasSystemFields = false
    var hasComputed = true
    var hasByteOrderMark = false
  }

  /// Reads the parameters of `/resource/`: `$…`, `$$…`, and column names as filters.
  static func parameters(
    _ request: FakeSODAServer.ReceivedRequest, _ columns: [FakeSODAServer.Column],
    _ flavor: FakeSODAServer.Flavor
  ) throws(FakeSoQLError) -> Reading {
    var reading = Reading()
    var seen: Set<String> = []
    var hasClauses = false
    var whole: String?
    for parameter in request.parameters {
      let (name, value) = (parameter.name, parameter.value)
      guard seen.insert(name).inserted else {
        throw .parameter("The parameter \(name) is there more than once")
      }
      if name.hasPrefix("$$") || name == "queryTimeoutSeconds" {
        switch name {
        case "$$exclude_system_fields": reading.hasSystemFields = value == "false"
        case "$$bom": reading.hasByteOrderMark = value == "true"
        case "$$app_token", "$$row_count", "$$copy", "$$store", "$$no_rollup", "$$obfuscate_id",
          "queryTimeoutSeconds":
          break
        default: throw .parameter("Unrecognized arguments [\(name)]")
        }
      } else if name == "$query" {
        whole = value
      } else if name.hasPrefix("$") {
        hasClauses = true
        try clause(name, value, &reading.query)
      } else {
        hasClauses = true
        try filter(name, value, columns, &reading.query)
      }
    }
    if let whole {
      guard !hasClauses else { throw .parameter("$query cannot be combined with other parameters") }
      reading.query = try FakeSoQLParser.query(whole)
    }
    return reading
  }

  private static func clause(
    _ name: String, _ value: String, _ query: inout FakeSoQLQuery
  ) throws(FakeSoQLError) {
    switch name {
    case "$select", "$where", "$order", "$group":
      var parser = try FakeSoQLParser(value)
      switch name {
      case "$select": query.selection = try parser.selection()
      case "$where": add(try parser.expression(), to: &query)
      case "$order": query.orders = try parser.orders()
      default: query.groups = try parser.list()
      }
      try parser.expect(.end)
    case "$limit": query.limit = try count(name, value)
    case "$offset": query.offset = try count(name, value)
    case "$having", "$q": throw .unsupported(name)
    default: throw .parameter("Unrecognized arguments [\(name)]")
    }
  }

  private static func count(_ name: String, _ value: String) throws(FakeSoQLError) -> Int {
    guard let count = Int(value), count >= 0 else {
      throw .parameter("\(name) is no whole number: \(value)")
    }
    return count
  }

  private static func filter(
    _ name: String, _ value: String, _ columns: [FakeSODAServer.Column],
    _ query: inout FakeSoQLQuery
  ) throws(FakeSoQLError) {
    let isKnown = columns.contains { $0.name == name } || FakeSODASystemField(rawValue: name) != nil
    guard isKnown else { throw .noColumn(name) }
    add(.equal(name.lowercased(), value), to: &query)
  }

  private static func add(_ condition: FakeSoQLExpression, to query: inout FakeSoQLQuery) {
    guard let old = query.condition else { return query.condition = condition }
    query.condition = .call("and", [old, condition], FakeSoQLPosition(offset: 0))
  }

  /// Reads the body of a POST to `query.json`, or the parameters of a GET.
  static func version3(_ request: FakeSODAServer.ReceivedRequest) throws(FakeSoQLError) -> Reading {
    var text = request[parameter: "query"]
    var page = request[parameter: "pageNumber"].flatMap { Int($0) }
    var size = request[parameter: "pageSize"].flatMap { Int($0) }
    var isSynthetic = request[parameter: "includeSynthetic"] != "false"
    var isSystem = request[parameter: "includeSystem"] == "true"
    if request.method == .post {
      guard let body = FakeJSON.read(request.body), case .object(let members, _) = body else {
        throw FakeSoQLError(code: "invalid-request", message: "The body is no JSON object")
      }
      let known: Set<String> = [
        "query", "page", "parameters", "timeout", "includeSystem", "includeSynthetic",
        "orderingSpecifier",
      ]
      if let stranger = members.first(where: { !known.contains($0.key) }) {
        throw FakeSoQLError(code: "invalid-request", message: "Unknown key \(stranger.key)")
      }
      text = body["query"]?.string
      if let wanted = body["page"] {
        guard let number = wanted["pageNumber"]?.integer, let count = wanted["pageSize"]?.integer
        else {
          throw FakeSoQLError(code: "invalid-request", message: "The page has no number or size")
        }
        (page, size) = (number, count)
      }
      isSynthetic = body["includeSynthetic"] != .boolean(false)
      isSystem = body["includeSystem"] == .boolean(true)
    }
    guard let text else {
      throw FakeSoQLError(code: "req.no-query-specified", message: "There is no query")
    }
    var reading = Reading(hasSystemFields: isSystem, hasComputed: isSynthetic)
    reading.query = try FakeSoQLParser.query(text)
    if let size {
      guard let page = page ?? 1 as Int?, page >= 1, size >= 0 else {
        throw FakeSoQLError(code: "invalid-request", message: "Pages are counted from 1")
      }
      // A page is part of the result of the query itself; `:id` makes the order total.
      let start = (page - 1) * size
      let most = reading.query.limit.map { max(0, $0 - start) } ?? size
      reading.query.limit = min(size, most)
      reading.query.offset = (reading.query.offset ?? 0) + start
    } else if reading.query.limit == nil {
      reading.query.limit = .max
    }
    return reading
  }
}
