public import FieldCore
public import FieldFoundation

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
/// A diary is made without waiting and opens at its first use, once for all callers. Everything in it is
/// known by an id; names can change. What is stored is stored whole or not at all: a pet with its
/// portrait, a walk with its route and photos, the deletion of a pet with all that belongs to it alone.
///
/// Several diaries may use one storage, in one process or in several: each sees what the others have
/// stored.
public final class WalkDiary: Sendable {
  let core: DiaryCore
  let sessions: WalkSessions
  private let flight = RefreshFlight(kit: "walks")

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
  ///   - random: Draws a number from 0 up to 1: for ids and for goals by chance.
  public convenience init(
    storage: Storage,
    transport: any Transport,
    clock: any FieldClock = .system,
    rules: PetRules = PetRules(),
    recording: RecordingOptions = .standard,
    conditions: WalkConditions = WalkConditions(),
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.init(
      backend: .storage(storage), storage: storage,
      transport: transport.retrying(clock: clock).coalescing(), clock: clock, rules: rules,
      recording: recording, conditions: conditions, random: random)
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
  ///   - random: Draws a number from 0 up to 1: for ids and for goals by chance.
  public init(
    backend: WalkBackend,
    storage: Storage,
    transport: any Transport,
    clock: any FieldClock = .system,
    rules: PetRules = PetRules(),
    recording: RecordingOptions = .standard,
    conditions: WalkConditions = WalkConditions(),
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    core = DiaryCore(
      backend: backend,
      assets: AssetCache(
        storage: storage, name: StoredWalks.storeName, transport: transport, clock: clock),
      clock: clock, rules: rules, zone: recording.zone, conditions: conditions, random: random)
    sessions = WalkSessions(
      storage: storage, clock: clock, options: recording, random: random)
  }

  // MARK: Opening and closing

  /// Opens the stores now, to learn early whether that works; every other call does it by itself.
  ///
  /// Photos and routes that a crash in the middle of a save has left are removed. Those whose records are
  /// lost because the file of records is damaged stay.
  ///
  /// - Returns: What was found: whether something had to be cut off, and where it was saved.
  @discardableResult
  public func open() async throws -> OpeningReport { try await core.open() }

  /// Ends the use. Walks that are being recorded are unfinished then, and can be taken up again by
  /// another diary of the storage.
  public func close() async throws {
    flight.close()
    try await sessions.close()
    try await core.close()
  }

  /// Forgets everything: pets, walks, places, photos, routes, walks that are not finished, and what was set
  /// aside of damaged records and journals.
  ///
  /// A walk that is being saved is waited for. Walks that other processes are recording cannot be taken
  /// from them.
  ///
  /// - Throws: `FieldError` with the code `walks.taken` when there are such walks; all else is erased then.
  ///   Other errors are of the stores.
  public func eraseAll() async throws {
    let taken = try await sessions.eraseAll()
    try await core.eraseAll()
    guard taken.isEmpty else {
      throw FieldError(
        .walkIsTaken, "other processes are recording \(taken): erase again when they have ended")
    }
  }

  // MARK: Refreshing

  /// Gets news from elsewhere, when the backend has an elsewhere.
  ///
  /// A diary in a storage is complete as it is. There is nothing to fetch: the report says `notDue`,
  /// ``nextRefreshDate`` is nil, and no step is told. An umbrella that refreshes several kits leaves
  /// such a diary out.
  ///
  /// - Throws: `FieldError` when the source cannot be asked; what was stored can be read as before.
  @discardableResult
  public func refresh(_ when: RefreshTrigger = .ifDue) async throws -> RefreshReport {
    guard let source = core.backend.source else {
      try await core.open()
      return RefreshReport(outcome: .notDue, date: core.clock.now)
    }
    return try await flight.run(strength: when == .now ? 1 : 0, onFailure: { _ in }) { broadcast in
      broadcast.tell(.requesting, 0.05)
      return try await source.refresh(when)
    }
  }

  /// The steps of all refreshes from now on, for a progress bar: it starts none.
  public func refreshes() -> RefreshSteps { flight.steps() }

  /// When the next refresh is due; nil when there is nothing to fetch, ever.
  public var nextRefreshDate: Date? {
    get async throws {
      try await FieldError.wrapping("the backend does not say when to refresh") {
        try await core.backend.source?.nextRefreshDate
      }
    }
  }

  /// Whose data the diary has, to be named beside it: none but the owner's, unless the backend has an
  /// elsewhere. Whoever tells weather and air is the app's choice, and to be named by it.
  public var dataSources: [DataSource] {
    [core.backend.source?.dataSource].compactMap { $0 }
  }

  /// What changes in the diary, as it happens; the first element comes at once.
  public func updates() -> WalkDiaryUpdates { core.backend.lifetime.updates() }
}
