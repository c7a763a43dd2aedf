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
/// A zoo is made without waiting and opens at its first use, once for all callers. Everything but
/// ``refresh(_:)`` and the fetching of pictures works without a network, at once. A refresh that fails
/// leaves what is there; ``lastRefresh`` tells how old that is.
///
/// Due is a table whose last success is more than a day ago, or that never had one; the interval is a
/// parameter.
public final class Zoo: Sendable {
  let source: any ZooSource
  let repository: any ZooRepository
  let keeper: SightingKeeper
  let pictures: ZooPictures
  let clock: any FieldClock
  private let refresher: ZooRefresher
  private let newest = Lock<Newest?>(nil)

  /// The store's content as it was last seen, taken apart.
  private struct Newest: Sendable {
    let revision: Revision
    let checkpoint: Checkpoint?
    let tables: StoredTables
    /// The view of the tables, once it was asked for.
    var view: ZooView?

    func isOf(_ snapshot: Snapshot<ZooRecord>) -> Bool {
      revision == snapshot.revision && checkpoint == snapshot.checkpoint
    }
  }

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
    self.source = source
    self.repository = repository
    self.clock = clock
    self.pictures = ZooPictures(cache: pictures, usesHTTPS: picturesUseHTTPS)
    keeper = SightingKeeper(
      repository: sightings, photos: { photos }, clock: clock, limits: limits, random: random)
    refresher = ZooRefresher(
      source: source, repository: repository, clock: clock, policy: policy,
      snapshotGuard: snapshotGuard)
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
  public init(
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
    self.source = source
    self.clock = clock
    let repository = StoredZoo(storage: storage)
    self.repository = repository
    pictures = ZooPictures(
      cache: AssetCache(
        storage: storage, name: "zoo-pictures", transport: transport ?? NoTransport(),
        clock: clock, limits: pictureLimits),
      usesHTTPS: picturesUseHTTPS)
    keeper = SightingKeeper(
      repository: StoredSightings(storage: storage),
      photos: { try storage.blobs(StoredSightings.storeName) }, clock: clock, limits: limits,
      random: random)
    refresher = ZooRefresher(
      source: source, repository: repository, clock: clock, policy: policy,
      snapshotGuard: snapshotGuard)
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
  public static var snapshotGuard: SnapshotGuard { SnapshotGuard(vanishedLimit: 0.5) }

  /// What the data is and whom to name beside it.
  public var dataSource: DataSource { source.dataSource }

  // MARK: Opening and closing

  /// Opens the stores now, to learn early whether that works; every other call does it by itself.
  ///
  /// Photos that a process left when it died while it added a sighting are removed. Photos whose
  /// sightings are lost because the file of records is damaged stay.
  ///
  /// - Returns: What was found in both stores: whether something had to be cut off, and where it was
  ///   saved. The revision is that of the zoo's data.
  @discardableResult
  public func open() async throws -> OpeningReport {
    try await FieldError.wrapping("the zoo's stores cannot be opened") {
      var report = try await repository.open()
      let sightings = try await keeper.repository.open()
      await keeper.sweepOnce()
      report.recordCount += sightings.recordCount
      report.byteCount += sightings.byteCount
      report.cuts += sightings.cuts
      report.removedLeftovers += sightings.removedLeftovers
      report.setAside += sightings.setAside
      return report
    }
  }

  /// Ends the use: a refresh in flight is cancelled, and the stores are closed.
  public func close() async throws {
    refresher.close()
    try await FieldError.wrapping("the zoo's stores cannot be closed") {
      // Both are closed, whatever becomes of the first.
      do {
        try await repository.close()
      } catch {
        try await keeper.repository.close()
        throw error
      }
      try await keeper.repository.close()
    }
  }

  /// Forgets the zoo's data and its pictures, which can be fetched again; the user's sightings stay.
  ///
  /// A refresh in flight stores nothing any more, and fails with the code `store.conflict`.
  /// ``eraseSightings()`` removes the sightings.
  public func eraseAll() async throws {
    try await FieldError.wrapping("the zoo's data cannot be erased") {
      try await refresher.eraseAll()
      try await pictures.cache.removeAll()
    }
  }

  // MARK: Refreshing

  /// Gets the tables that are due, and stores what has changed; the user's sightings are not touched.
  ///
  /// The tables are asked for one after another, and each is stored for itself, whole or not at all.
  /// Calls meanwhile share one run; `.now`, which asks for all tables, does not join a run that was only
  /// started if due.
  ///
  /// - Returns: What has been done in all tables. A table other than the animals that failed is told in
  ///   `notices` of the report, keeps what it has, and is due again sooner.
  /// - Throws: `FieldError` when the animals cannot be read or cannot be all, or no table at all can be
  ///   read; what else failed is among its problems, and the tables that did not fail are stored.
  ///   `CancellationError` when the task is cancelled.
  @discardableResult
  public func refresh(_ when: RefreshTrigger = .ifDue) async throws -> RefreshReport {
    try await refresher.refresh(when)
  }

  /// The steps of all refreshes from now on, for a progress bar: it starts none.
  ///
  /// The last step of each refresh has an outcome. The sequence ends when the zoo is closed.
  public func refreshes() -> RefreshSteps {
    refresher.steps()
  }

  /// When the next refresh is due: what to tell a scheduler.
  ///
  /// The date is now or past when a table is due already, and later after failures.
  public var nextRefreshDate: Date {
    get async throws {
      try await FieldError.wrapping("the zoo's store cannot be read") {
        try await refresher.nextRefreshDate()
      }
    }
  }

  /// When the source last confirmed the animals; nil when it never has.
  public var lastRefresh: Date? {
    get async throws {
      try await snapshot().checkpoint?.lastSuccess
    }
  }

  /// When the source last confirmed a table; nil when it never has.
  public func lastRefresh(of table: ZooTable) async throws -> Date? {
    ZooLedger(try await snapshot().checkpoint)[table].lastSuccess
  }

  /// When the portal took in the newest row of a table, as it says itself; nil when it does not say.
  public func importDate(of table: ZooTable) async throws -> Date? {
    ZooLedger(try await snapshot().checkpoint)[table].importDate
  }

  // MARK: Reading

  /// The zoo's data as it is now, to be asked without waiting.
  @concurrent
  public func view() async throws -> ZooView {
    let snapshot = try await snapshot()
    let content = content(of: snapshot)
    if let view = content.view { return view }
    let tables = content.tables
    let view = ZooView(
      animals: tables.animals, areas: tables.areas, plants: tables.plants, events: tables.events)
    newest.withLock { if $0?.isOf(snapshot) == true { $0?.view = view } }
    return view
  }

  /// The tables as they are now.
  func tables() async throws -> StoredTables { content(of: try await snapshot()).tables }

  /// Takes a snapshot apart, once for each state of the store.
  private func content(of snapshot: Snapshot<ZooRecord>) -> Newest {
    if let known = newest.withLock({ $0 }), known.isOf(snapshot) { return known }
    let content = Newest(
      revision: snapshot.revision, checkpoint: snapshot.checkpoint,
      tables: StoredTables(snapshot), view: nil)
    newest.withLock { $0 = content }
    return content
  }

  func snapshot() async throws -> Snapshot<ZooRecord> {
    try await FieldError.wrapping("the zoo's data cannot be read") {
      try await repository.snapshot()
    }
  }
}
