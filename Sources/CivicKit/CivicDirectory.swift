public import FieldCore
internal import FieldFoundation

/// A city hall in your pocket: its units, services, facilities, news, and activities, offline.
///
/// ```swift
/// let directory = CivicDirectory(storage: .directory(folder), transport: URLSessionTransport())
/// try await directory.refresh()
/// for tile in try await directory.facilities() { print(tile.name) }
/// let hits = try await directory.search("社會")
/// ```
///
/// Creating a directory does no I/O; it opens on first use, once for all callers. Its eleven tables
/// are in one store, so a sync is one commit that includes the cursors of the tables. If a refresh
/// fails, the directory keeps its data; check ``lastRefresh`` to see how old it is.
///
/// Where the tables come from is up to you: a ``CivicService``, files
/// (``importTables(in:advancingCursors:)``), or your own rows (``apply(_:to:advancingCursor:)``).
/// Without a source, a refresh fetches only the feeds. The feeds are Tainan's unless you pass
/// others.
///
/// One storage can contain several cities, each with its own name.
///
/// A refresh stores all tables in one commit: if one of them fails, none is stored. The feeds are
/// stored separately and fetched on every visit; if only they fail, the report has a notice. The date
/// of the next refresh is that of the tables: `nil` unless ``CivicOptions/policy`` has an interval.
public final class CivicDirectory: EngineKit, LiveKit {
  /// The history of the user's searches.
  public let searchHistory: SearchHistory
  /// The engine that opens, refreshes, erases, and closes the directory.
  public let engine: KitEngine

  let views: ViewSource<CivicView>
  let feeds: CityFeeds
  let pictures: CivicPictures
  let options: CivicOptions

  /// The name that a directory has by default.
  public static var defaultName: String { "civic" }

  /// Returns the name of a directory's store, which omits the default name.
  package static func storeName(_ store: String, of name: String) -> String {
    name == defaultName ? store : "\(store).\(name)"
  }

  /// Creates a directory of a city.
  ///
  /// - Parameters:
  ///   - name: The name of the city in the storage: up to 52 ASCII letters, digits, `-`, `_`, and
  ///     `.`. Use names that differ in more than case. Defaults to `civic`.
  ///   - service: The server of the tables. Defaults to `nil`: there is none.
  ///   - feeds: The feeds of news and activities. Defaults to those of Tainan.
  ///   - storage: The storage to keep everything in.
  ///   - transport: The transport to fetch tables, feeds, and pictures with. Retries and request
  ///     coalescing are added here, so don't add them yourself.
  ///   - clock: The clock to use.
  ///   - options: The options.
  ///   - pictureLimits: The largest picture to download, and the space for downloaded pictures.
  public convenience init(
    name: String = defaultName, service: CivicService? = nil,
    feeds: [CityFeed] = CityFeed.tainan, storage: Storage, transport: any Transport,
    clock: any FieldClock = .system, options: CivicOptions = CivicOptions(),
    pictureLimits: AssetLimits = AssetLimits()
  ) {
    let shared = transport.retrying(clock: clock).coalescing()
    self.init(
      name: name, source: service.map { CivicServer($0, transport: shared) },
      repository: storage.store(Self.storeName("civic", of: name)),
      feeds: CityFeeds(name: name, storage: storage, transport: shared, clock: clock, feeds: feeds),
      pictures: AssetCache(
        storage: storage, name: Self.storeName("civic", of: name), transport: shared, clock: clock,
        limits: pictureLimits),
      clock: clock, options: options)
  }

  /// Creates a directory from your own parts, which are used as they are.
  ///
  /// - Parameters:
  ///   - name: The name of the directory in progress, reports, and errors. Defaults to `civic`.
  ///   - source: The source of the tables; `nil` if there is none.
  ///   - repository: The store to keep the tables in.
  ///   - feeds: The news and activities.
  ///   - cache: The cache to keep pictures in.
  ///   - clock: The clock to use.
  ///   - options: The options.
  public init(
    name: String = defaultName, source: CivicServer?, repository: any CivicRepository,
    feeds: CityFeeds, pictures cache: AssetCache, clock: any FieldClock = .system,
    options: CivicOptions = CivicOptions()
  ) {
    let pictures = CivicPictures(
      cache: cache, service: source?.service, folder: options.pictureFolder)
    var parts = [feeds.refresher.part(isMain: source == nil)]
    if let source {
      let sync = CivicSync(server: source, repository: repository, clock: clock, options: options)
      parts.insert(sync.part, at: 0)
    }
    var hooks = KitEngine.Hooks()
    hooks.erase = {
      try await repository.eraseAll()
      try await feeds.refresher.eraseAll()
      try await cache.removeAll()
    }
    hooks.closing = { feeds.refresher.close() }
    engine = KitEngine(
      name, dataSources: [source?.service.dataSource].compactMap(\.self) + feeds.dataSources,
      stores: [repository, feeds.store], clock: clock, parts: parts, hooks: hooks)
    views = ViewSource(repository, engine: engine)
    self.feeds = CityFeeds(feeds, partOf: engine)
    self.pictures = pictures
    self.options = options
    searchHistory = SearchHistory(store: repository, limit: options.historyLimit)
  }

  // MARK: Reading

  /// Returns an immutable snapshot of the directory that you can query synchronously.
  ///
  /// ```swift
  /// let view = try await directory.view()
  /// print(view.units.count, view.search(CivicSearch("社會")).count)
  /// ```
  @concurrent
  public func view() async throws -> CivicView { try await views.view() }

  /// Returns the current view, followed by the newest one after each change.
  ///
  /// ```swift
  /// for try await view in directory.updates() { print(view.units.count, "units") }
  /// ```
  public func updates() -> CivicUpdates { views.updates() }
}
