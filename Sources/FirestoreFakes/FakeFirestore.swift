public import FieldCore
public import FieldFakes
public import FieldFirestore
internal import FieldFoundation

/// A Firestore database in memory that is stricter than Google's emulator.
///
/// ```swift
/// let fake = FakeFirestore()
/// fake["Pets/mesh"] = ["name": "mesh"]
/// let lossy = FaultTransport(fake, .first(1, .lostResponse()))
/// let client = FirestoreClient(fake.configuration, transport: lossy, clock: ImmediateClock())
/// try await client.commit([.update("Pets/mesh", ["walks": .increment(1)])], receipt: UUID())
/// ```
///
/// It responds to the REST interface on any host: get, list, `batchGet`, `runQuery`,
/// `runAggregationQuery`, `beginTransaction`, `commit`, and `rollback`. Commits are atomic and
/// ordered, with preconditions, masks, and the server's arithmetic. Unlike the emulator, it rejects
/// queries without their index, documents over 1 MiB, requests over 10 MiB, and unknown members.
///
/// A transaction ends with ABORTED if another commit has changed what it read; locks aren't
/// simulated. Reading at an earlier time works back to the last commit.
public final class FakeFirestore: Transport {
  /// The database.
  public let database: FirestoreDatabase
  /// The clock that determines the times of documents.
  public let clock: any FieldClock

  let state: Lock<State>

  /// Creates an empty database.
  ///
  /// - Parameters:
  ///   - project: The ID of the project. Defaults to `demo`.
  ///   - clock: The clock that determines the times of documents. By default, it stands still.
  ///   - options: The behavior of the database.
  public init(
    project: String = "demo", clock: any FieldClock = ManualClock(), options: Options = Options()
  ) {
    database = FirestoreDatabase(project: project)
    self.clock = clock
    state = Lock(State(database: database, options: options))
  }

  /// A configuration for clients of this database.
  public var configuration: FirestoreConfiguration {
    FirestoreConfiguration(
      project: database.project, tokens: .owner,
      endpoint: URL(literal: "https://firestore.example"))
  }

  /// The behavior of the database.
  public var options: Options {
    get { state.withLock(\.options) }
    set { state.withLock { $0.options = newValue } }
  }

  /// The fields of a document, or `nil` if it doesn't exist.
  public subscript(path: FirestorePath) -> FirestoreFields? {
    get { state.withLock { $0.documents[path]?.fields } }
    set {
      state.withLock { state in
        let time = state.nextTime(clock.now)
        state.documents[path] = newValue.map {
          FirestoreDocument(
            path, $0, createTime: state.documents[path]?.createTime ?? time, updateTime: time)
        }
      }
    }
  }

  /// All documents, sorted by path.
  public var documents: [FirestoreDocument] {
    state.withLock { $0.documents.values.sorted { $0.path < $1.path } }
  }

  /// The number of applied commits.
  public var commitCount: Int { state.withLock(\.commitCount) }

  /// The received requests, in order.
  public var requests: [TransportRequest] { state.withLock(\.requests) }

  /// Responds to a request.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try Task.checkCancellation()
    let received = try FakeFirestoreRequest(request)
    let now = clock.now
    return try state.withLock { state in
      state.requests.append(request)
      return state.response(received, now: now)
    }.delivered(for: request)
  }
}

// MARK: - Commit

extension FakeFirestore.State {
  mutating func commit(
    _ body: JSONValue, _ token: String?, _ now: Date
  ) throws(FakeFirestoreError) -> JSONValue {
    try Self.check(body, ["writes", "transaction"])
    let writes = try writes(body["writes"]?.elements ?? [])
    if let id = body["transaction"]?.string {
      let transaction = try transaction(body)
      transactions[id] = nil
      guard !transaction.isReadOnly || writes.isEmpty else {
        throw .invalid("Cannot modify entities in a read-only transaction.")
      }
      try checkUnchanged(transaction)
    }
    guard !writes.isEmpty else { return [:] }
    let time = nextTime(now)
    // The change is made to a copy, so that a failure leaves no trace.
    var changed = self
    var results: [JSONValue] = []
    for write in writes {
      let result = try changed.apply(write, token, time)
      var json: JSONValue = [:]
      json["updateTime"] = result.updateTime.map { .string($0.description) }
      if !result.transformResults.isEmpty {
        json["transformResults"] = .array(result.transformResults.map(\.json))
      }
      results.append(json)
    }
    documents = changed.documents
    commitCount += 1
    return ["writeResults": .array(results), "commitTime": .string(time.description)]
  }

  private func writes(_ json: [JSONValue]) throws(FakeFirestoreError) -> [FirestoreWrite] {
    var writes: [FirestoreWrite] = []
    for element in json {
      do throws(FirestoreValueProblem) {
        if let fields = element["update"]?["fields"] { try Self.checkFields(fields) }
        writes.append(try FirestoreWrite(json: element, path: { database.path(of: $0) }))
      } catch {
        throw .invalid("Invalid JSON payload received: a write \(error).")
      }
    }
    for write in writes {
      if let problem = options.limits.problems(of: write, in: database).first {
        throw .invalid("\(database.name(of: write.path)): \(problem)")
      }
    }
    return writes
  }

  /// Checks that each value of a request has exactly one member, a known one.
  private static func checkFields(_ json: JSONValue) throws(FirestoreValueProblem) {
    guard case .object(let members) = json else {
      throw FirestoreValueProblem("has fields that aren't an object")
    }
    for member in members { try checkValue(member.value) }
  }

  private static func checkValue(_ json: JSONValue) throws(FirestoreValueProblem) {
    guard case .object(let members) = json, members.count == 1 else {
      throw FirestoreValueProblem("has a value without one kind")
    }
    if case .unknown(let value) = try FirestoreValue(json: json) {
      throw FirestoreValueProblem("has a value of the unknown kind \(value.kind)")
    }
    if let fields = json["mapValue"]?["fields"] { try checkFields(fields) }
    for element in json["arrayValue"]?["values"]?.elements ?? [] { try checkValue(element) }
  }

  private func checkUnchanged(_ transaction: Transaction) throws(FakeFirestoreError) {
    let isChanged =
      transaction.reads.contains { path, time in documents[path]?.updateTime != time }
      || transaction.queries.contains { read in
        read.plan.run(on: documents.values, in: database).documents != read.documents
      }
    if isChanged {
      throw FakeFirestoreError(
        "ABORTED", "Too much contention on these documents. Please try again.")
    }
  }

  private mutating func apply(
    _ write: FirestoreWrite, _ token: String?, _ time: FirestoreTimestamp
  ) throws(FakeFirestoreError) -> FirestoreCommit.WriteResult {
    let before = documents[write.path]
    try check(write, before)
    guard case .update(let given, let mask) = write.operation else {
      try authorize(.delete, write.path, token)
      documents[write.path] = nil
      return FirestoreCommit.WriteResult()
    }
    var fields = given
    if let mask {
      fields = before?.fields ?? [:]
      for path in mask { fields[path] = given[path] }
    }
    var results: [FirestoreValue] = []
    for transform in write.transforms {
      let value = transform.kind.applied(to: fields[transform.path], at: time)
      fields[transform.path] = value
      switch transform.kind {
      case .arrayUnion, .arrayRemove: results.append(.null)
      case .serverTimestamp, .increment, .maximum, .minimum: results.append(value)
      }
    }
    fields = fields.stored
    try authorize(before == nil ? .create : .update, write.path, token, fields)
    let size = FirestoreLimits.size(of: fields, at: write.path)
    guard size <= options.limits.documentSize else {
      throw .invalid(
        "Document '\(database.name(of: write.path))' cannot be written because its size (\(size) "
          + "bytes) exceeds the maximum allowed size of \(options.limits.documentSize) bytes.")
    }
    // A write that changes nothing keeps the time.
    if let before, before.fields == fields {
      return .init(updateTime: before.updateTime, transformResults: results)
    }
    documents[write.path] = FirestoreDocument(
      write.path, fields, createTime: before?.createTime ?? time, updateTime: time)
    return .init(updateTime: time, transformResults: results)
  }

  private func check(
    _ write: FirestoreWrite, _ before: FirestoreDocument?
  ) throws(FakeFirestoreError) {
    switch (write.precondition, before) {
    case (.exists(true)?, nil):
      throw FakeFirestoreError(
        "NOT_FOUND", "No document to update: \(database.name(of: write.path))")
    case (.exists(false)?, _?):
      throw FakeFirestoreError(
        options.failedCreationStatus, "Document already exists: \(database.name(of: write.path))")
    case (.updateTime(let time)?, let before) where before?.updateTime != time:
      throw FakeFirestoreError(
        "FAILED_PRECONDITION",
        "the stored version (\(before?.updateTime?.description ?? "0")) does not match the required "
          + "base version (\(time))")
    default: break
    }
  }
}

extension FirestoreFields {
  /// The fields as the server stores them, with timestamps truncated to microseconds.
  fileprivate var stored: FirestoreFields {
    FirestoreFields(map { Field($0.name, $0.value.stored) })
  }
}

extension FirestoreValue {
  fileprivate var stored: FirestoreValue {
    switch self {
    case .timestamp(let moment): .timestamp(moment.truncatedToMicroseconds)
    case .array(let elements): .array(elements.map(\.stored))
    case .map(let fields): .map(fields.stored)
    default: self
    }
  }
}

// MARK: - Options

extension FakeFirestore {
  /// The behavior of a fake database.
  public struct Options: Sendable {
    /// A Boolean value that indicates whether queries fail without the composite index they need.
    ///
    /// Defaults to `true`.
    public var requiresIndexes = true
    /// The composite indexes.
    public var indexes: [Index] = []
    /// The limits of documents and requests.
    public var limits = FirestoreLimits()
    /// The status of a creation whose document exists.
    ///
    /// Defaults to `ALREADY_EXISTS`.
    ///
    /// Clients must understand `FAILED_PRECONDITION`, too.
    public var failedCreationStatus = "ALREADY_EXISTS"
    /// The accepted tokens.
    ///
    /// Defaults to `nil`, which accepts any token and none.
    public var validTokens: Set<String>?
    /// The security rules: returns a Boolean value that indicates whether an access is allowed.
    ///
    /// By default, every access is.
    ///
    /// The closure must not use the database itself.
    public var isAllowed: @Sendable (Access) -> Bool = { _ in true }

    /// Creates the default behavior.
    public init() {}
  }

  /// A composite index.
  public struct Index: Sendable, Hashable {
    /// The ID of the collections.
    public var collectionID: String
    /// The fields and their directions; the direction is `nil` for the elements of an array.
    public var fields: [Field]
    /// A Boolean value that indicates whether the index covers all collections with the ID, for
    /// collection group queries.
    public var isGroup: Bool

    /// Creates an index.
    public init(_ collectionID: String, _ fields: Field..., isGroup: Bool = false) {
      self.collectionID = collectionID
      self.fields = fields
      self.isGroup = isGroup
    }

    /// A field of an index.
    public struct Field: Sendable, Hashable {
      /// The field.
      public var path: FirestoreFieldPath
      /// The direction.
      public var direction: FirestoreQuery.Direction

      /// Creates a field.
      public init(_ path: FirestoreFieldPath, _ direction: FirestoreQuery.Direction = .ascending) {
        self.path = path
        self.direction = direction
      }
    }
  }

  /// An access that the rules allow or deny.
  public struct Access: Sendable {
    /// The kind of access.
    public var kind: Kind
    /// The document, or the collection of a list.
    public var path: FirestorePath
    /// The token of the request, or `nil` if it has none.
    public var token: String?
    /// The document as it would be after a write, or `nil` for reads and deletions.
    public var fields: FirestoreFields?

    /// A kind of access.
    public enum Kind: Sendable, Hashable {
      /// Reading a document.
      case get
      /// Reading a collection.
      case list
      /// Creating a document.
      case create
      /// Changing a document.
      case update
      /// Deleting a document.
      case delete
    }
  }
}

// MARK: - State

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
