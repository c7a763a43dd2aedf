internal import FieldCore
internal import FieldFakes
internal import FieldFirestore
internal import FieldFoundation

extension FakeFirestore {
  /// The contents of a database, and its responses.
  struct State: Sendable {
    let database: FirestoreDatabase
    var options: Options
    var documents: [FirestorePath: FirestoreDocument] = [:]
    var transactions: [String: Transaction] = [:]
    var requests: [TransportRequest] = []
    var commitCount = 0
    var lastNumber = 0
    var lastMicroseconds: Int64 = 0

    /// The reads of a transaction.
    struct Transaction: Sendable {
      var isReadOnly: Bool
      var reads: [FirestorePath: FirestoreTimestamp?] = [:]
      var queries: [(plan: FirestorePlan, documents: [FirestoreDocument])] = []
    }

    /// Returns a time after all others, in microseconds.
    mutating func nextTime(_ now: Date) -> FirestoreTimestamp {
      let microseconds = Int64((now.timeIntervalSince1970 * 1e6).rounded())
      lastMicroseconds = max(microseconds, lastMicroseconds + 1)
      return time
    }

    /// The time of the last change.
    private var time: FirestoreTimestamp {
      FirestoreTimestamp(Date(timeIntervalSince1970: Double(lastMicroseconds) / 1e6))
    }

    private func readTime(_ now: Date) -> FirestoreTimestamp { max(time, FirestoreTimestamp(now)) }

    // MARK: Requests

    mutating func response(_ request: FakeFirestoreRequest, now: Date) -> TransportResponse {
      do throws(FakeFirestoreError) {
        return .json(try responseBody(request, now))
      } catch {
        guard error.status != "" else {
          return TransportResponse(
            status: 404, fields: ["Content-Type": "text/plain"], body: .text("Not Found\n"))
        }
        return error.response(isStreamed: request.isStreamed)
      }
    }

    private mutating func responseBody(
      _ request: FakeFirestoreRequest, _ now: Date
    ) throws(FakeFirestoreError) -> JSONValue {
      if let valid = options.validTokens, !valid.contains(request.token ?? "") {
        throw FakeFirestoreError(
          "UNAUTHENTICATED", "Missing or invalid authentication: the token is expired or unknown.")
      }
      guard request.name.utf8.starts(with: "projects/".utf8) else {
        throw FakeFirestoreError("", "")
      }
      guard let root = database.path(of: "\(request.name)/")?.text else {
        throw FakeFirestoreError(
          "NOT_FOUND", "The database of \(request.name) does not exist in this fake.")
      }
      let path = FirestorePath(root.hasSuffix("/") ? String(root.dropLast()) : root)
      guard request.body.count <= options.limits.requestSize else {
        throw .invalid(
          "Request payload size exceeds the limit: \(options.limits.requestSize) bytes.")
      }
      switch (request.method, request.verb) {
      case (.get, nil): return try read(path, request, now)
      case (.post, let verb?):
        guard request.contentType.hasPrefix("application/json") else {
          throw FakeFirestoreError("", "")
        }
        return try post(verb, path, try Self.json(request.body), request.token, now)
      default:
        throw FakeFirestoreError("UNIMPLEMENTED", "The fake accepts GET and POST with a verb.")
      }
    }

    private mutating func post(
      _ verb: String, _ path: FirestorePath, _ body: JSONValue, _ token: String?, _ now: Date
    ) throws(FakeFirestoreError) -> JSONValue {
      switch verb {
      case "commit": return try commit(body, token, now)
      case "batchGet": return try batchGet(body, token, now)
      case "runQuery": return try runQuery(body, path, token, now)
      case "runAggregationQuery": return try aggregate(body, path, token, now)
      case "beginTransaction":
        try Self.check(body, ["options"])
        return ["transaction": .string(begin(body["options"]))]
      case "rollback":
        try Self.check(body, ["transaction"])
        _ = try transaction(body)
        transactions[body["transaction"]?.string ?? ""] = nil
        return [:]
      default: throw FakeFirestoreError("", "")
      }
    }

    private static func json(_ bytes: [UInt8]) throws(FakeFirestoreError) -> JSONValue {
      do throws(FieldError) {
        let value = try JSONDocument.value(bytes)
        guard case .object = value else { throw FieldError(.malformed, "no object") }
        return value
      } catch {
        throw .invalid("Invalid JSON payload received. \(error.message)")
      }
    }

    /// Throws if there are unknown members, as the server does.
    static func check(_ body: JSONValue, _ known: Set<String>) throws(FakeFirestoreError) {
      guard case .object(let members) = body else { return }
      if let member = members.first(where: { !known.contains($0.key) }) {
        throw .invalid("Invalid JSON payload received. Unknown name \"\(member.key)\"")
      }
    }

    func authorize(
      _ kind: Access.Kind, _ path: FirestorePath, _ token: String?,
      _ fields: FirestoreFields? = nil
    ) throws(FakeFirestoreError) {
      let access = Access(kind: kind, path: path, token: token, fields: fields)
      guard options.isAllowed(access) else {
        throw FakeFirestoreError("PERMISSION_DENIED", "Missing or insufficient permissions.")
      }
    }

    // MARK: Reads

    private mutating func read(
      _ path: FirestorePath, _ request: FakeFirestoreRequest, _ now: Date
    ) throws(FakeFirestoreError) -> JSONValue {
      let masks = request.parameters.items.filter { $0.name == "mask.fieldPaths" }
      let mask = try Self.paths(masks.map(\.value))
      guard path.isDocument else { return try list(path, request, mask) }
      try authorize(.get, path, request.token)
      guard let document = documents[path] else {
        throw FakeFirestoreError("NOT_FOUND", "Document (\(database.name(of: path))) not found.")
      }
      return Self.masked(document, mask).json(in: database)
    }

    private func list(
      _ path: FirestorePath, _ request: FakeFirestoreRequest, _ mask: [FirestoreFieldPath]?
    ) throws(FakeFirestoreError) -> JSONValue {
      try authorize(.list, path, request.token)
      var plan = FirestorePlan(parent: path.parent, collectionID: path.id)
      for part in request.parameters["orderBy"]?.split(separator: ",") ?? [] {
        let words = part.split(separator: " ")
        guard let name = words.first, let field = FirestoreFieldPath.reading(String(name)) else {
          throw .invalid("Invalid orderBy.")
        }
        plan.order.append(.init(field, words.last == "desc" ? .descending : .ascending))
      }
      let size = request.parameters.integer("pageSize") ?? 0
      var rows = plan.run(on: documents.values, in: database).documents[...]
      if let token = request.parameters["pageToken"], !token.isEmpty {
        guard let bytes = FirestoreValue.base64(token),
          let last = rows.firstIndex(where: { $0.path.text.utf8.elementsEqual(bytes) })
        else { throw .invalid("invalid page token") }
        rows = rows[(last + 1)...]
      }
      let page = rows.prefix(size > 0 ? min(size, 300) : 20)
      var json: JSONValue = [:]
      if !page.isEmpty {
        json["documents"] = .array(page.map { Self.masked($0, mask).json(in: database) })
      }
      if page.count < rows.count, let last = page.last {
        json["nextPageToken"] = .string(Data(last.path.text.utf8).base64EncodedString())
      }
      return json
    }

    private mutating func batchGet(
      _ body: JSONValue, _ token: String?, _ now: Date
    ) throws(FakeFirestoreError) -> JSONValue {
      try Self.check(body, ["documents", "mask", "transaction", "newTransaction", "readTime"])
      try checkReadTime(body)
      let mask = try body["mask"].map { json throws(FakeFirestoreError) in
        try Self.paths(json["fieldPaths"]?.elements?.compactMap(\.string) ?? []) ?? []
      }
      var rows: [JSONValue] = []
      if let new = body["newTransaction"] { rows.append(["transaction": .string(begin(new))]) }
      let id = body["transaction"]?.string
      if id != nil { _ = try transaction(body) }
      let time = JSONValue.string(readTime(now).description)
      var seen: Set<FirestorePath> = []
      // In a different order from the request, because no order is guaranteed.
      for name in (body["documents"]?.elements ?? []).reversed() {
        guard let path = name.string.flatMap(database.path), path.isDocument else {
          throw .invalid("Document name is invalid: \(name.canonicalText)")
        }
        guard seen.insert(path).inserted else { continue }
        try authorize(.get, path, token)
        if let id { transactions[id]?.reads[path] = .some(documents[path]?.updateTime) }
        if let document = documents[path] {
          rows.append(["found": Self.masked(document, mask).json(in: database), "readTime": time])
        } else {
          rows.append(["missing": name, "readTime": time])
        }
      }
      return .array(rows)
    }

    private static func paths(
      _ texts: [String]
    ) throws(FakeFirestoreError) -> [FirestoreFieldPath]? {
      var paths: [FirestoreFieldPath] = []
      for text in texts {
        guard let path = FirestoreFieldPath.reading(text) else {
          throw .invalid("Invalid property path \"\(text)\".")
        }
        paths.append(path)
      }
      return texts.isEmpty ? nil : paths
    }

    private static func masked(
      _ document: FirestoreDocument, _ mask: [FirestoreFieldPath]?
    ) -> FirestoreDocument {
      var document = document
      if let mask { document.fields = document.fields.masked(mask) }
      return document
    }

    private func checkReadTime(_ body: JSONValue) throws(FakeFirestoreError) {
      guard let text = body["readTime"]?.string else { return }
      guard let moment = FirestoreTimestamp(rfc3339: text), moment >= time else {
        throw FakeFirestoreError(
          "FAILED_PRECONDITION", "The requested snapshot version is too old for the fake.")
      }
    }

    // MARK: Queries

    private mutating func runQuery(
      _ body: JSONValue, _ path: FirestorePath, _ token: String?, _ now: Date
    ) throws(FakeFirestoreError) -> JSONValue {
      try Self.check(body, ["structuredQuery", "transaction", "newTransaction", "readTime"])
      try checkReadTime(body)
      let (plan, outcome) = try outcome(body["structuredQuery"], path, token)
      if let id = body["transaction"]?.string {
        _ = try transaction(body)
        transactions[id]?.queries.append((plan, outcome.documents))
      }
      let time = JSONValue.string(readTime(now).description)
      var rows: [JSONValue] = outcome.documents.map { document in
        ["document": document.json(in: database), "readTime": time]
      }
      if rows.isEmpty { rows = [["readTime": time]] }
      if outcome.skippedCount > 0 {
        rows[0]["skippedResults"] = .number(String(outcome.skippedCount))
      }
      return .array(rows)
    }

    private func outcome(
      _ json: JSONValue?, _ parent: FirestorePath, _ token: String?
    ) throws(FakeFirestoreError) -> (FirestorePlan, FirestorePlan.Outcome) {
      guard let json else { throw .invalid("There is no query.") }
      try Self.check(
        json, ["select", "from", "where", "orderBy", "startAt", "endAt", "offset", "limit"])
      let plan: FirestorePlan
      do throws(FirestoreValueProblem) {
        plan = try FirestorePlan(json: json, parent: parent)
      } catch {
        throw .invalid("The query \(error).")
      }
      try authorize(.list, parent.child(plan.collectionID), token)
      for bound in [plan.start, plan.end] where (bound?.values.count ?? 0) > plan.order.count {
        throw .invalid("Cursor has too many values.")
      }
      if options.requiresIndexes, let index = plan.missingIndex(in: options.indexes) {
        throw FakeFirestoreError(
          "FAILED_PRECONDITION", "The query requires an index. You can create it here: \(index)")
      }
      return (plan, plan.run(on: documents.values, in: database))
    }

    private mutating func aggregate(
      _ body: JSONValue, _ path: FirestorePath, _ token: String?, _ now: Date
    ) throws(FakeFirestoreError) -> JSONValue {
      try Self.check(body, ["structuredAggregationQuery", "transaction", "readTime"])
      let query = body["structuredAggregationQuery"]
      let (_, outcome) = try outcome(query?["structuredQuery"], path, token)
      var fields: [JSONValue.Member] = []
      for json in query?["aggregations"]?.elements ?? [] {
        do throws(FirestoreValueProblem) {
          let value = try FirestoreAggregation(json: json).value(of: outcome.documents)
          fields.append(.init(key: json["alias"]?.string ?? "", value: value.json))
        } catch {
          throw .invalid("The query \(error).")
        }
      }
      guard (1...5).contains(fields.count) else { throw .invalid("1 to 5 aggregations, please.") }
      let time = JSONValue.string(readTime(now).description)
      return [["result": ["aggregateFields": .object(fields)], "readTime": time]]
    }

    // MARK: Transactions

    private mutating func begin(_ options: JSONValue?) -> String {
      lastNumber += 1
      let id = Data("transaction \(lastNumber)".utf8).base64EncodedString()
      transactions[id] = Transaction(isReadOnly: options?["readOnly"] != nil)
      return id
    }

    func transaction(_ body: JSONValue) throws(FakeFirestoreError) -> Transaction {
      guard let transaction = transactions[body["transaction"]?.string ?? ""] else {
        throw .invalid("The referenced transaction has expired or is no longer valid.")
      }
      return transaction
    }
  }
}
