internal import FieldCore

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
