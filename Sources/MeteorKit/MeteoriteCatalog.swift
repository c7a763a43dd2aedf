public import FieldCore
internal import FieldFoundation

/// A catalog of NASA's meteorites, stored on the device, refreshed once a day, and queried offline.
///
/// ```swift
/// let catalog = MeteoriteCatalog(storage: .directory(folder), transport: URLSessionTransport())
/// try await catalog.refresh()
/// let heavy = try await catalog.find(MeteoriteQuery(fall: .fell, order: .massDescending))
/// ```
///
/// Creating a catalog does no I/O; it opens on first use, once for all callers. If a refresh fails,
/// the catalog keeps its data; check ``lastRefresh`` to see how old the data is. A refresh is due
/// if the last success is more than a day ago. The interval is configurable.
public final class MeteoriteCatalog: EngineKit, LiveKit {
  /// The engine that opens, refreshes, erases, and closes the catalog.
  public let engine: KitEngine
  private let views: ViewSource<MeteoriteView>

  /// Creates a catalog that downloads NASA's current files.
  ///
  /// - Parameters:
  ///   - storage: The storage to keep the meteorites in.
  ///   - transport: The transport to download with. The catalog adds retries and shared requests.
  ///   - clock: The clock to use. Defaults to `.system`.
  ///   - policy: The policy that decides when a refresh is due. Defaults to `.daily`.
  ///   - snapshotGuard: The guard that decides whether rows can be the complete catalog.
  public convenience init(
    storage: Storage, transport: any Transport, clock: any FieldClock = .system,
    policy: RefreshPolicy = .daily, snapshotGuard: SnapshotGuard = SnapshotGuard()
  ) {
    self.init(
      source: NASAMeteorites(transport: transport.retrying(clock: clock).coalescing()),
      storage: storage, clock: clock, policy: policy, snapshotGuard: snapshotGuard)
  }

  /// Creates a catalog that reads from your own source, which is used without decorators.
  public convenience init(
    source: any MeteoriteSource,
    storage: Storage,
    clock: any FieldClock = .system,
    policy: RefreshPolicy = .daily,
    snapshotGuard: SnapshotGuard = SnapshotGuard()
  ) {
    self.init(
      source: source, repository: storage.store("meteorites"), clock: clock, policy: policy,
      snapshotGuard: snapshotGuard)
  }

  /// Creates a catalog from your own source and repository, which are used without decorators.
  public init(
    source: any MeteoriteSource,
    repository: any MeteoriteRepository,
    clock: any FieldClock = .system,
    policy: RefreshPolicy = .daily,
    snapshotGuard: SnapshotGuard = SnapshotGuard()
  ) {
    let part: RefreshPart
    if let pages = source.pages {
      part = RefreshPart(
        SyncEngine(
          source: pages, store: repository, deletion: source.deletion,
          snapshotGuard: snapshotGuard, clock: clock),
        policy: policy)
    } else {
      part = Self.part(
        of: source, repository, clock: clock, policy: policy, snapshotGuard: snapshotGuard)
    }
    engine = KitEngine(
      "meteorites", dataSources: [source.dataSource], stores: [repository], clock: clock,
      parts: [part])
    views = ViewSource(repository, engine: engine)
  }

  private static func part(
    of source: any MeteoriteSource, _ store: any MeteoriteRepository, clock: any FieldClock,
    policy: RefreshPolicy, snapshotGuard: SnapshotGuard
  ) -> RefreshPart {
    let sync = SnapshotSync(
      // If the columns change, it gets the next number. A test knows the checksum of the columns.
      fingerprint: "meteorites/1", store: store, deletion: source.deletion,
      snapshotGuard: snapshotGuard, clock: clock)
    return RefreshPart("meteorites", policy: policy) {
      try await store.snapshot().status(fingerprint: sync.fingerprint)
    } work: { progress in
      // Changes at the source from here on may be missing from the response.
      let began = clock.now
      let snapshot = try await store.snapshot()
      let batch = try await source.fetch(
        MeteoriteRequest(
          validators: sync.validators(of: snapshot), storedCount: snapshot.count,
          snapshotGuard: snapshotGuard.accepting(progress.trigger)))
      try Task.checkCancellation()
      progress.send(.reading, 0.6)
      return try await sync.accepting(progress.trigger).store(
        batch.rows.map(SnapshotSync.Payload.init), origin: batch.origin,
        validators: batch.validators, askedAt: began, over: snapshot.checkpoint
      ) { progress.send(.storing, 0.9) }
    }
  }

  /// Imports the time of the last synchronization from the old app, once.
  ///
  /// - Parameter seconds: The value of `updateTimestamp` in the old app's user defaults, in Unix
  ///   seconds; 0 means never.
  /// - Returns: `true` if the time was imported; `false` if it was imported before or isn't
  ///   positive.
  @discardableResult
  public func importLegacyTimestamp(_ seconds: Int) async throws -> Bool {
    guard seconds > 0 else { return false }
    let cursor = "talula.updateTimestamp"
    let date = min(Date(timeIntervalSince1970: Double(seconds)), engine.clock.now)
    return try await FieldError.wrapping("The time can't be imported.") {
      try await views.store.updating { _, _, checkpoint in
        guard checkpoint?.cursors[cursor] == nil else { return false }
        var next = checkpoint ?? Checkpoint()
        next.cursors[cursor] = String(seconds)
        next.lastSuccess = max(next.lastSuccess ?? date, date)
        checkpoint = next
        return true
      }
    }
  }

  // MARK: Reading

  /// Returns a snapshot of the meteorites that you can query synchronously.
  ///
  /// ```swift
  /// let view = try await catalog.view()
  /// print(view.count, view.find(MeteoriteQuery(text: "Hoba")).first as Any)
  /// ```
  @concurrent
  public func view() async throws -> MeteoriteView { try await views.view() }

  /// Returns the meteorites that match a query.
  ///
  /// ```swift
  /// let heavy = try await catalog.find(
  ///   MeteoriteQuery(fall: .fell, years: 2011..., order: .massDescending, limit: 10))
  /// print(heavy.map(\.name))
  /// ```
  @concurrent
  public func find(_ query: MeteoriteQuery = MeteoriteQuery()) async throws -> [Meteorite] {
    try await view().find(query)
  }

  /// Returns the number of meteorites that match a query, ignoring its limit and offset.
  ///
  /// ```swift
  /// print(try await catalog.count(MeteoriteQuery(fall: .fell)))
  /// ```
  @concurrent
  public func count(_ query: MeteoriteQuery = MeteoriteQuery()) async throws -> Int {
    try await view().count(query)
  }

  /// Returns the meteorite with the given ID, or `nil` if there is none.
  ///
  /// ```swift
  /// if let aachen = try await catalog.meteorite("1") { print(aachen.name) }
  /// ```
  @concurrent
  public func meteorite(_ id: Meteorite.ID) async throws -> Meteorite? { try await view()[id] }

  /// Returns the meteorites closest to a location, nearest first.
  ///
  /// Meteorites at the same distance are ordered by ID.
  ///
  /// ```swift
  /// for near in try await catalog.nearest(to: here, count: 10) {
  ///   print(near.meteorite.name, near.distance)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - place: The location to search from.
  ///   - count: The maximum number of meteorites to return.
  ///   - plausibleOnly: Pass `false` to include implausible positions. Defaults to `true`.
  ///   - query: The conditions to match. Its order, limit, and offset are ignored.
  @concurrent
  public func nearest(
    to place: Coordinate, count: Int, plausibleOnly: Bool = true,
    matching query: MeteoriteQuery = MeteoriteQuery()
  ) async throws -> [NearbyMeteorite] {
    try await view().nearest(to: place, count: count, plausibleOnly: plausibleOnly, matching: query)
  }

  /// Returns statistics about the meteorites that match a query, ignoring its order, limit, and
  /// offset.
  ///
  /// ```swift
  /// let statistics = try await catalog.statistics(of: MeteoriteQuery(fall: .fell))
  /// print(statistics.total, statistics.byDecade.keys.sorted())
  /// ```
  @concurrent
  public func statistics(
    of query: MeteoriteQuery = MeteoriteQuery()
  ) async throws -> MeteoriteStatistics { try await view().statistics(of: query) }

  /// Returns the number of meteorites in each cell of a grid, skipping implausible positions.
  ///
  /// ```swift
  /// let map = try await catalog.heatMap(cellDegrees: 10)
  /// for cell in map.cells { print(cell.box, cell.count) }
  /// ```
  @concurrent
  public func heatMap(
    cellDegrees: Double, of query: MeteoriteQuery = MeteoriteQuery()
  ) async throws -> MeteoriteHeatMap {
    try await view().heatMap(cellDegrees: cellDegrees, of: query)
  }

  /// Returns a sequence that yields the current meteorites first, then the newest after each
  /// change.
  ///
  /// ```swift
  /// for try await view in catalog.updates() { print(view.count, "meteorites") }
  /// ```
  public func updates() -> MeteoriteUpdates { views.updates() }
}

extension SnapshotSync<Meteorite>.Payload {
  fileprivate init(_ rows: MeteoriteRows) {
    self.init(
      records: rows.meteorites, failures: rows.failures,
      failedIDs: rows.failures.compactMap { failure in
        // A key that is readable only in part doesn't identify its record.
        failure.key.flatMap { $0.contains("\u{FFFD}") ? nil : Meteorite.ID(rawValue: $0) }
      },
      rowCount: rows.count, announcedCount: rows.announcedCount, repeatedIDs: rows.repeatedIDs)
  }
}
