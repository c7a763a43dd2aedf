public import FieldCore
public import FieldFoundation

/// NASA's meteorites: kept on the device, refreshed once a day, queried without a network.
///
/// ```swift
/// let catalog = MeteoriteCatalog(storage: .directory(folder), transport: URLSessionTransport())
/// try await catalog.refresh()
/// let heavy = try await catalog.find(MeteoriteQuery(fall: .fell, order: .massDescending))
/// ```
///
/// A catalog is made without waiting and opens at its first use, once for all callers. It keeps what
/// it has when a refresh fails; ``lastRefresh`` tells how old that is.
///
/// Due is a refresh whose last success is more than a day ago, or that never had one; the interval
/// is a parameter.
public final class MeteoriteCatalog: Sendable {
  private let source: any MeteoriteSource
  private let repository: any MeteoriteRepository
  private let refresher: MeteoriteRefresher
  private let newestView = NewestView<MeteoriteView>()

  /// Makes a catalog of NASA's present files.
  ///
  /// - Parameters:
  ///   - storage: Where the meteorites are kept.
  ///   - transport: What they are downloaded with; retries and shared requests are added here, once.
  ///   - clock: Where the time comes from.
  public convenience init(
    storage: Storage, transport: any Transport, clock: any FieldClock = .system
  ) {
    self.init(
      source: NASAMeteorites(transport: transport.retrying(clock: clock).coalescing()),
      storage: storage, clock: clock)
  }

  /// Makes a catalog of another source; nothing is wrapped around it.
  public convenience init(
    source: any MeteoriteSource,
    storage: Storage,
    clock: any FieldClock = .system,
    policy: RefreshPolicy = .daily,
    snapshotGuard: SnapshotGuard = SnapshotGuard()
  ) {
    self.init(
      source: source, repository: StoredMeteorites(storage: storage), clock: clock,
      policy: policy, snapshotGuard: snapshotGuard)
  }

  /// Makes a catalog of another source and another repository; nothing is wrapped around them.
  public init(
    source: any MeteoriteSource,
    repository: any MeteoriteRepository,
    clock: any FieldClock = .system,
    policy: RefreshPolicy = .daily,
    snapshotGuard: SnapshotGuard = SnapshotGuard()
  ) {
    self.source = source
    self.repository = repository
    refresher = MeteoriteRefresher(
      source: source, repository: repository, clock: clock, policy: policy,
      snapshotGuard: snapshotGuard)
  }

  /// What the data is and whom to name beside it.
  public var dataSource: DataSource { source.dataSource }

  // MARK: Opening and closing

  /// Opens the store now, to learn early whether that works; every other call does it by itself.
  ///
  /// - Returns: What was found: whether something had to be cut off, and where it was saved.
  @discardableResult
  public func open() async throws -> OpeningReport {
    try await FieldError.wrapping("the catalog's store cannot be opened") {
      try await repository.open()
    }
  }

  /// Ends the use: a refresh in flight is cancelled, and the store is closed.
  public func close() async throws {
    refresher.close()
    try await FieldError.wrapping("the catalog's store cannot be closed") {
      try await repository.close()
    }
  }

  /// Forgets everything, the checkpoint included.
  public func eraseAll() async throws {
    var changes = Changes<Meteorite>()
    changes.removeAll()
    try await FieldError.wrapping("the catalog cannot be erased") {
      try await repository.commit(changes, checkpoint: Checkpoint(), expecting: nil)
    }
  }

  // MARK: Refreshing

  /// Gets the newest rows, when that is due, and stores what has changed.
  ///
  /// Calls meanwhile share one run; `.now` does not join a run that was only started if due. A failed
  /// refresh leaves the old data as it was.
  ///
  /// - Returns: What has been done.
  /// - Throws: `FieldError` when the source cannot be read, or gives what cannot be a complete
  ///   snapshot, or the store cannot be written; `CancellationError` when the task is cancelled.
  @discardableResult
  public func refresh(_ when: RefreshTrigger = .ifDue) async throws -> RefreshReport {
    try await refresher.refresh(when)
  }

  /// The steps of all refreshes from now on, for a progress bar: it starts none.
  ///
  /// The last step of each refresh has an outcome. The sequence ends when the catalog is closed.
  public func refreshes() -> RefreshSteps {
    refresher.steps()
  }

  /// When the next refresh is due: what to tell a scheduler.
  ///
  /// The date is now or past when a refresh is due already, and later after failures.
  public var nextRefreshDate: Date {
    get async throws { try await reading { try await refresher.nextRefreshDate() } }
  }

  /// When the source last confirmed what is stored; nil when it never has.
  public var lastRefresh: Date? {
    get async throws {
      try await reading { try await repository.snapshot() }.checkpoint?.lastSuccess
    }
  }

  /// Takes over the time of the last synchronisation that the old app kept, once.
  ///
  /// - Parameter seconds: The value of the key `updateTimestamp` in the old app's user defaults: Unix
  ///   seconds, 0 for never.
  /// - Returns: Whether it was taken over; false when it was before, or when there is nothing to take.
  @discardableResult
  public func adoptUpdateTimestamp(_ seconds: Int) async throws -> Bool {
    try await FieldError.wrapping("the time cannot be taken over") {
      try await refresher.adopt(timestamp: seconds)
    }
  }

  // MARK: Reading

  /// The meteorites as they are now, to be asked without waiting.
  @concurrent
  public func view() async throws -> MeteoriteView {
    newestView.view(of: try await reading { try await repository.snapshot() })
  }

  /// What a repository of an app's own throws becomes the underlying error of a `FieldError`.
  private func reading<Result>(_ body: () async throws -> Result) async throws -> Result {
    try await FieldError.wrapping("the catalog cannot be read", body)
  }

  /// The meteorites that a query finds.
  @concurrent
  public func find(_ query: MeteoriteQuery = MeteoriteQuery()) async throws -> [Meteorite] {
    try await view().find(query)
  }

  /// How many meteorites a query finds, its limit and offset left aside.
  @concurrent
  public func count(_ query: MeteoriteQuery = MeteoriteQuery()) async throws -> Int {
    try await view().count(query)
  }

  /// The meteorite of this id, or nil.
  @concurrent
  public func meteorite(_ id: Meteorite.ID) async throws -> Meteorite? {
    try await view()[id]
  }

  /// The nearest meteorites, nearest first, ties by id.
  ///
  /// - Parameters:
  ///   - place: Where to search from.
  ///   - count: How many at the most.
  ///   - plausibleOnly: Whether positions that cannot be true are left out, as by default.
  ///   - query: Conditions that the meteorites must meet; its order, limit and offset are left aside.
  @concurrent
  public func nearest(
    to place: Coordinate, count: Int, plausibleOnly: Bool = true,
    matching query: MeteoriteQuery = MeteoriteQuery()
  ) async throws -> [NearbyMeteorite] {
    try await view().nearest(
      to: place, count: count, plausibleOnly: plausibleOnly, matching: query)
  }

  /// Figures about the meteorites that a query finds, its order, limit and offset left aside.
  @concurrent
  public func statistics(
    of query: MeteoriteQuery = MeteoriteQuery()
  ) async throws -> MeteoriteStatistics {
    try await view().statistics(of: query)
  }

  /// How many meteorites lie in each cell of a grid; implausible positions are left out.
  @concurrent
  public func heatMap(
    cellDegrees: Double, of query: MeteoriteQuery = MeteoriteQuery()
  ) async throws -> MeteoriteHeatMap {
    try await view().heatMap(cellDegrees: cellDegrees, of: query)
  }

  /// The meteorites as they are now, and then the newest after each change.
  public func updates() -> MeteoriteUpdates {
    MeteoriteUpdates { [repository] in try repository.updates() }
  }
}
