internal import FieldCore
internal import FieldFoundation

/// The documents of a collection, page by page in the order of their last change.
struct MirrorSource: PagedSource {
  let collection: FirestorePath
  let client: FirestoreClient
  let changedAt: FirestoreFieldPath
  let options: SyncOptions

  var fingerprint: String {
    "firestore/1 \(client.database.name(of: collection)) \(changedAt.description)"
  }

  func page(_ request: PageRequest) async throws -> Batch<MirroredDocument> {
    let query = try query(request)
    let results = try await client.run(query)
    var page = Batch<MirroredDocument>(
      records: results.documents.map { MirroredDocument($0, in: client.database) },
      failures: results.failures,
      failedIDs: results.failures.compactMap { $0.key.map { FirestorePath($0).id } },
      facts: facts(of: results, for: query))
    if page.records.isEmpty, !results.failures.isEmpty {
      // The time of the last change can be read, whatever else the documents contain.
      let times = try await client.run(query.select(changedAt))
      page.facts.end = position(of: times.documents.last)
    }
    // If none of the first page can be read, that is an error of the source.
    if request.position != nil || !page.records.isEmpty {
      page.records += page.failedIDs.map(MirroredDocument.init(unreadable:))
    }
    return page
  }

  func keys(_ request: PageRequest) async throws -> KeyPage<String> {
    let query = try query(request).select()
    let results = try await client.run(query)
    return KeyPage(
      ids: results.documents.map(\.path.id), hasUnreadableIDs: !results.failures.isEmpty,
      facts: facts(of: results, for: query))
  }

  /// Returns the number of documents on the server; `nil` if it can't count.
  ///
  /// - Parameter isComplete: Pass `true` to count those without a time, too, which a mirror can't have.
  func count(isComplete: Bool = false) async throws -> Int? {
    do {
      return try await client.count(isComplete ? FirestoreQuery(collection) : changed)
    } catch let error as FieldError
      where error.code == .firestoreUnimplemented || error.code == .notFound
    {
      // Servers that stand in for Firestore don't all count.
      return nil
    }
  }

  /// The documents with a time; a condition is met only by values of its type. Numbers would come before all
  /// times, and text after them, so that pages of such documents would hold up the others.
  private var changed: FirestoreQuery {
    FirestoreQuery(collection).where(
      changedAt, .greaterThanOrEqual, .timestamp(FirestoreTimestamp(.distantPast)))
  }

  private func query(_ request: PageRequest) throws -> FirestoreQuery {
    let key = request.position?.key.map { FirestoreValue.string($0) }
    guard request.order == .byChange else {
      let query = FirestoreQuery(collection).limit(to: request.size).order(by: .documentID)
      return key.map { query.start(after: .values([$0])) } ?? query
    }
    let query = changed.limit(to: request.size).order(by: changedAt).order(by: .documentID)
    guard let stamp = request.position?.stamp else { return query }
    let time = FirestoreValue.timestamp(try FirestoreTimestamp(stamp))
    return key.map { query.start(after: .values([time, $0])) } ?? query.start(at: .values([time]))
  }

  private func facts(of results: FirestoreResults, for query: FirestoreQuery) -> PageMetadata {
    let count = results.documents.count + results.failures.count
    return PageMetadata(
      rowCount: count, end: position(of: results.documents.last),
      isLast: count < (query.limit ?? 0), serverDate: results.readTime?.date,
      origin: client.configuration.endpoint)
  }

  private func position(of document: FirestoreDocument?) -> SyncPosition? {
    document.map { SyncPosition(stamp: $0[changedAt]?.timestamp?.description, key: $0.path.id) }
  }
}
