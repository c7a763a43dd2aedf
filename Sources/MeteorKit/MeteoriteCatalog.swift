public import FieldCore
internal import FieldFoundation

/// NASA's meteorites: kept on the device, refreshed once a day, queried without a network.
///
/// ```swift
/// let catalog = MeteoriteCatalog(storage: .directory(folder), transport: URLSessionTransport())
/// try await catalog.refresh()
/// let heavy = try await catalog.find(MeteoriteQuery(fall: .fell, order: .massDescending))
/// ```
///
/// Creating a catalog does no I/O; it opens on first use, once for all callers. If a refresh fails, the
/// catalog keeps its data; check ``lastRefresh`` to see how old it is. A refresh is due if the last success is
/// more than a day ago; the interval is configurable.
public final class MeteoriteCatalog: EngineKit {
  /// What opens, refreshes, erases, and closes the catalog.
  public let engine: KitEngine
  private let views: ViewSource<MeteoriteView>

  /// Creates a catalog of NASA's present files.
  ///
  /// - Parameters:
  ///   - storage: The storage to keep the meteorites in.
  ///   - transport: The transport to download with. Retries and shared requests are added once.
  ///   - clock: The clock to use.
  public convenience init(
    storage: Storage, transport: any Transport, clock: any FieldClock = .system
  ) {
    self.init(
      source: NASAMeteorites(transport: transport.retrying(clock: clock).coalescing()),
      storage: storage, clock: clock)
  }

  /// Creates a catalog of another source, which is used as it is.
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

  /// Creates a catalog of another source and another repository, which are used as they are.
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
      fingerprint: "meteorites/1", store: store, deletion: source.deletion,
      snapshotGuard: snapshotGuard, clock: clock)
    return RefreshPart("meteorites", policy: policy) {
      try await store.snapshot().status(fingerprint: sync.fingerprint)
    } work: { progress in
      // What changes at the source from here on may not be in the answer.
      let began = clock.now
      let snapshot = try await store.snapshot()
      let delivery = try await source.fetch(
        MeteoriteRequest(
          validators: sync.validators(of: snapshot), storedCount: snapshot.count,
          snapshotGuard: snapshotGuard))
      try Task.checkCancellation()
      progress.send(.reading, 0.6)
      return try await sync.store(
        delivery.rows.map(SnapshotSync.Delivery.init), origin: delivery.origin,
        validators: delivery.validators, askedAt: began, over: snapshot.checkpoint
      ) {
        progress.send(.storing, 0.9)
      }
    }
  }

  /// Takes over the time of the last synchronisation that the old app kept, once.
  ///
  /// - Parameter seconds: The value of the key `updateTimestamp` in the old app's user defaults: Unix
  ///   seconds, 0 for never.
  /// - Returns: Whether it was taken over; false when it was before, or when there is nothing to take.
  @discardableResult
  public func importLegacyTimestamp(_ seconds: Int) async throws -> Bool {
    guard seconds > 0 else { return false }
    let cursor = "talula.updateTimestamp"
    let date = min(Date(timeIntervalSince1970: Double(seconds)), engine.clock.now)
    var isNew = false
    try await FieldError.wrapping("the time cannot be taken over") {
      try await views.store.update { _, _, checkpoint in
        isNew = checkpoint?.cursors[cursor] == nil
        guard isNew else { return }
        var next = checkpoint ?? Checkpoint()
        next.cursors[cursor] = String(seconds)
        next.lastSuccess = max(next.lastSuccess ?? date, date)
        checkpoint = next
      }
    }
    return isNew
  }

  // MARK: Reading

  /// The meteorites as they are now, to be asked without waiting.
  @concurrent
  public func view() async throws -> MeteoriteView { try await views.view() }

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
  public func updates() -> MeteoriteUpdates { views.updates() }
}

extension SnapshotSync<Meteorite>.Delivery {
  fileprivate init(_ rows: MeteoriteRows) {
    self.init(
      records: rows.meteorites, failures: rows.failures,
      failedIDs: rows.failures.compactMap { failure in
        // A key that could only be read in part is not the key.
        failure.key.flatMap { $0.contains("\u{FFFD}") ? nil : Meteorite.ID(rawValue: $0) }
      },
      rowCount: rows.count, announcedCount: rows.announcedCount)
  }
}
