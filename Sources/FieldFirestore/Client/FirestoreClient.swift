public import FieldCore
public import FieldFoundation

/// A client of one Firestore database that uses its REST interface.
///
/// ```swift
/// let client = FirestoreClient(configuration, transport: URLSessionTransport())
/// let pet = try await client.get("Pets/mesh")
/// try await client.commit([.update("Pets/mesh", ["walks": .increment(1)])], receipt: UUID())
/// ```
///
/// The client classifies errors by the server's status and retries transient failures as Google's
/// clients do for each method, so don't wrap the transport in `retrying(_:)`. It repeats a commit
/// only if that can't apply it twice: if its writes are idempotent, or it has a receipt.
///
/// The REST interface doesn't support listening to changes. Poll with a query instead.
public final class FirestoreClient: Sendable {
  /// The database, and the options for its use.
  public let configuration: FirestoreConfiguration

  private let sender: RequestSender

  /// Creates a client that uses the transport as it is, without decorators.
  ///
  /// - Parameters:
  ///   - configuration: The database, and the options for its use.
  ///   - transport: The transport that sends requests.
  ///   - clock: The clock that measures delays and the age of receipts. Defaults to the system's.
  ///   - random: Returns a number from 0 through 1 for each delay.
  public init(
    _ configuration: FirestoreConfiguration, transport: any Transport,
    clock: any FieldClock = .system,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.configuration = configuration
    sender = RequestSender(
      transport: transport, clock: clock, random: random, tokens: configuration.tokens,
      policy: configuration.retry)
  }

  /// The database.
  public var database: FirestoreDatabase { configuration.database }

  var clock: any FieldClock { sender.clock }
  var random: @Sendable () -> Double { sender.random }

  /// Sends a call with the full name of its subject, repeating it if its method allows it, and
  /// returns the response. Without a verb and a body, it is a GET with the parameters.
  ///
  /// - Parameter isSafeToRepeat: Whether a commit can be repeated after an unknown outcome.
  func call(
    _ method: FirestoreMethod, _ name: String, verb: String? = nil,
    parameters: [(name: String, value: String)] = [], body: JSONValue? = nil,
    isSafeToRepeat: Bool = true
  ) async throws -> JSONValue {
    try await sender.send(
      try request(method, name, verb, parameters, body),
      authorization: { "Bearer \($0.value)" },
      isRetried: { method.isRetried($0, isSafeToRepeat: isSafeToRepeat) },
      isExhausted: { $0.code == .firestoreResourceExhausted }
    ) { try FirestoreProblem.value(of: $0, operation: method.operation) }
  }

  private func request(
    _ method: FirestoreMethod, _ name: String, _ verb: String?,
    _ parameters: [(name: String, value: String)], _ body: JSONValue?
  ) throws -> TransportRequest {
    try database.check()
    let path = name.parts(at: "/").map { PercentEncoding.component(String($0)) }
      .joined(separator: "/")
    var root = configuration.endpoint.absoluteString
    while root.hasSuffix("/") { root.removeLast() }
    guard let url = URL(string: "\(root)/v1/\(path)\(verb.map { ":\($0)" } ?? "")") else {
      throw FieldError(.invalidInput, "\(root) and \(name) don't form a URL.")
    }
    var fields = configuration.fields
    fields["Accept"] = "application/json"
    var request = TransportRequest(
      url: try PercentEncoding.url(url, adding: parameters), fields: fields,
      timeout: method.timeout, operation: method.operation,
      // Retries depend on the method, so a transport, which knows only HTTP, mustn't retry.
      isIdempotent: false)
    if let body {
      let bytes = Array(body.canonicalText.utf8)
      guard bytes.count <= configuration.limits.requestSize else {
        throw FieldError(
          .invalidInput,
          "The request has \(bytes.count) bytes, and the limit is "
            + "\(configuration.limits.requestSize). Send less.", operation: method.operation)
      }
      request.method = .post
      request.fields["Content-Type"] = "application/json"
      request.body = .bytes(bytes)
    }
    return request
  }
}

// MARK: - Bulk

extension FirestoreClient {
  /// Applies any number of independent writes, as fast as Google's rule for new traffic allows.
  ///
  /// The writes are sent in order, in small commits. A rejected write doesn't affect the others:
  /// its commit is split until the write is alone. The rate begins with 500 writes per second and
  /// increases by 50% every 5 minutes.
  ///
  /// - Parameters:
  ///   - writes: The writes. Those that aren't idempotent may end with an unknown outcome.
  ///   - batchSize: The maximum number of writes in a commit. Defaults to 20, as in Google's
  ///     libraries.
  ///   - progress: A closure to call with the number of finished writes.
  /// - Returns: The result or the error of each write.
  /// - Throws: `CancellationError` if the task is canceled.
  public func write(
    _ writes: [FirestoreWrite], batchSize: Int = 20, progress: (Int) -> Void = { _ in }
  ) async throws -> [Result<FirestoreCommit.WriteResult, any Error>] {
    let limiter = FirestoreRateLimiter(clock: clock)
    let size = max(1, min(batchSize, configuration.limits.writeCount))
    var results: [Result<FirestoreCommit.WriteResult, any Error>] = []
    var waiting: [ArraySlice] = stride(from: 0, to: writes.count, by: size).reversed().map {
      writes[$0..<min($0 + size, writes.count)]
    }
    while let batch = waiting.popLast() {
      try Task.checkCancellation()
      do {
        try check(Array(batch))
        try await limiter.wait(for: batch.count)
        results += try await commit(Array(batch)).results.map { .success($0) }
      } catch let error as FieldError {
        if batch.count > 1, error.firestoreOutcome == .rejected {
          let middle = batch.startIndex + batch.count / 2
          waiting.append(batch[middle...])
          waiting.append(batch[..<middle])
          continue
        }
        results += batch.map { _ in .failure(error) }
      }
      progress(results.count)
    }
    return results
  }
}

// MARK: - Reading

extension FirestoreClient {
  /// Returns a document, or `nil` if it doesn't exist.
  ///
  /// - Parameters:
  ///   - path: The document.
  ///   - mask: The fields to return. Defaults to all. If it is empty, the document has only its path and times.
  /// - Throws: `FieldError` with a `firestore.…` code, the code `rows.malformed` if the document can't be read,
  ///   or `firestore.incomplete` if the response contains another document.
  public func get(
    _ path: FirestorePath, mask: [FirestoreFieldPath]? = nil
  ) async throws -> FirestoreDocument? {
    try path.checkDocument()
    let answer: JSONValue
    do {
      answer = try await call(.get, database.name(of: path), parameters: Self.parameters(mask))
    } catch let error as FieldError where error.code == .firestoreNotFound {
      // The same status also means that the database doesn't exist.
      guard !error.message.contains(bytesOf: "database") || error.message.hasPrefix("Document")
      else {
        throw error
      }
      return nil
    }
    let document: FirestoreDocument
    do {
      document = try FirestoreDocument(json: answer, in: database)
    } catch {
      throw FirestoreMethod.get.error(
        .malformed, "The document \(path) can't be read: it \(error).")
    }
    guard document.path == path else {
      throw FirestoreMethod.get.error(
        .firestoreIncomplete,
        "The response is the document \(document.path) instead of \(path). Check any cache in front of the server."
      )
    }
    return document
  }

  /// Returns the documents at the given paths, and the paths of those that don't exist.
  ///
  /// - Parameters:
  ///   - paths: The documents.
  ///   - mask: The fields to return. Defaults to all. If it is empty, documents have only their paths and times.
  ///   - readTime: The time at which to read. Defaults to now.
  /// - Throws: `FieldError` with the code `firestore.incomplete` if the response lacks one of the
  ///   paths.
  public func get(
    _ paths: [FirestorePath], mask: [FirestoreFieldPath]? = nil,
    at readTime: FirestoreTimestamp? = nil
  ) async throws -> FirestoreBatch {
    try await get(paths, mask: mask, consistency: readTime.map(Consistency.time))
  }

  /// The consistency of a read.
  enum Consistency {
    case time(FirestoreTimestamp)
    case transaction(String)

    var time: JSONValue? {
      if case .time(let time) = self { .string(time.description) } else { nil }
    }

    var transaction: JSONValue? { if case .transaction(let id) = self { .string(id) } else { nil } }
  }

  func get(
    _ paths: [FirestorePath], mask: [FirestoreFieldPath]?, consistency: Consistency?
  ) async throws -> FirestoreBatch {
    var batch = FirestoreBatch()
    var rest = paths.uniqued()[...]
    for path in rest { try path.checkDocument() }
    while !rest.isEmpty {
      try await append(Array(rest.prefix(300)), mask, consistency, to: &batch)
      rest = rest.dropFirst(300)
    }
    let places = Dictionary(
      paths.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    // The server returns documents in any order.
    batch.found.sort { places[$0.path, default: 0] < places[$1.path, default: 0] }
    batch.missing.sort { places[$0, default: 0] < places[$1, default: 0] }
    return batch
  }

  private func append(
    _ paths: [FirestorePath], _ mask: [FirestoreFieldPath]?, _ consistency: Consistency?,
    to batch: inout FirestoreBatch
  ) async throws {
    let answer = try await call(
      .batchGet, database.name(of: ""), verb: "batchGet",
      body: [
        "documents": .array(paths.map { .string(database.name(of: $0)) }),
        "mask": mask.map(Self.mask), "readTime": consistency?.time,
        "transaction": consistency?.transaction,
      ])
    var unanswered = Set(paths)
    for (index, row) in try rows(of: answer, .batchGet).enumerated() {
      batch.readTime = Self.time(row["readTime"]) ?? batch.readTime
      if let name = row["missing"]?.string, let path = database.path(of: name) {
        if unanswered.remove(path) != nil { batch.missing.append(path) }
      } else if let found = row["found"] {
        let path = found["name"]?.string.flatMap(database.path)
        guard path.map({ unanswered.remove($0) != nil }) ?? true else { continue }
        read(found, index, &batch.found, &batch.failures)
      }
    }
    if let path = unanswered.min() {
      throw FieldError(
        .firestoreIncomplete,
        "The response lacks \(unanswered.count) of \(paths.count) documents, such as \(path). "
          + "Request them again.", operation: FirestoreMethod.batchGet.operation)
    }
  }

  /// Returns the documents that match a query, in the server's order.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - readTime: The time at which to read. Defaults to now.
  /// - Throws: `FieldError` with the code `input.invalid` if the query is invalid, or
  ///   `firestore.failedPrecondition` if it needs an index that doesn't exist; the message then
  ///   contains a link.
  public func run(
    _ query: FirestoreQuery, at readTime: FirestoreTimestamp? = nil
  ) async throws -> FirestoreResults {
    try await run(query, consistency: readTime.map(Consistency.time))
  }

  func run(_ query: FirestoreQuery, consistency: Consistency?) async throws -> FirestoreResults {
    let answer = try await call(
      .runQuery, database.name(of: query.parent), verb: "runQuery",
      body: [
        "structuredQuery": try query.plan(in: database).json, "readTime": consistency?.time,
        "transaction": consistency?.transaction,
      ])
    var results = FirestoreResults()
    for (index, row) in try rows(of: answer, .runQuery).enumerated() {
      results.readTime = Self.time(row["readTime"]) ?? results.readTime
      if let document = row["document"] {
        read(document, index, &results.documents, &results.failures)
      }
    }
    if query.isLimitedToLast { results.documents.reverse() }
    return results
  }

  /// Returns a page of the documents of a collection.
  ///
  /// - Parameters:
  ///   - collection: The collection.
  ///   - pageSize: The maximum number of documents. Defaults to 300.
  ///   - token: The page token from the previous page. Defaults to the first page.
  ///   - mask: The fields to return, the same for each page. Defaults to all. If it is empty, documents have only
  ///     their paths and times.
  ///   - order: The order, such as `date desc`, the same for each page. Defaults to the document
  ///     IDs.
  public func list(
    _ collection: FirestorePath, pageSize: Int = 300, token: String? = nil,
    mask: [FirestoreFieldPath]? = nil, order: String? = nil
  ) async throws -> FirestoreResults {
    try collection.checkCollection()
    var parameters = Self.parameters(mask)
    parameters.append(("pageSize", String(pageSize)))
    if let order { parameters.append(("orderBy", order)) }
    if let token { parameters.append(("pageToken", token)) }
    let answer = try await call(.list, database.name(of: collection), parameters: parameters)
    guard case .object = answer else { throw Self.unexpected(answer, .list) }
    var results = FirestoreResults()
    for (index, document) in (answer["documents"]?.elements ?? []).enumerated() {
      read(document, index, &results.documents, &results.failures)
    }
    if let next = answer["nextPageToken"]?.string, !next.isEmpty { results.nextPageToken = next }
    return results
  }

  /// Returns the documents of a collection page by page, each requested on demand.
  ///
  /// If the server never gets to the end, such as one that ignores page tokens, the sequence throws
  /// `FieldError` with the code `refresh.noProgress`.
  ///
  /// - Parameters:
  ///   - collection: The collection.
  ///   - pageSize: The maximum number of documents on a page. Defaults to 300.
  public func pages(
    of collection: FirestorePath, pageSize: Int = 300
  ) -> FieldSequence<FirestoreResults, any Error> {
    FieldSequence<FirestoreResults, any Error> { [self] in
      var token: String?
      var isAtEnd = false
      var progress = PageProgress()
      return { _ in
        if isAtEnd { return nil }
        try Task.checkCancellation()
        let page = try await self.list(collection, pageSize: pageSize, token: token)
        guard progress.accepts(page) else {
          throw FirestoreMethod.list.error(
            .noProgress, "The server returns the same page of \(collection) again and again.")
        }
        token = page.nextPageToken
        isAtEnd = token == nil
        return page
      }
    }
  }

  // MARK: Parts of responses

  func rows(of answer: JSONValue, _ method: FirestoreMethod) throws -> [JSONValue] {
    guard let rows = answer.elements else { throw Self.unexpected(answer, method) }
    return rows
  }

  static func unexpected(_ answer: JSONValue, _ method: FirestoreMethod) -> FieldError {
    FieldError(
      .schema,
      "The response isn't one to \(method.rawValue): \(answer.canonicalText.prefix(80)). Check "
        + "the URL.", operation: method.operation)
  }

  private func read(
    _ json: JSONValue, _ index: Int, _ documents: inout [FirestoreDocument],
    _ failures: inout [RowFailure]
  ) {
    do {
      documents.append(try FirestoreDocument(json: json, in: database))
    } catch {
      failures.append(
        RowFailure(
          index: index, key: json["name"]?.string, excerpt: "\(json.canonicalText.prefix(200))",
          reason: "the document \(error)"))
    }
  }

  static func time(_ json: JSONValue?) -> FirestoreTimestamp? {
    json?.string.flatMap(FirestoreTimestamp.init(rfc3339:))
  }

  private static func parameters(_ mask: [FirestoreFieldPath]?) -> [(name: String, value: String)] {
    (mask.map(names) ?? []).map { ("mask.fieldPaths", $0) }
  }

  private static func mask(_ paths: [FirestoreFieldPath]) -> JSONValue {
    ["fieldPaths": .array(names(of: paths).map { .string($0) })]
  }

  /// Returns the names in a mask. No names would be no mask in a URL, so the document's name stands for none.
  private static func names(of paths: [FirestoreFieldPath]) -> [String] {
    (paths.isEmpty ? [.documentID] : paths).map(\.description)
  }
}

// MARK: - Transactions

extension FirestoreClient {
  /// Runs a transaction, calling the closure again after a conflict with other transactions.
  ///
  /// ```swift
  /// try await client.transaction { transaction in
  ///   let total = try await transaction.get("Totals/walks")?["count"]?.integer ?? 0
  ///   transaction.write(try .set("Totals/walks", ["count": .value(.integer(total + 1))]))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - attempts: The maximum number of times to call the closure. Defaults to 5.
  ///   - receipt: The ID of the operation. With a receipt, the client determines the outcome of a
  ///     commit if it is unknown, and repeats the transaction if needed. Without one, it throws the
  ///     error.
  ///   - body: The closure that reads and writes. If it throws, nothing is changed.
  /// - Returns: The result of the closure.
  public func transaction<Output: Sendable>(
    attempts: Int = 5, receipt: UUID? = nil,
    _ body: @Sendable (FirestoreTransaction) async throws -> Output
  ) async throws -> Output {
    var earlier: String?
    var attempt = 1
    while true {
      let transaction = FirestoreTransaction(id: try await begin(retrying: earlier), client: self)
      var output: Output?
      do {
        let result = try await body(transaction)
        output = result
        try await commit(transaction, receipt)
        return result
      } catch {
        await rollback(transaction)
        guard attempt < attempts, let error = error as? FieldError else { throw error }
        // Before the commit, only an aborted transaction is repeated.
        let isAgain =
          output == nil
          ? error.code == .firestoreAborted : isRepeated(error, hasReceipt: receipt != nil)
        guard isAgain else { throw error }
        try await clock.sleep(
          for: configuration.retry.delay(
            afterAttempt: attempt, isExhausted: false, random: random()))
        (earlier, attempt) = (transaction.id, attempt + 1)
        if let output, let receipt, error.firestoreOutcome == .unknown,
          try await self.receipt(receipt)
        {
          return output
        }
      }
    }
  }

  private func isRepeated(_ error: FieldError, hasReceipt: Bool) -> Bool {
    switch error.firestoreOutcome {
    case .notApplied: error.code == .firestoreAborted || error.code == .firestoreResourceExhausted
    case .unknown: hasReceipt
    // A transaction lasts 270 seconds, and 60 seconds without a call.
    case .rejected:
      error.code == .firestoreInvalidArgument
        && error.message.contains(bytesOf: "transaction has expired")
    }
  }

  private func begin(retrying earlier: String?) async throws -> String {
    let kind: JSONValue = ["retryTransaction": earlier.map { .string($0) }]
    let answer = try await call(
      .beginTransaction, database.name(of: ""), verb: "beginTransaction",
      body: ["options": ["readWrite": kind]])
    guard let id = answer["transaction"]?.string, !id.isEmpty else {
      throw Self.unexpected(answer, .beginTransaction)
    }
    return id
  }

  private func commit(_ transaction: FirestoreTransaction, _ receipt: UUID?) async throws {
    let writes = receipt.map { [receiptWrite($0)] } ?? []
    try check(writes + transaction.writes)
    do {
      _ = try await send(
        writes + transaction.writes, transaction: transaction.id, isSafeToRepeat: false)
    } catch let error as FieldError {
      guard let receipt else { throw error }
      _ = try await resolve(error, receipt)
    }
  }

  /// Releases the transaction's locks. Others wait for them, so this also happens if the task is
  /// canceled; after a failure, the server releases them within a minute.
  private func rollback(_ transaction: FirestoreTransaction) async {
    await Task { [self] in
      _ = try? await call(
        .rollback, database.name(of: ""), verb: "rollback",
        body: ["transaction": .string(transaction.id)])
    }.value
  }
}

// MARK: - Writing

extension FirestoreClient {
  /// Applies writes in order, atomically.
  ///
  /// After a failure, the client repeats the commit only if that can't apply it twice. To see
  /// whether a failed commit may have been applied, check the error's `firestoreOutcome`. Pass a
  /// receipt for writes that aren't idempotent.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if the server would reject a write, or
  ///   with a `firestore.…` code.
  @discardableResult
  public func commit(_ writes: [FirestoreWrite]) async throws -> FirestoreCommit {
    try check(writes)
    guard !writes.isEmpty else { return FirestoreCommit() }
    return try await send(writes, isSafeToRepeat: writes.allSatisfy(\.isIdempotent))
  }

  /// Applies writes in order, atomically, and exactly once for each ID.
  ///
  /// The commit also creates a receipt. If the ID already has a receipt, an earlier attempt has
  /// applied the writes, and nothing is changed. You can therefore repeat the call after any
  /// failure, even in another process, as long as receipts are kept. A receipt costs one write.
  ///
  /// - Parameters:
  ///   - writes: The writes.
  ///   - receipt: The ID of the operation, the same for each attempt.
  ///   - firstAttempt: The time of the first attempt. If it is further in the past than receipts
  ///     are kept, nothing is sent.
  /// - Throws: `FieldError` with the code `firestore.receiptExpired` in that case, and otherwise
  ///   the errors of ``commit(_:)``.
  @discardableResult
  public func commit(
    _ writes: [FirestoreWrite], receipt: UUID, firstAttempt: Date? = nil
  ) async throws -> FirestoreCommit {
    let policy = configuration.receipts
    if let firstAttempt,
      clock.now.timeIntervalSince(firstAttempt) > (policy.lifetime - policy.margin) / .seconds(1)
    {
      throw FirestoreMethod.commit.error(
        .firestoreReceiptExpired,
        "The operation \(receipt) was first sent at \(FirestoreTimestamp(firstAttempt)), and its receipt "
          + "may have been deleted. Check whether it was applied, and send it under a new ID.")
    }
    let all = [receiptWrite(receipt)] + writes
    try check(all)
    do {
      var commit = try await send(all, isSafeToRepeat: true)
      commit.results.removeFirst()
      return commit
    } catch let error as FieldError {
      return try await resolve(error, receipt)
    }
  }

  /// Returns a Boolean value that indicates whether the writes of an operation were applied.
  ///
  /// Even if it is `false`, a request that is still on its way may be applied later.
  public func receipt(_ id: UUID) async throws -> Bool { try await receiptTime(id) != nil }

  private func receiptTime(_ id: UUID) async throws -> FirestoreTimestamp? {
    try await get(receiptPath(id)).map { document in
      try document.updateTime ?? FirestoreTimestamp(seconds: 0)
    }
  }

  private func receiptPath(_ id: UUID) -> FirestorePath {
    configuration.receipts.collection.child(id.uuidString.lowercased())
  }

  func receiptWrite(_ id: UUID) -> FirestoreWrite {
    let policy = configuration.receipts
    var fields = policy.fields
    fields[policy.expiryField] = .date(clock.now.addingTimeInterval(policy.lifetime / .seconds(1)))
    return FirestoreWrite(receiptPath(id), .update(fields, mask: nil), precondition: .exists(false))
  }

  /// Determines whether an earlier attempt has applied a commit that was rejected.
  ///
  /// The status of a failed precondition varies between servers, and another precondition of the
  /// commit may fail first. The receipt decides.
  func resolve(_ error: FieldError, _ receipt: UUID) async throws -> FirestoreCommit {
    switch error.code {
    case .firestoreAlreadyExists, .firestoreFailedPrecondition, .firestoreNotFound:
      guard let time = try await receiptTime(receipt) else { throw error }
      return FirestoreCommit(applied: .earlier, time: time)
    default: throw error
    }
  }

  // MARK: Committing

  func check(_ writes: [FirestoreWrite]) throws {
    let limits = configuration.limits
    guard writes.count <= limits.writeCount else {
      throw FieldError(
        .invalidInput,
        "There are \(writes.count) writes, but a commit takes \(limits.writeCount). Use write(_:), "
          + "or divide them.")
    }
    var transforms: [FirestorePath: Int] = [:]
    for write in writes {
      try limits.check(write, in: database)
      transforms[write.path, default: 0] += write.transforms.count
    }
    if let (path, count) = transforms.first(where: { $0.value > limits.transformCount }) {
      throw FieldError(
        .invalidInput,
        "\(path) has \(count) transforms in one commit, but \(limits.transformCount) is the limit.")
    }
  }

  /// Sends a commit that has already been checked.
  func send(
    _ writes: [FirestoreWrite], transaction: String? = nil, isSafeToRepeat: Bool
  ) async throws -> FirestoreCommit {
    let answer = try await call(
      .commit, database.name(of: ""), verb: "commit",
      body: [
        "writes": .array(writes.map { $0.json(name: database.name) }),
        "transaction": transaction.map { .string($0) },
      ], isSafeToRepeat: isSafeToRepeat)
    guard case .object = answer else { throw Self.unexpected(answer, .commit) }
    let results = answer["writeResults"]?.elements ?? []
    guard results.count == writes.count else {
      throw FieldError(
        .firestoreIncomplete,
        "The response has \(results.count) results for \(writes.count) writes, so it isn't known "
          + "whether they were applied.", operation: FirestoreMethod.commit.operation)
    }
    return FirestoreCommit(
      results: try results.map(Self.result), time: Self.time(answer["commitTime"]))
  }

  private static func result(_ json: JSONValue) throws -> FirestoreCommit.WriteResult {
    do {
      return FirestoreCommit.WriteResult(
        updateTime: try FirestoreDocument.time(json["updateTime"]),
        transformResults: try (json["transformResults"]?.elements ?? []).map {
          try FirestoreValue(json: $0)
        })
    } catch {
      throw FirestoreMethod.commit.error(
        .malformed, "The writes were applied, but a result can't be read: it \(error).")
    }
  }
}
