public import FieldCore
public import FieldFoundation

/// A city hall in a pocket: its units, services and facilities, its news and activities, offline.
///
/// ```swift
/// let directory = CivicDirectory(storage: .directory(folder), transport: URLSessionTransport())
/// try await directory.refresh()
/// for tile in try await directory.facilities() { print(tile.name) }
/// let hits = try await directory.search("社會")
/// ```
///
/// A directory is made without waiting and opens at its first use, once for all callers. Its ten tables are
/// in one store, so a synchronisation is one commit, with the cursors of the tables. What fails leaves the
/// directory as it was; ``lastRefresh`` tells how old that is.
///
/// Where the tables come from is up to the caller: a ``CivicService``, files
/// (``importTables(in:advancingCursors:)``), or rows by hand (``apply(_:to:advancingCursor:)``). Without a
/// service, a refresh refreshes the feeds alone. The feeds are Tainan's, unless others are given.
public final class CivicDirectory: Sendable {
  /// What a person has searched for.
  public let searchHistory: SearchHistory

  let service: CivicService?
  let repository: any CivicRepository
  let target: SyncTarget<CivicRecord>
  let feeds: CityFeeds
  let pictures: CivicPictures
  let clock: any FieldClock
  let options: CivicOptions
  private let refresher: CivicRefresher
  private let newestView = NewestView<CivicView>()

  /// Makes a directory without a server, with the feeds of Tainan.
  ///
  /// - Parameters:
  ///   - storage: Where everything is kept.
  ///   - transport: What the feeds are downloaded with; retries and shared requests are added here, once.
  ///   - clock: Where the time comes from.
  public convenience init(
    storage: Storage, transport: any Transport, clock: any FieldClock = .system
  ) {
    self.init(service: nil, storage: storage, transport: transport, clock: clock)
  }

  /// Makes a directory of a city.
  ///
  /// - Parameters:
  ///   - service: The server of the tables; nil for none.
  ///   - feeds: The addresses of news and activities.
  ///   - storage: Where everything is kept.
  ///   - transport: What server, feeds and pictures are asked with; retries and shared requests are added
  ///     here, once.
  ///   - clock: Where the time comes from.
  ///   - options: What is done in one way or another.
  public convenience init(
    service: CivicService?, feeds: [CityFeed] = CityFeed.tainan, storage: Storage,
    transport: any Transport, clock: any FieldClock = .system,
    options: CivicOptions = CivicOptions()
  ) {
    let shared = transport.retrying(clock: clock).coalescing()
    self.init(
      service: service,
      repository: StoredCivicTables(storage: storage),
      feeds: CityFeeds(storage: storage, transport: shared, clock: clock, feeds: feeds),
      pictures: AssetCache(storage: storage, name: "civic", transport: shared, clock: clock),
      transport: shared, clock: clock, options: options)
  }

  /// Makes a directory of parts of a caller's own; nothing is wrapped around them.
  ///
  /// - Parameters:
  ///   - service: The server of the tables; nil for none.
  ///   - repository: Where the tables are kept.
  ///   - feeds: Where news and activities come from and are kept.
  ///   - pictures: Where pictures are kept.
  ///   - transport: What the server is asked with.
  ///   - clock: Where the time comes from.
  ///   - options: What is done in one way or another.
  public init(
    service: CivicService?, repository: any CivicRepository, feeds: CityFeeds,
    pictures: AssetCache, transport: any Transport, clock: any FieldClock = .system,
    options: CivicOptions = CivicOptions()
  ) {
    let target = SyncTarget<CivicRecord>(
      snapshot: { try await repository.snapshot() },
      commit: { try await repository.commit($0, checkpoint: $1, expecting: $2) })
    self.service = service
    self.repository = repository
    self.target = target
    self.feeds = feeds
    self.pictures = CivicPictures(
      cache: pictures, service: service, folder: options.pictureFolder)
    self.clock = clock
    self.options = options
    searchHistory = SearchHistory(target: target, limit: options.historyLimit)
    refresher = CivicRefresher(
      sync: service.map {
        CivicSync(
          service: $0, transport: transport, target: target, clock: clock,
          areaCode: options.areaCode)
      },
      target: target, policy: options.policy, clock: clock
    ) { try await feeds.refresh($0) }
  }

  /// What the data is and whom to name beside it: the tables, when their server says so, and the feeds.
  public var dataSources: [DataSource] {
    [service?.dataSource].compactMap(\.self) + feeds.dataSources
  }

  // MARK: Opening and closing

  /// Opens the store of the tables now, to learn early whether that works; every other call does it by
  /// itself.
  ///
  /// - Returns: What was found: whether something had to be cut off, and where it was saved.
  @discardableResult
  public func open() async throws -> OpeningReport {
    try await FieldError.wrapping("the directory cannot be opened") { try await repository.open() }
  }

  /// Ends the use: a refresh in flight is cancelled, and the stores are closed.
  public func close() async throws {
    refresher.close()
    try await FieldError.wrapping("the directory cannot be closed") {
      do {
        try await feeds.close()
      } catch {
        // The tables are closed whatever becomes of the feeds, and the first error is the one told.
        _ = try? await repository.close()
        throw error
      }
      try await repository.close()
    }
  }

  /// Forgets everything: the tables and their cursors, the history, the first launches, the feeds with what
  /// was hidden, and the pictures. A refresh in flight fails with the code `store.conflict`, and stores no
  /// table.
  public func eraseAll() async throws {
    try await FieldError.wrapping("the directory cannot be erased") {
      try await target.update { snapshot, changes, checkpoint in
        changes.removeAll()
        checkpoint = CivicCursors.erased(after: snapshot)
      }
      try await feeds.eraseAll()
      try await pictures.removeAll()
    }
  }

  // MARK: Refreshing

  /// Gets what has changed on the server, when that is due, and the feeds.
  ///
  /// All tables that the server has are stored in one commit, with their cursors: when one of them fails,
  /// nothing of the run is stored. The feeds are stored apart; when only they fail, the report has a notice.
  /// Without a service the feeds are all there is, and their failure is thrown.
  ///
  /// Calls meanwhile share one run; `.now` does not join a run that was only started if due.
  ///
  /// - Returns: What has been done, in tables and feeds together.
  /// - Throws: `FieldError`; the directory is as it was. `CancellationError` when the task is cancelled.
  @discardableResult
  public func refresh(_ when: RefreshTrigger = .ifDue) async throws -> RefreshReport {
    try await refresher.refresh(when)
  }

  /// The steps of all refreshes from now on, for a progress bar: it starts none.
  ///
  /// The last step of each refresh has an outcome. The sequence ends when the directory is closed.
  public func refreshes() -> RefreshSteps { refresher.steps() }

  /// How the synchronisation with the server stands: the newest status when there is one, and then each as
  /// it comes. The sequence ends when the directory is closed.
  public func syncStatuses() -> CivicSyncStatuses { CivicSyncStatuses(of: refresher.statuses) }

  /// How the newest synchronisation stands or has ended; nil when there was none.
  public var syncStatus: CivicSyncStatus? { refresher.statuses.newest }

  /// When the next refresh is due: what to tell a scheduler. Without a service that is always now.
  public var nextRefreshDate: Date {
    get async throws {
      try await FieldError.wrapping("the directory cannot be read") {
        try await refresher.nextRefreshDate()
      }
    }
  }

  /// When the server last confirmed the tables; nil when it never has.
  public var lastRefresh: Date? {
    get async throws {
      try await FieldError.wrapping("the directory cannot be read") {
        try await repository.snapshot().checkpoint?.lastSuccess
      }
    }
  }

  // MARK: Reading

  /// The directory as it is now, to be asked without waiting.
  @concurrent
  public func view() async throws -> CivicView {
    let snapshot = try await FieldError.wrapping("the directory cannot be read") {
      try await repository.snapshot()
    }
    return newestView.view(of: snapshot)
  }

  /// The directory as it is now, and then the newest after each change.
  public func updates() -> CivicUpdates {
    CivicUpdates { [repository] in try repository.updates() }
  }
}
