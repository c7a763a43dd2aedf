public import FieldCore
public import FieldFirestore
public import FieldFoundation
public import WalkKit

/// A diary's data in Firestore, with everything on the device as well.
///
/// ```swift
/// let cloud = FirestoreWalks(.firestore(configuration), storage: storage, transport: transport)
/// let diary = WalkDiary(cloud)
/// try await diary.refresh(.now)              // sends what waits, then receives what is new
/// print(try await cloud.pending().count)     // what the server hasn't applied
/// ```
///
/// Everything is written to the device first, together with the operation that sends it, and read from there.
/// <doc:Keeping-walks-in-Firestore> shows the whole.
public final class FirestoreWalks: Sendable {
  /// The place of the diary.
  public let configuration: WalkFirestoreConfiguration
  /// The documents of the diary as the server has them.
  public let mirror: FirestoreMirror

  private let outbox: Outbox<WalkRecord>
  private let store: EditedStore
  package let stored: StoredWalks
  private let blobs: CloudBlobs
  let storage: Storage
  let transport: any Transport
  let clock: any FieldClock
  /// The client that reads the documents of the original app.
  let originalClient: FirestoreClient
  private let random: @Sendable () -> Double
  /// Held while what was received is merged, so that it's merged in order.
  private let refreshing = AsyncLock()

  /// Creates the stores of a diary in Firestore, without any request.
  ///
  /// A diary that was in the storage before is sent at the next refresh.
  ///
  /// - Parameters:
  ///   - configuration: The place of the diary.
  ///   - storage: The storage on the device.
  ///   - transport: The transport, used as it is.
  ///   - clock: The clock to use.
  ///   - random: Returns a number from 0 to 1 for delays and for the name of this device.
  public init(
    _ configuration: WalkFirestoreConfiguration, storage: Storage, transport: any Transport,
    clock: any FieldClock = .system,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.configuration = configuration
    self.clock = clock
    self.random = random
    let client = FirestoreClient(
      configuration.firestore, transport: transport, clock: clock, random: random)
    originalClient = client
    var single = configuration.firestore
    single.retry = .never  // the outbox sends again
    let photos = configuration.photos.map {
      StorageClient($0, transport: transport, clock: clock, random: random)
    }
    let records: any RecordStore<WalkRecord> = storage.store(StoredWalks.storeName)
    blobs = CloudBlobs(
      local: storage.blobStore(StoredWalks.storeName), configuration: configuration,
      firestore: client, photos: photos, sessions: records)
    let mirror = FirestoreMirror(
      configuration.diary, client: client, storage: storage,
      name: "\(StoredWalks.storeName)-mirror", policy: .always, clock: clock)
    self.mirror = mirror
    outbox = Outbox(
      store: records,
      target: DiaryTarget(
        configuration: configuration,
        client: FirestoreClient(single, transport: transport, clock: clock, random: random),
        blobs: blobs),
      policy: configuration.outbox, clock: clock, merging: WalkEdit.merging,
      random: random
    ) { operation, receipt, snapshot, changes in
      let edit = operation.payload
      for photo in receipt.missingPhotos { changes.upsert(CloudBlobs.waiting(photo)) }
      guard !receipt.overruled.isEmpty else { return }
      let conflict = WalkConflict(
        id: operation.id, subject: edit.subject, fields: receipt.overruled,
        date: operation.enqueued)
      changes.upsert(conflict.record)
      do {
        // What is listed now mustn't be listed again when the other edits arrive.
        var state = try snapshot.state(of: edit.subject)
        state.forget(try edit.change, receipt.overruled)
        changes.upsert(.attachment(edit.subject.recordID, state.stampsText))
      } catch {
        // The stamps can't be read. Reading the record will say so; the edit was sent.
      }
    }
    store = EditedStore(outbox: outbox, mirror: mirror, clock: clock, random: random)
    stored = StoredWalks(store: store, blobs: blobs)
    self.storage = storage
    self.transport = transport
  }

  /// The refresh of a diary.
  var diaryRefresh: WalkRefresh {
    WalkRefresh(from: dataSource) {
      try await self.nextRefreshDate
    } lastSuccess: {
      try await self.lastRefresh
    } fetch: {
      try await self.refresh($0)
    }
  }

  // MARK: What waits

  /// Returns the edits that the server hasn't applied.
  public func pending() async throws -> OutboxView<WalkEdit> { try await outbox.pending() }

  /// Returns the edits that the server hasn't applied, and then the newest after each change.
  public func pendingUpdates() -> ViewUpdates<OutboxView<WalkEdit>> { outbox.updates() }

  /// Sends the edits that are due, and returns those that are left.
  @discardableResult
  public func send(_ when: RefreshTrigger = .ifDue) async throws -> OutboxView<WalkEdit> {
    try await store.adopt()
    return try await outbox.send(when)
  }

  /// Sends edits as they are made, until the task is canceled.
  public func run() async throws {
    try await store.adopt()
    try await outbox.run()
  }

  /// Sends a rejected edit again, such as after the rules of the database were changed.
  ///
  /// To correct it instead, change the record: the change becomes part of the rejected edit.
  public func resend(_ edit: UUID) async throws { try await outbox.resend(edit) }

  /// Gives up an edit, and takes the record's fields as the server has them.
  ///
  /// - Throws: `FieldError` with the code `outbox.notPending` or `outbox.alreadySent`.
  public func discard(_ edit: UUID) async throws {
    try await refreshing.withLock {
      let subject = try await pending().operations.first { $0.id == edit }?.payload.subject
      var document: FirestoreDocument?
      var blobs: Set<BlobID> = []
      if let subject {
        document = try await mirror.document(subject.documentID)
        try await store.snapshot()[id: subject.recordID]?.forEachBlob { blobs.insert($0) }
      }
      let (random, found) = (random, document)
      _ = try await stored.releasing(blobs) {
        try await outbox.update { snapshot, changes in
          let operation = snapshot[id: WalkRecord.id(ofOperation: edit)]?.operation
          try changes.discard(edit)
          for upload in snapshot.abandonedUploads(without: edit) { changes.remove(upload) }
          guard let payload = operation?.payload else { return }
          // The stamps of the edit would keep its values alive.
          let without = try snapshot.forgetting(payload)
          var merging = Merging(over: without, random: random)
          if let found {
            try merging.merge([found])
          } else {
            merging.remove([payload.subject.documentID]) { _ in false }
          }
          for record in [
            payload.subject.recordID, WalkRecord.id(ofAttachment: payload.subject.recordID),
          ] {
            if let kept = without[id: record] { changes.upsert(kept) }
          }
          _ = try merging.finish(
            mirror: snapshot.attachment(Merging.key) ?? "", at: clock.now, in: &changes)
        }
      }
    }
  }

  /// Returns the edits that were overruled by later ones from other devices, oldest first.
  public func conflicts() async throws -> [WalkConflict] {
    try await store.snapshot().compactMap(WalkConflict.init).sorted { $0.date < $1.date }
  }

  /// Removes a conflict that the user has seen.
  public func dismiss(_ conflict: WalkConflict) async throws {
    try await outbox.update { _, changes in changes.remove(conflict.record.id) }
  }

  // MARK: Refreshing

  /// The source to credit beside the data.
  public var dataSource: DataSource {
    DataSource(
      name: "Cloud Firestore", chineseName: "Cloud Firestore", publisher: "the owner of the diary",
      page: configuration.firestore.endpoint, license: "", attribution: "")
  }

  /// The date when the next refresh is due.
  public var nextRefreshDate: Date {
    get async throws {
      guard let last = try await lastRefresh else { return clock.now }
      let next = last.addingTimeInterval(configuration.interval / .seconds(1))
      return min(next, try await pending().nextAttempt ?? next)
    }
  }

  /// The date when the server last confirmed the data; `nil` if it never has.
  public var lastRefresh: Date? { get async throws { try await mirror.lastRefresh } }

  /// Sends what waits, and then receives what other devices have written.
  ///
  /// - Throws: `FieldError` if nothing could be received. What couldn't be sent isn't thrown; it is in
  ///   ``pending()``.
  @concurrent
  @discardableResult
  public func refresh(_ when: RefreshTrigger = .ifDue) async throws -> RefreshReport {
    try await refreshing.withLock {
      let date = try await nextRefreshDate
      let isAdopting = try await store.adopt()
      guard when.isForced || isAdopting || date <= clock.now else {
        return RefreshReport(outcome: .notDue, date: clock.now)
      }
      let erasure = try await store.snapshot().checkpoint?.erasure
      let left = try await outbox.send(when)
      if try await !store.snapshot().abandonedUploads().isEmpty {
        // An edit was corrected, and has another photo now.
        try await outbox.update { snapshot, changes in
          for upload in snapshot.abandonedUploads() { changes.remove(upload) }
        }
      }
      let waitingPhotos = try await blobs.uploadWaiting()
      var report = try await mirror.refresh(.now)
      try await merge(into: &report, unlessErasedSince: erasure)
      if !left.rejected.isEmpty {
        report.notices.append(
          .init(
            .editsRejected,
            "The server rejected \(left.rejected.count) edits. Correct, resend, or discard them."))
      }
      if waitingPhotos > 0 {
        report.notices.append(
          .init(
            .photosMissing,
            "\(waitingPhotos) photos of walks or pets that were sent aren't on this device, so they couldn't be "
              + "uploaded. They are uploaded when they are here again."))
      }
      let conflicts = try await conflicts()
      if !conflicts.isEmpty {
        report.notices.append(
          .init(
            .editsOverruled,
            "\(conflicts.count) edits were overruled by later ones from other devices."))
      }
      return report
    }
  }

  /// Merges what the mirror has received into the diary.
  private func merge(
    into report: inout RefreshReport, unlessErasedSince erasure: String?
  ) async throws {
    let merged = try await store.snapshot().attachment(Merging.key).flatMap { UInt64($0) }
    var news: FirestoreMirror.News?
    if let merged { news = try await mirror.changes(since: Revision(number: merged)) }
    if let news, news.documents.isEmpty && news.gone.isEmpty { return }
    let found = if let news { news } else { try await mirror.all() }
    var outcome = try await commit(found, erasure)
    if outcome.hasNewPets && news != nil {
      // Walks may have arrived before their pets.
      let documents = try await mirror.all().documents
      outcome = try await commit((documents, [], found.revision), erasure)
    }
    report.add(outcome.failures)
    if !outcome.corrections.isEmpty {
      report.notices.append(
        .init(
          .recordsAdjusted,
          "Two devices have used the same name or set a home: \(outcome.corrections.joined(separator: ", "))"
        ))
    }
    do {
      try await blobs.fetchRoutes(outcome.routes.sorted { $0.hexadecimal < $1.hexadecimal })
    } catch let error as FieldError {
      // They are fetched when they are read.
      report.notices.append(.init(.routesLater, "Some routes weren't received: \(error.message)"))
    }
  }

  private struct Outcome: Sendable {
    var failures: [RowFailure] = []
    var routes: Set<BlobID> = []
    var hasNewPets = false
    var corrections: [String] = []
  }

  private func commit(_ news: FirestoreMirror.News, _ erasure: String?) async throws -> Outcome {
    let edited = Set(try await pending().operations.map(\.lane))
    let merged = { [random] (snapshot: Snapshot<WalkRecord>) throws -> Merging in
      var merging = Merging(over: snapshot, random: random)
      try merging.merge(news.documents)
      merging.remove(news.gone) { edited.contains($0) }
      return merging
    }
    let replaced = try merged(try await store.snapshot()).replacedBlobs
    return try await stored.releasing(replaced) {
      var outcome = Outcome()
      try await outbox.update { snapshot, batch in
        guard snapshot.checkpoint?.erasure == erasure else {
          throw FieldError(
            .conflict,
            "The diary was erased during the refresh, so nothing was stored. Refresh again.")
        }
        var merging = try merged(snapshot)
        outcome.corrections = try merging.finish(
          mirror: "\(news.revision.number)", at: clock.now, in: &batch)
        outcome.failures = merging.failures
        outcome.routes = merging.routes
        outcome.hasNewPets = merging.hasNewPets
      }
      return outcome
    }
  }
}

extension RefreshReport.Notice.Code {
  /// The server has refused edits, which wait for a decision.
  public static var editsRejected: Self { Self(rawValue: "walks.editsRejected") }
  /// Edits were overruled by later ones from other devices.
  public static var editsOverruled: Self { Self(rawValue: "walks.editsOverruled") }
  /// Photos of records that were sent aren't on the device, and wait until they are.
  public static var photosMissing: Self { Self(rawValue: "walks.photosMissing") }
  /// Records of several devices couldn't be side by side, such as two pets of the same name.
  public static var recordsAdjusted: Self { Self(rawValue: "walks.recordsAdjusted") }
  /// Routes couldn't be received yet.
  public static var routesLater: Self { Self(rawValue: "walks.routesLater") }
}

extension Snapshot<WalkRecord> {
  /// Returns the content without the stamps of an edit, so that the server's fields are taken.
  fileprivate func forgetting(_ edit: WalkEdit) throws -> Snapshot {
    let change = try edit.change
    var state = try state(of: edit.subject)
    if state.created == change.created { state.created = nil }
    if state.removed == change.removed {
      state.removed = nil
      state.seen[DocumentState.removedField] = nil
    }
    state.forget(change, change.fields)
    return applying(Changes(upserting: [.attachment(edit.subject.recordID, state.stampsText)]))
  }
}

extension WalkRecord {
  fileprivate static func id(ofOperation id: UUID) -> String { "o\(id.uuidString)" }
}
