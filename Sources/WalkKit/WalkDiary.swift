public import FieldCore
internal import FieldFoundation

/// The diary of a dog's owner: pets, walks with their routes and photos, places, and rewards.
///
/// ```swift
/// let diary = WalkDiary(storage: .application("walks"), transport: URLSessionTransport())
/// let mesh = try await diary.register(PetRegistration(name: "mesh", breed: .welshCorgi, …))
/// let walk = try await diary.start(pets: [mesh.id], goal: .nearest(of: diary.places()))
/// await walk.record(LocationFix(coordinate: here, accuracy: .meters(8), time: now))
/// let finished = try await walk.finish(weather: .clear, dust: .good)
/// ```
///
/// Creating a diary does no I/O; it opens on first use, once for all callers. Everything in it is known by an
/// ID; names can change. A change is stored whole or not at all: a pet with its portrait, a walk with its route
/// and photos, the deletion of a pet with everything that belongs only to it.
///
/// A diary in a storage is complete as it is: there is nothing to fetch, so a refresh reports `notDue`, and
/// ``nextRefreshDate`` and ``lastRefresh`` are `nil`. A diary has no `view()`, because walks are read page by
/// page; ``updates()`` says what to read again.
///
/// Several diaries may use one storage, in one process or in several: each sees what the others have
/// stored.
public final class WalkDiary: EngineKit {
  let core: DiaryCore
  let sessions: WalkSessions

  /// Makes a diary that keeps everything in a storage.
  ///
  /// - Parameters:
  ///   - storage: Where pets, walks, photos, routes and the journals of walks are kept.
  ///   - transport: What fetches photos that are elsewhere, as those of old data are. A few quick
  ///     retries and shared requests are added here, once.
  ///   - clock: Where the time comes from.
  ///   - rules: What has to be known about a pet.
  ///   - recording: How walks are recorded, and the zone that decides on calendar days.
  ///   - conditions: Where the weather and the air of a walk come from when the owner does not say.
  ///   - photoLimits: The largest photo to download, and how much room downloaded photos may take.
  ///   - random: Draws a number from 0 up to 1: for ids and for goals by chance.
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
      backend: .storage(storage), storage: storage,
      transport: transport.retrying(clock: clock).coalescing(), clock: clock, rules: rules,
      recording: recording, conditions: conditions, photoLimits: photoLimits, random: random)
  }

  /// Makes a diary over another backend; nothing is wrapped around the transport.
  ///
  /// - Parameters:
  ///   - backend: Where pets, walks, photos and routes are kept.
  ///   - storage: Where the journals and drafts of walks that are being recorded are kept, and the files
  ///     of fetched photos: on the device, whatever the backend is.
  ///   - transport: What fetches photos that are elsewhere.
  ///   - clock: Where the time comes from.
  ///   - rules: What has to be known about a pet.
  ///   - recording: How walks are recorded, and the zone that decides on calendar days.
  ///   - conditions: Where the weather and the air of a walk come from when the owner does not say.
  ///   - photoLimits: The largest photo to download, and how much room downloaded photos may take.
  ///   - random: Draws a number from 0 up to 1: for ids and for goals by chance.
  public init(
    backend: WalkBackend,
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
      backend: backend,
      assets: AssetCache(
        storage: storage, name: StoredWalks.storeName, transport: transport, clock: clock,
        limits: photoLimits),
      clock: clock, rules: rules, zone: recording.zone, conditions: conditions, random: random)
    sessions = WalkSessions(
      storage: storage, clock: clock, options: recording, random: random)
  }

  /// What opens, refreshes, erases, and closes the diary.
  public var engine: KitEngine { core.engine }

  // MARK: Closing and erasing

  /// Closes the diary. Walks that are being recorded are unfinished then, and another diary of the storage
  /// can resume them.
  public func close() async throws {
    try await sessions.close()
    try await engine.close()
  }

  /// Deletes everything: pets, walks, places, photos, routes, unfinished walks, and what was set aside of
  /// damaged records and journals.
  ///
  /// The diary waits for a walk that is being saved. It can't delete walks that other processes are recording.
  ///
  /// - Throws: `FieldError` with the code `walks.taken` if there are such walks; all else is deleted then.
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

  /// What changes in the diary, as it happens; the first element comes at once.
  public func updates() -> WalkDiaryUpdates { core.backend.lifetime.updates() }
}
