public import FieldCore

/// A copy of a collection on the device, which follows what other clients write.
///
/// ```swift
/// let mirror = FirestoreMirror("shops", client: client, storage: storage)
/// try await mirror.refresh(.now)
/// let open = try await mirror.documents(FirestoreQuery("shops").where("isOpen", .equal, true))
/// ```
///
/// Listening isn't possible over REST, so a mirror polls: a refresh requests what has changed since the last
/// one, page by page, and continues where an earlier one has stopped. Each document needs a field that every
/// writer sets to the server's time (`FirestoreInput.serverTimestamp`). Documents without it, or with a value of
/// another type, don't arrive; a refresh that has received others reports their number.
///
/// A deleted document leaves no trace that a query could find. If the server counts fewer documents than
/// the mirror knows, including those that can't be read, the refresh reads the IDs of all documents and removes those
/// that no longer exist.
public final class FirestoreMirror: EngineKit {
  /// The engine that opens, refreshes, erases, and closes the mirror.
  public let engine: KitEngine
  /// The collection.
  public let collection: FirestorePath
  /// The store of the documents.
  let store: any RecordStore<MirroredDocument>
  private let database: FirestoreDatabase

  /// Creates a mirror, without any request.
  ///
  /// - Parameters:
  ///   - collection: The collection.
  ///   - client: The client that reads it.
  ///   - storage: The storage for the documents.
  ///   - name: The name of the store in the storage. Defaults to that of the collection.
  ///   - changedAt: The field with the time of the last change. Defaults to `changedAt`.
  ///   - policy: When a refresh is due. Defaults to every 30 seconds.
  ///   - overlap: How long a change may take to become visible. Each refresh reads this time again; defaults
  ///     to 10 seconds.
  ///   - clock: The clock to use.
  public init(
    _ collection: FirestorePath, client: FirestoreClient, storage: Storage, name: String? = nil,
    changedAt: FirestoreFieldPath = "changedAt", policy: RefreshPolicy = .every(.seconds(30)),
    overlap: Duration = .seconds(10), clock: any FieldClock = .system
  ) {
    let name = name ?? collection.id
    let store: any RecordStore<MirroredDocument> = storage.store(name)
    let source = MirrorSource(
      collection: collection, client: client, changedAt: changedAt,
      options: SyncOptions(pageSize: 300, smallestPage: 10, overlap: overlap))
    self.collection = collection
    self.store = store
    database = client.database
    let part = RefreshPart("documents", policy: policy) {
      RefreshPart.Status(lastSuccess: try await store.snapshot().checkpoint?.lastSuccess)
    } work: { progress in
      try await Self.refresh(source, store, clock, progress)
    }
    engine = KitEngine(name, dataSources: [], stores: [store], clock: clock, parts: [part])
  }

  /// Reads the changes, and then, if the numbers of documents differ, all IDs.
  private static func refresh(
    _ source: MirrorSource, _ store: any RecordStore<MirroredDocument>, _ clock: any FieldClock,
    _ progress: RefreshPart.Progress
  ) async throws -> RefreshReport {
    func run(_ deletion: DeletionPolicy) async throws -> RefreshReport {
      try await SyncEngine(
        source: source, store: store, deletion: deletion,
        snapshotGuard: SnapshotGuard(
          maximumRemovedFraction: 1, maximumFailedFraction: 1, pageSize: nil),
        clock: clock, merging: { stored, given in given.isReadable ? given : stored }
      ).run(progress: progress)
    }
    let before = try await store.snapshot()
    var report = try await run(.never)
    let snapshot = try await store.snapshot()
    let stored = snapshot.count
    if report.outcome == .updated {
      // Documents that can't be read are stored only to be counted.
      let unreadable = snapshot.filter { !$0.isReadable }
      report.added -= unreadable.count { before[id: $0.id] == nil }
      let missing = try await source.count(isComplete: true).map { $0 - stored + unreadable.count }
      if let missing, missing > 0 {
        report.notices.append(
          .init(
            .documentsLeftOut,
            "\(missing) documents of \(source.collection) can't be read, or have no timestamp in "
              + "\(source.changedAt), so they weren't received."))
      }
      if report.added + report.updated == 0 { report.outcome = .unchanged }
    }
    guard let count = try await source.count(), count < stored else { return report }
    let sweep = try await run(.byKeys)
    report.added += sweep.added
    report.updated += sweep.updated
    report.removed += sweep.removed
    report.notices += sweep.notices
    if sweep.outcome == .updated { report.outcome = .updated }
    return report
  }

  /// Returns a document; `nil` if the mirror doesn't have it.
  ///
  /// - Parameter id: The ID of the document in the collection.
  @concurrent
  public func document(_ id: String) async throws -> FirestoreDocument? {
    try await snapshot()[id: id]?.document(in: database)
  }

  /// Returns the documents that a query matches, in the order in which the server would return them.
  @concurrent
  public func documents(_ query: FirestoreQuery) async throws -> [FirestoreDocument] {
    try query.run(
      on: try await snapshot().compactMap { try $0.document(in: database) }, in: database)
  }

  /// Returns all documents, and the state of the mirror that they are of.
  @concurrent
  package func all() async throws -> News {
    let snapshot = try await snapshot()
    return (try snapshot.compactMap { try $0.document(in: database) }, [], snapshot.revision)
  }

  /// Documents, the IDs of those that were deleted, and the state of the mirror that they are of.
  package typealias News = (documents: [FirestoreDocument], gone: [String], revision: Revision)

  /// Returns the documents that have changed since an earlier state, and the IDs of those that were deleted;
  /// `nil` if that isn't known any more.
  @concurrent
  package func changes(since revision: Revision) async throws -> News? {
    let snapshot = try await snapshot()
    guard let ids = snapshot.changedIDs(since: revision) else { return nil }
    let sorted = ids.sorted()
    let documents = try sorted.compactMap { try snapshot[id: $0]?.document(in: database) }
    return (documents, sorted.filter { snapshot[id: $0] == nil }, snapshot.revision)
  }

  /// Returns the IDs of the documents that have changed, after each refresh that has found any.
  ///
  /// The first element is immediate and contains all.
  public func updates() -> FieldSequence<Set<String>, any Error> {
    SnapshotUpdates(following: { [store] in store.updates() }).scan(nil) {
      (last: inout Snapshot<MirroredDocument>?, snapshot) in
      let changed = last.flatMap { snapshot.changedIDs(since: $0.revision) }
      let isFirst = last == nil
      last = snapshot
      let ids = (changed ?? Set(snapshot.lazy.map(\.id)))
        .filter { snapshot[id: $0]?.isReadable ?? true }
      return ids.isEmpty && !isFirst ? nil : ids
    }
  }

  private func snapshot() async throws -> Snapshot<MirroredDocument> {
    try await engine.reading { try await store.snapshot() }
  }
}

extension RefreshReport.Notice.Code {
  /// Documents of a mirrored collection can't be read, or lack the time of their last change.
  public static var documentsLeftOut: Self { Self(rawValue: "firestore.documentsLeftOut") }
}
