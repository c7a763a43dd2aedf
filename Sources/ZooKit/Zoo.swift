public import FieldCore
public import FieldFoundation

/// Taipei's zoo and what the user has seen in it: one list, kept on the device, refreshed once a day.
///
/// ```swift
/// let zoo = Zoo(storage: .directory(folder), transport: URLSessionTransport())
/// try await zoo.refresh()
/// try await zoo.addSighting(name: "石虎", photo: jpeg)
/// for entry in try await zoo.listing() { print(entry.sequence, entry.name) }
/// ```
///
/// Creating a zoo does no I/O; it opens on first use, once for all callers. Everything but refreshing and
/// fetching pictures works without a network. If a refresh fails, the zoo keeps its data; check
/// ``lastRefresh`` to see how old it is.
///
/// A table is refreshed if it is more than a day old or has never been fetched. The interval is
/// configurable. A table other than the animals that fails becomes a notice of the report, keeps what it
/// has, and is due again sooner.
public final class Zoo: EngineKit {
  /// What opens, refreshes, erases, and closes the zoo.
  public let engine: KitEngine
  let views: ViewSource<ZooView>
  let sightingStore: SightingStore
  let pictures: ZooPictures

  /// Makes a zoo of another source and of storages of one's own; nothing is wrapped around them.
  ///
  /// - Parameters:
  ///   - source: Where the zoo's data comes from.
  ///   - repository: Where it is kept.
  ///   - sightings: Where the user's sightings are kept.
  ///   - photos: Where their photos are kept.
  ///   - pictures: The cache of the zoo's own pictures.
  ///   - clock: Where the time comes from.
  ///   - policy: When a table is due.
  ///   - snapshotGuard: Decides whether rows can be a whole table.
  ///   - limits: How large a sighting may be.
  ///   - picturesUseHTTPS: Whether pictures are asked for with `https` where the zoo writes `http`.
  ///   - random: Draws the ids of sightings.
  public init(
    source: any ZooSource,
    repository: any ZooRepository,
    sightings: any SightingRepository,
    photos: any BlobStore,
    pictures: AssetCache,
    clock: any FieldClock = .system,
    policy: RefreshPolicy = .daily,
    snapshotGuard: SnapshotGuard = Zoo.snapshotGuard,
    limits: SightingLimits = SightingLimits(),
    picturesUseHTTPS: Bool = false,
    random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: 0 ... .max) }
  ) {
    let pictures = ZooPictures(cache: pictures, usesHTTPS: picturesUseHTTPS)
    let sightingStore = SightingStore(
      repository: sightings, blobs: photos, clock: clock, limits: limits, random: random)
    var hooks = KitEngine.Hooks()
    hooks.opened = {
      await sightingStore.sweepOnce()
      return nil
    }
    hooks.erase = {
      try await repository.eraseAll()
      try await sightingStore.eraseAll()
      try await pictures.cache.removeAll()
    }
    engine = KitEngine(
      "zoo", dataSources: [source.dataSource], stores: [repository, sightings], clock: clock,
      parts: source.tables.map { table in
        ZooTablePart(
          source: source, repository: repository, table: table, snapshotGuard: snapshotGuard,
          clock: clock
        ).part(policy: policy)
      }, hooks: hooks)
    views = ViewSource(repository, engine: engine)
    self.sightingStore = sightingStore
    self.pictures = pictures
  }

  /// Makes a zoo of another source; nothing is wrapped around it.
  ///
  /// - Parameters:
  ///   - source: Where the zoo's data comes from.
  ///   - storage: Where everything is kept.
  ///   - transport: What pictures are fetched with; nil for a zoo that has those alone that it has kept.
  ///   - clock: Where the time comes from.
  ///   - policy: When a table is due.
  ///   - snapshotGuard: Decides whether rows can be a whole table.
  ///   - limits: How large a sighting may be.
  ///   - pictureLimits: How much room pictures may take.
  ///   - picturesUseHTTPS: Whether pictures are asked for with `https` where the zoo writes `http`.
  ///   - random: Draws the ids of sightings.
  public convenience init(
    source: any ZooSource,
    storage: Storage,
    transport: (any Transport)? = nil,
    clock: any FieldClock = .system,
    policy: RefreshPolicy = .daily,
    snapshotGuard: SnapshotGuard = Zoo.snapshotGuard,
    limits: SightingLimits = SightingLimits(),
    pictureLimits: AssetLimits = AssetLimits(),
    picturesUseHTTPS: Bool = false,
    random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: 0 ... .max) }
  ) {
    self.init(
      source: source, repository: storage.store("zoo"), sightings: storage.store("sightings"),
      photos: storage.blobStore("sightings"),
      pictures: AssetCache(
        storage: storage, name: "zoo-pictures", transport: transport ?? NoTransport(),
        clock: clock, limits: pictureLimits),
      clock: clock, policy: policy, snapshotGuard: snapshotGuard, limits: limits,
      picturesUseHTTPS: picturesUseHTTPS, random: random)
  }

  /// Makes a zoo of the open data of today.
  ///
  /// - Parameters:
  ///   - storage: Where everything is kept.
  ///   - transport: What data and pictures are fetched with; retries and shared requests are added
  ///     here, once.
  ///   - clock: Where the time comes from.
  ///   - events: The address of the CSV file of events, which changes with each file; nil to do
  ///     without.
  public convenience init(
    storage: Storage, transport: any Transport, clock: any FieldClock = .system,
    events: URL? = nil
  ) {
    let transport = transport.retrying(clock: clock).coalescing()
    self.init(
      source: TaipeiZoo(transport: transport, events: events), storage: storage,
      transport: transport, clock: clock)
  }

  /// What decides, unless told otherwise, whether rows can be a whole table: as many as half of the rows
  /// may be gone at once, since the tables are small and the zoo moves its animals. Of events, which
  /// pass, all may be gone, whatever the guard says.
  public static var snapshotGuard: SnapshotGuard { SnapshotGuard(maximumRemovedFraction: 0.5) }

  /// Deletes the zoo's data and pictures, which can be fetched again, and keeps the user's sightings.
  ///
  /// A refresh in flight stores nothing any more, and throws `store.conflict`. ``eraseAll()`` deletes the
  /// sightings, too, and ``eraseSightings()`` deletes them alone.
  public func eraseZooData() async throws {
    try await engine.erase { [views, pictures] in
      try await views.store.eraseAll()
      try await pictures.cache.removeAll()
    }
  }

  /// When the source last confirmed a table; nil when it never has.
  public func lastRefresh(of table: ZooTable) async throws -> Date? {
    try await views.snapshot().checkpoint?[table: table.entry].lastSuccess
  }

  /// When the portal took in the newest row of a table, as it says itself; nil when it does not say.
  public func importDate(of table: ZooTable) async throws -> Date? {
    try await views.snapshot().checkpoint?[table: table.entry].importDate
  }

  // MARK: Reading

  /// The zoo's data as it is now, to be asked without waiting.
  @concurrent
  public func view() async throws -> ZooView { try await views.view() }

  /// The zoo's data as it is now, and then the newest after each change.
  public func updates() -> ZooUpdates { views.updates() }
}

/// The zoo's data as it is, and then the newest after each change: see ``Zoo/updates()``.
///
/// A slow reader misses states in between, never the newest one.
public typealias ZooUpdates = ViewUpdates<ZooView>
