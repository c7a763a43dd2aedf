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
      sources: Download<Meteorite>.nasa(transport: transport.retrying(clock: clock).coalescing()),
      repository: storage.store("meteorites"), clock: clock, policy: policy,
      snapshotGuard: snapshotGuard)
  }

  /// Creates a catalog that reads from your own source, which is used without decorators.
  ///
  /// - Parameters:
  ///   - source: The source, such as a `Download`, a `FileRows`, or a ``SODAMeteorites``.
  ///   - storage: The storage to keep the meteorites in.
  ///   - clock: The clock to use. Defaults to `.system`.
  ///   - policy: The policy that decides when a refresh is due. Defaults to `.daily`.
  ///   - snapshotGuard: The guard that decides whether rows can be the complete catalog.
  public convenience init(
    source: any RecordSource<Meteorite>, storage: Storage, clock: any FieldClock = .system,
    policy: RefreshPolicy = .daily, snapshotGuard: SnapshotGuard = SnapshotGuard()
  ) {
    self.init(
      source: source, repository: storage.store("meteorites"), clock: clock, policy: policy,
      snapshotGuard: snapshotGuard)
  }

  /// Creates a catalog from your own source and repository, which are used without decorators.
  public convenience init(
    source: any RecordSource<Meteorite>, repository: any MeteoriteRepository,
    clock: any FieldClock = .system, policy: RefreshPolicy = .daily,
    snapshotGuard: SnapshotGuard = SnapshotGuard()
  ) {
    self.init(
      sources: [source], repository: repository, clock: clock, policy: policy,
      snapshotGuard: snapshotGuard)
  }

  /// Creates a catalog that tries your own sources in turn; they are used without decorators.
  ///
  /// A refresh stores the rows of the first source that returns them, if the guard accepts them. If the device is
  /// offline, no further source is tried.
  public convenience init(
    sources: [any RecordSource<Meteorite>], storage: Storage, clock: any FieldClock = .system,
    policy: RefreshPolicy = .daily, snapshotGuard: SnapshotGuard = SnapshotGuard()
  ) {
    self.init(
      sources: sources, repository: storage.store("meteorites"), clock: clock, policy: policy,
      snapshotGuard: snapshotGuard)
  }

  /// Creates a catalog from your own sources, which are tried in turn, and your own repository.
  ///
  /// They are used without decorators.
  public init(
    sources: [any RecordSource<Meteorite>], repository: any MeteoriteRepository,
    clock: any FieldClock = .system, policy: RefreshPolicy = .daily,
    snapshotGuard: SnapshotGuard = SnapshotGuard()
  ) {
    engine = KitEngine(
      "meteorites", dataSources: sources.compactMap(\.dataSource).uniqued(),
      stores: [repository], clock: clock,
      parts: [
        RefreshPart(
          sources: sources, named: "meteorites", fingerprint: Self.fingerprint, store: repository,
          snapshotGuard: snapshotGuard, clock: clock, policy: policy)
      ])
    views = ViewSource(repository, engine: engine)
  }

  /// How meteorites are read. If anything but the columns changes, it gets the next number.
  ///
  /// Checkpoints name the columns of the first version by the number alone.
  private static var fingerprint: String {
    let reading = Meteorite.fingerprint("meteorites/1", columns: Meteorite.rowColumns)
    return reading == "meteorites/1 80d7f0c2" ? "meteorites/1" : reading
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

/// A sequence that yields the current meteorites first, then the newest after each change.
///
/// Slow consumers skip intermediate states, but never the newest one. See
/// ``MeteoriteCatalog/updates()``.
public typealias MeteoriteUpdates = ViewUpdates<MeteoriteView>

/// The store in which a catalog keeps its meteorites: any `RecordStore` of meteorites.
///
/// By default, it is the store `meteorites` of a `Storage`. To use your own database, implement
/// `RecordStore` with ``Meteorite`` as its `Record`, and verify it with `RecordStoreConformance`.
public typealias MeteoriteRepository = RecordStore<Meteorite>
