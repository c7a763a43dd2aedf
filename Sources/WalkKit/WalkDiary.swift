public import FieldCore

/// The diary of a dog owner: pets, walks with their routes and photos, places, and rewards.
///
/// ```swift
/// let diary = WalkDiary(storage: .application("walks"), transport: URLSessionTransport())
/// let mesh = try await diary.register(PetRegistration(name: "mesh", breed: .welshCorgi, …))
/// let walk = try await diary.start(pets: [mesh.id], goal: .nearest(of: diary.places()))
/// await walk.record(LocationFix(coordinate: here, accuracy: .meters(8), time: now))
/// let finished = try await walk.finish(weather: .clear, dust: .good)
/// ```
///
/// Creating a diary does no I/O; it opens on first use, once for all callers. Everything in it is
/// identified by an ID; names can change. A change is stored completely or not at all: a pet with
/// its portrait, a walk with its route and photos, the deletion of a pet with everything that
/// belongs only to it.
///
/// A diary in a storage is complete as it is. There is nothing to fetch, so a refresh reports
/// `notDue`, and ``nextRefreshDate`` and ``lastRefresh`` are `nil`. A diary has no `view()`,
/// because walks are read page by page; follow the result of a query with ``updates(of:)``, or ``updates()`` to see what to
/// read again.
///
/// Several diaries, in one or more processes, can share one storage. Each sees what the others have
/// stored.
public final class WalkDiary: EngineKit, LiveKit {
  /// The diary itself, because walks are read page by page.
  public typealias View = WalkDiary

  let core: DiaryCore
  let sessions: WalkSessions

  /// Creates a diary that keeps everything in a storage.
  ///
  /// - Parameters:
  ///   - storage: The storage for pets, walks, photos, routes, and the journals of walks.
  ///   - transport: The transport that fetches remote photos, such as those of old data. A few
  ///     quick retries and request coalescing are added here, so don't add them yourself.
  ///   - clock: The clock to use.
  ///   - rules: The requirements for registering a pet.
  ///   - recording: The options for recording walks, including the time zone that decides the
  ///     calendar day.
  ///   - conditions: The sources of a walk's weather and air quality if the owner doesn't enter
  ///     them.
  ///   - photoLimits: The largest photo to download, and the space for downloaded photos.
  ///   - random: A closure that returns a random number from 0 up to but not including 1, for IDs
  ///     and random goals.
  public convenience init(
    storage: Storage,
    transport: any Transport,
    clock: any FieldClock = .system,
    rules: PetRules = PetRules(),
    recording: RecordingOptions = .standard,
    conditions: WalkConditions = WalkConditions(),
    photoLimits: AssetLimits = AssetLimits(),
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.init(
      repository: storage.store(StoredWalks.storeName),
      blobs: storage.blobStore(StoredWalks.storeName), storage: storage, transport: transport,
      clock: clock, rules: rules, recording: recording, conditions: conditions,
      photoLimits: photoLimits, random: random)
  }

  /// Creates a diary over your own stores, which are used as they are.
  ///
  /// Closing the diary closes the repository.
  ///
  /// - Parameters:
  ///   - repository: The store of pets, walks, places, and settings.
  ///   - blobs: The store for the bytes of photos and routes.
  ///   - refresh: The refresh that fetches what other devices have stored; `nil` if the repository is
  ///     complete. Defaults to `nil`.
  ///   - storage: The storage on the device for the journals and drafts of walks in progress and
  ///     for the files of downloaded photos, wherever the records are.
  ///   - transport: The transport that fetches remote photos. Retries and request coalescing are
  ///     added here.
  ///   - clock: The clock to use.
  ///   - rules: The requirements for registering a pet.
  ///   - recording: The options for recording walks, including the time zone that decides the
  ///     calendar day.
  ///   - conditions: The sources of a walk's weather and air quality if the owner doesn't enter
  ///     them.
  ///   - photoLimits: The largest photo to download, and the space for downloaded photos.
  ///   - random: A closure that returns a random number from 0 up to but not including 1, for IDs
  ///     and random goals.
  public init(
    repository: any WalkRepository,
    blobs: any BlobStore,
    refresh: WalkRefresh? = nil,
    storage: Storage,
    transport: any Transport,
    clock: any FieldClock = .system,
    rules: PetRules = PetRules(),
    recording: RecordingOptions = .standard,
    conditions: WalkConditions = WalkConditions(),
    photoLimits: AssetLimits = AssetLimits(),
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    core = DiaryCore(
      stored: StoredWalks(store: repository, blobs: blobs), refresh: refresh,
      assets: AssetCache(
        storage: storage, name: StoredWalks.storeName,
        transport: transport.retrying(clock: clock).coalescing(), clock: clock,
        limits: photoLimits),
      clock: clock, rules: rules, zone: recording.zone, conditions: conditions,
      observer: storage.observer, random: random)
    sessions = WalkSessions(storage: storage, clock: clock, options: recording, random: random)
  }

  /// The engine that opens, refreshes, erases, and closes the diary.
  public var engine: KitEngine { core.engine }

  /// The damaged parts that opening cut off the records, until ``refresh(_:)`` or ``open()`` has
  /// reported them.
  ///
  /// Parts of journals are in ``journalCuts``.
  public var damage: [OpeningReport.Cut] {
    get async throws {
      try await engine.openIfNeeded()
      return engine.unreportedCuts
    }
  }

  // MARK: Closing and erasing

  /// Prepares for the suspension of the app: flushes the walks in progress and releases their locks.
  ///
  /// Call it before the system suspends the app, for example when a scene enters the background. iOS and
  /// watchOS terminate an app that is suspended while it holds a file lock. Recording continues: until you call
  /// ``resume()``, the recorder locks the journal only while it writes an entry, and other processes see
  /// the walks as unfinished.
  ///
  /// - Throws: `FieldError` with the code `store.io` if a lock couldn't be released. As always, a recorder
  ///   reports entries that couldn't be saved as its `savingFailure`.
  public func suspend() async throws { try await sessions.suspend() }

  /// Locks the journals of the walks in progress again.
  ///
  /// - Throws: `FieldError` with the code `walks.taken` if another process has continued or finished one of
  ///   the walks. Its recorder here can no longer write.
  public func resume() async throws { try await sessions.resume() }

  /// Closes the diary.
  ///
  /// Walks in progress become unfinished, and another diary of the storage can resume them.
  public func close() async throws {
    try await sessions.close()
    try await engine.close()
  }

  /// Deletes everything: pets, walks, places, photos, routes, unfinished walks, and the damaged
  /// records and journals that were set aside.
  ///
  /// The method waits for a walk that is being saved. It can't delete walks that other processes
  /// are recording.
  ///
  /// - Throws: `FieldError` with the code `walks.taken` if there are such walks. Everything else is
  ///   then deleted.
  public func eraseAll() async throws {
    try await engine.erase {
      let taken = try await sessions.eraseAll()
      try await core.eraseAll()
      guard taken.isEmpty else {
        throw FieldError(
          .walkIsTaken,
          "The walks \(taken) weren't erased because other processes are recording them. Erase again after the recordings end."
        )
      }
    }
  }

  // MARK: Updates

  /// Returns the changes in the diary as they happen.
  ///
  /// The first element is immediate and reports that everything may have changed.
  ///
  /// ```swift
  /// for try await change in diary.updates() where change.affects(mesh.id) { print(change.walks) }
  /// ```
  public func updates() -> WalkDiaryUpdates { core.stored.updates() }

  /// Returns the result of a query, and then each result that differs from the one before.
  ///
  /// The query runs again after each change in the diary. If its result is the same, nothing is yielded.
  ///
  /// ```swift
  /// for try await walks in diary.updates(of: { try await $0.walks(of: mesh.id).walks }) {
  ///   print(walks.map(\.distance))
  /// }
  /// ```
  ///
  /// Slow consumers skip intermediate results, but never miss the latest. The sequence ends when its task is canceled or
  /// the diary is closed, and throws what the query throws.
  ///
  /// - Parameter query: A closure that reads the diary. It doesn't run on the actor of the caller.
  public func updates<Value: Equatable & Sendable>(
    of query: @escaping @Sendable (WalkDiary) async throws -> Value
  ) -> FieldSequence<Value, any Error> {
    updates().results { [self] _ in
      do {
        return try await query(self)
      } catch let error as FieldError where error.code == .closed {
        // It was closed after the change, which ends the sequence like closing it before.
        throw CancellationError()
      }
    }
  }
}
