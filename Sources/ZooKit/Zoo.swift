public import FieldCore
public import FieldFoundation

/// Taipei's zoo and the user's own sightings: one list, stored on the device, refreshed once a day.
///
/// ```swift
/// let zoo = Zoo(storage: .directory(folder), transport: URLSessionTransport())
/// try await zoo.refresh()
/// try await zoo.addSighting(name: "石虎", photo: jpeg)
/// for entry in try await zoo.listing() { print(entry.sequence, entry.name) }
/// ```
///
/// Creating a zoo does no I/O; it opens on first use, once for all callers. Everything except
/// refreshing and fetching pictures works offline. If a refresh fails, the zoo keeps its data;
/// check ``lastRefresh`` to see how old it is.
///
/// A table is refreshed if it is more than a day old or has never been fetched. The interval is
/// configurable. If a table other than the animals fails, the report contains a notice, the table
/// keeps its old data, and it is due again sooner.
public final class Zoo: EngineKit, LiveKit {
  /// The engine that opens, refreshes, erases, and closes the zoo.
  public let engine: KitEngine
  let views: ViewSource<ZooView>
  let sightingStore: SightingStore
  let pictures: ZooPictures

  /// Creates a zoo from your own sources and stores, which are used as they are, without decorators.
  ///
  /// - Parameters:
  ///   - sources: The sources of the zoo's tables. The tables without one aren't refreshed.
  ///   - repository: The store for the zoo's data.
  ///   - sightings: The store for the user's sightings.
  ///   - photos: The store for the photos of sightings.
  ///   - pictures: The cache of the zoo's own pictures.
  ///   - clock: The clock to use. Defaults to `.system`.
  ///   - policy: The policy that decides when a table is due. Defaults to `.daily`.
  ///   - snapshotGuard: The guard that decides whether rows can be a complete table.
  ///   - limits: The size limits for sightings.
  ///   - picturesUseHTTPS: Pass `false` to fetch pictures with `http` where the zoo writes it.
  ///     Defaults to `true`: `https` is used for all hosts that support it (``ZooLink/secureURL``).
  ///   - random: A closure that returns the random numbers for the IDs of sightings.
  public init(
    sources: ZooSources,
    repository: any ZooRepository,
    sightings: any SightingRepository,
    photos: any BlobStore,
    pictures: AssetCache,
    clock: any FieldClock = .system,
    policy: RefreshPolicy = .daily,
    snapshotGuard: SnapshotGuard = Zoo.snapshotGuard,
    limits: SightingLimits = SightingLimits(),
    picturesUseHTTPS: Bool = true,
    random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: 0 ... .max) }
  ) {
    let pictures = ZooPictures(cache: pictures, usesHTTPS: picturesUseHTTPS)
    let sightingStore = SightingStore(
      repository: sightings, blobs: photos, clock: clock, limits: limits, random: random)
    var hooks = KitEngine.Hooks()
    hooks.opened = { await sightingStore.sweepOnce() }
    hooks.erase = {
      try await repository.eraseAll()
      try await sightingStore.eraseAll()
      try await pictures.cache.removeAll()
    }
    // The animals come first: the first table determines the zoo's age.
    let tables = ZooTable.allCases.filter { sources[$0]?.isEmpty == false }
    engine = KitEngine(
      "zoo",
      dataSources: tables.flatMap { sources[$0] ?? [] }.compactMap(\.dataSource).uniqued(),
      stores: [repository, sightings], clock: clock,
      parts: tables.map { table in
        table.part(
          sources[table] ?? [], isMain: table == tables.first, repository: repository,
          snapshotGuard: snapshotGuard, clock: clock, policy: policy)
      }, hooks: hooks)
    views = ViewSource(repository, engine: engine)
    self.sightingStore = sightingStore
    self.pictures = pictures
  }

  /// Creates a zoo that reads from your own sources, which are used without decorators.
  ///
  /// - Parameters:
  ///   - sources: The sources of the zoo's tables. The tables without one aren't refreshed.
  ///   - storage: The storage for all data.
  ///   - transport: The transport for pictures, to which the zoo adds retries and shared requests;
  ///     `nil` for a zoo that shows only stored pictures.
  ///   - clock: The clock to use. Defaults to `.system`.
  ///   - policy: The policy that decides when a table is due. Defaults to `.daily`.
  ///   - snapshotGuard: The guard that decides whether rows can be a complete table.
  ///   - limits: The size limits for sightings.
  ///   - pictureLimits: The size limits for pictures.
  ///   - picturesUseHTTPS: Pass `false` to fetch pictures with `http` where the zoo writes it.
  ///     Defaults to `true`: `https` is used for all hosts that support it (``ZooLink/secureURL``).
  ///   - random: A closure that returns the random numbers for the IDs of sightings.
  public convenience init(
    sources: ZooSources,
    storage: Storage,
    transport: (any Transport)? = nil,
    clock: any FieldClock = .system,
    policy: RefreshPolicy = .daily,
    snapshotGuard: SnapshotGuard = Zoo.snapshotGuard,
    limits: SightingLimits = SightingLimits(),
    pictureLimits: AssetLimits = AssetLimits(),
    picturesUseHTTPS: Bool = true,
    random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: 0 ... .max) }
  ) {
    self.init(
      sources: sources, repository: storage.store("zoo"), sightings: storage.store("sightings"),
      photos: storage.blobStore("sightings"),
      pictures: AssetCache(
        storage: storage, name: "zoo-pictures",
        transport: transport?.retrying(clock: clock).coalescing() ?? NoTransport(),
        clock: clock, limits: pictureLimits),
      clock: clock, policy: policy, snapshotGuard: snapshotGuard, limits: limits,
      picturesUseHTTPS: picturesUseHTTPS, random: random)
  }

  /// Creates a zoo that reads the current open data.
  ///
  /// - Parameters:
  ///   - storage: The storage for all data.
  ///   - transport: The transport for data and pictures. The zoo adds retries and shared requests.
  ///   - clock: The clock to use. Defaults to `.system`.
  ///   - events: The URL of the CSV file of events, which changes with each file; `nil` to omit
  ///     events.
  ///   - policy: The policy that decides when a table is due. Defaults to `.daily`.
  ///   - snapshotGuard: The guard that decides whether rows can be a complete table.
  ///   - limits: The size limits for sightings.
  ///   - pictureLimits: The size limits for pictures.
  ///   - picturesUseHTTPS: Pass `false` to fetch pictures with `http` where the zoo writes it.
  ///     Defaults to `true`: `https` is used for all hosts that support it (``ZooLink/secureURL``).
  public convenience init(
    storage: Storage, transport: any Transport, clock: any FieldClock = .system,
    events: URL? = nil, policy: RefreshPolicy = .daily,
    snapshotGuard: SnapshotGuard = Zoo.snapshotGuard, limits: SightingLimits = SightingLimits(),
    pictureLimits: AssetLimits = AssetLimits(), picturesUseHTTPS: Bool = true
  ) {
    let shared = transport.retrying(clock: clock).coalescing()
    self.init(
      sources: TaipeiZoo(transport: shared, events: events).sources, storage: storage,
      transport: shared, clock: clock, policy: policy, snapshotGuard: snapshotGuard,
      limits: limits, pictureLimits: pictureLimits, picturesUseHTTPS: picturesUseHTTPS)
  }

  /// The default guard that decides whether rows can be a complete table.
  ///
  /// Up to half of the rows may be removed at once, because the tables are small and the zoo moves
  /// its animals. All events may be removed, whatever the guard says, because they expire.
  public static var snapshotGuard: SnapshotGuard { SnapshotGuard(maximumRemovedFraction: 0.5) }

  /// Deletes the zoo's data and pictures, which can be fetched again, and keeps the user's
  /// sightings.
  ///
  /// A refresh in flight stores nothing and throws `store.conflict`. ``eraseAll()`` also deletes
  /// the sightings, and ``eraseSightings()`` deletes only them.
  ///
  /// ```swift
  /// try await zoo.eraseZooData()
  /// print(try await zoo.sightings().count, "sightings are kept")
  /// ```
  public func eraseZooData() async throws {
    try await engine.erase { [views, pictures] in
      try await views.store.eraseAll()
      try await pictures.cache.removeAll()
    }
  }

  /// Returns the date when the source last confirmed a table, or `nil` if it never has.
  ///
  /// ```swift
  /// if let date = try await zoo.lastRefresh(of: .animals) { print("animals as of", date) }
  /// ```
  public func lastRefresh(of table: ZooTable) async throws -> Date? {
    try await views.snapshot().checkpoint?[table: table.entry].lastSuccess
  }

  /// Returns the date when the portal imported a table's newest row, or `nil` if it doesn't say.
  public func importDate(of table: ZooTable) async throws -> Date? {
    try await views.snapshot().checkpoint?[table: table.entry].importDate
  }

  // MARK: Reading

  /// Returns a snapshot of the zoo's data that you can query synchronously.
  ///
  /// ```swift
  /// let view = try await zoo.view()
  /// print(view.animals.count, view.find(AnimalQuery(text: "貓熊")).map(\.name))
  /// ```
  @concurrent
  public func view() async throws -> ZooView { try await views.view() }

  /// Returns a sequence that yields the current data first, then the newest after each change.
  ///
  /// ```swift
  /// for try await view in zoo.updates() { print(view.animals.count, "animals") }
  /// ```
  public func updates() -> ZooUpdates { views.updates() }
}

/// A sequence that yields the zoo's current data first, then the newest after each change.
///
/// Slow consumers skip intermediate states, but never the newest one. See ``Zoo/updates()``.
public typealias ZooUpdates = ViewUpdates<ZooView>
