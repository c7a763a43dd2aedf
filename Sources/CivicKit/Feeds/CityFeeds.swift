public import FieldCore
internal import FieldFoundation

/// A kit for a city's news and activities that also works offline.
///
/// ```swift
/// let feeds = CityFeeds(storage: .directory(folder), transport: URLSessionTransport())
/// for item in try await feeds.news() { print(item.title, item.plainText) }
/// let activities = try await feeds.activities()
/// try await feeds.hide(activities[0].id)
/// ```
///
/// A call returns what is stored, at once; only the very first one fetches the feeds, because
/// nothing is stored. Call ``refresh(_:)`` to fetch them, and iterate over ``newsUpdates()`` to show
/// what it brings. A refresh sends conditional requests, so a server that has nothing new sends
/// nothing, and concurrent calls share one request per feed. If a feed can't be read, its items stay,
/// and ``CityPage/failure`` and ``CityPage/age`` describe the problem. A feed contains only its last
/// 20 to 50 items; items that have left it are kept for a while. Hidden activities stay hidden, and
/// read items stay read.
///
/// The transport is used as it is. Add decorators such as `retrying()` yourself.
public final class CityFeeds: EngineKit {
  /// The feeds, in the order in which they were passed.
  public let feeds: [CityFeed]

  /// The engine that opens, refreshes, erases, and closes the feeds.
  public let engine: KitEngine
  let store: any FeedRepository
  let refresher: FeedRefresher

  /// Creates feeds that keep their items in a storage.
  ///
  /// The name of the store is `civic-feeds`, or `civic-feeds.NAME` if `name` isn't the default.
  public convenience init(
    name: String = CivicDirectory.defaultName,
    storage: Storage,
    transport: any Transport,
    clock: any FieldClock = .system,
    feeds: [CityFeed] = CityFeed.tainan,
    timeout: Duration = .seconds(45),
    byteLimit: Int = 16 << 20,
    itemLimit: Int = 500
  ) {
    self.init(
      name: name, repository: storage.store(CivicDirectory.storeName("civic-feeds", of: name)),
      transport: transport, clock: clock, feeds: feeds, timeout: timeout, byteLimit: byteLimit,
      itemLimit: itemLimit)
  }

  /// Creates feeds that keep their items in a store.
  ///
  /// - Parameters:
  ///   - name: The name of the directory that the feeds belong to. Defaults to `civic`.
  ///   - repository: The store to keep the items in.
  ///   - transport: The transport to fetch the feeds with.
  ///   - clock: The clock to use.
  ///   - feeds: The feeds. Defaults to those of Tainan. If two have the same ID, the first is used.
  ///   - timeout: The timeout for each feed. Defaults to 45 seconds, because city servers have
  ///     taken 25.
  ///   - byteLimit: The largest feed to accept, in bytes. Defaults to 16 MiB.
  ///   - itemLimit: The number of items to keep for each feed. Defaults to 500. Items that are
  ///     still in the feed are always kept, and so are hidden ones.
  public init(
    name: String = CivicDirectory.defaultName,
    repository: any FeedRepository,
    transport: any Transport,
    clock: any FieldClock = .system,
    feeds: [CityFeed] = CityFeed.tainan,
    timeout: Duration = .seconds(45),
    byteLimit: Int = 16 << 20,
    itemLimit: Int = 500
  ) {
    let feeds = feeds.uniqued(by: \.id)
    let refresher = FeedRefresher(
      feeds: feeds,
      fetcher: FeedFetcher(transport: transport, timeout: timeout, byteLimit: byteLimit),
      store: repository, clock: clock, limit: max(0, itemLimit))
    self.feeds = feeds
    self.refresher = refresher
    store = repository
    var hooks = KitEngine.Hooks()
    hooks.closing = { refresher.close() }
    hooks.erase = { try await refresher.eraseAll() }
    engine = KitEngine(
      "\(name).feeds", dataSources: feeds.compactMap(\.dataSource).uniqued(),
      stores: [repository], clock: clock, parts: [refresher.part(isMain: true)], hooks: hooks)
  }

  /// Creates feeds that are a part of another kit, whose engine opens, refreshes, erases, and closes them.
  init(_ feeds: CityFeeds, partOf engine: KitEngine) {
    self.feeds = feeds.feeds
    self.engine = engine
    store = feeds.store
    refresher = feeds.refresher
  }

  // MARK: Reading

  /// Returns the news, newest first.
  ///
  /// The stored page is returned at once. If nothing was ever stored, the news feeds are fetched first.
  ///
  /// - Throws: `FieldError` if nothing is stored and no feed can be read, or if the store can't be
  ///   read; `CancellationError` if the task is canceled.
  public func news() async throws -> NewsPage {
    try await fetchingIfEmpty(.news) { try await storedNews() }
  }

  /// Returns the activities, newest first.
  ///
  /// The stored page is returned at once. If nothing was ever stored, the activity feeds are fetched first.
  ///
  /// - Parameter includingHidden: Pass `true` to include hidden activities. Defaults to `false`.
  /// - Throws: The same errors as ``news()``.
  public func activities(includingHidden: Bool = false) async throws -> ActivityPage {
    try await fetchingIfEmpty(.activities) {
      try await storedActivities(includingHidden: includingHidden)
    }
  }

  /// Returns the stored news and never fetches a feed.
  public func storedNews() async throws -> NewsPage {
    try await page(of: .news) { $0.news }
  }

  /// Returns the stored activities and never fetches a feed.
  public func storedActivities(includingHidden: Bool = false) async throws -> ActivityPage {
    try await activities(includingHidden: includingHidden, adding: [])
  }

  /// Returns the stored news, and the newest after each refresh and each change of what is read.
  ///
  /// The sequence never fetches a feed; ``refresh(_:)`` does. Failures are part of the page.
  ///
  /// ```swift
  /// async let refreshed = feeds.refresh()
  /// for try await page in feeds.newsUpdates() { print(page.count, page.unread.count) }
  /// ```
  public func newsUpdates() -> CityPageUpdates<NewsItem> {
    .pages(of: [changes]) { [self] in try await storedNews() }
  }

  /// Returns the stored activities, and the newest after each refresh and each change of what is
  /// hidden or read, as ``newsUpdates()`` does.
  public func activityUpdates(
    includingHidden: Bool = false
  ) -> CityPageUpdates<CityActivity> {
    .pages(of: [changes]) { [self] in
      try await storedActivities(includingHidden: includingHidden)
    }
  }

  /// Marks a piece of news or an activity as read.
  ///
  /// - Returns: `true` if the item was unread; `false` if it was already read or doesn't exist.
  @discardableResult
  public func markItemRead(_ id: NewsItem.ID) async throws -> Bool {
    try await FieldError.wrapping("The feeds can't be changed.", operation: "civic.read") {
      var hasChanged = false
      try await engine.openIfNeeded()
      try await store.update { snapshot, changes in
        hasChanged = false
        for var item in feeds.compactMap({ snapshot.item(id, of: $0.id) }) where item.readOn == nil
        {
          item.readOn = engine.clock.now
          changes.upsert(.item(item))
          hasChanged = true
        }
      }
      return hasChanged
    }
  }

  // MARK: Hiding

  /// Hides an activity and returns after the change is on disk.
  ///
  /// Hiding a hidden activity has no effect.
  ///
  /// - Throws: `FieldError` with the code `civic.unknownActivity` if there is no activity with this
  ///   ID.
  public func hide(_ id: CityActivity.ID) async throws { try await setHidden(true, [id]) }

  /// Shows a hidden activity again.
  ///
  /// - Throws: The same errors as ``hide(_:)``.
  public func unhide(_ id: CityActivity.ID) async throws { try await setHidden(false, [id]) }

  /// Hides or shows an activity that has one of these IDs.
  ///
  /// - Parameter isOfTable: Whether the table `hot` contains it, so that a feed doesn't have to.
  func setHidden(_ isHidden: Bool, _ ids: [CityActivity.ID], isOfTable: Bool = false) async throws {
    try await FieldError.wrapping("The feeds can't be changed.", operation: "civic.hide") {
      try await store.update { snapshot, changes in
        let items = feeds(of: .activities).flatMap { feed in
          ids.compactMap { snapshot.item($0, of: feed.id) }
        }
        guard isOfTable || !items.isEmpty else {
          throw FieldError(
            .unknownActivity, "There is no activity with the ID \(ids[0]).", operation: "civic.hide"
          )
        }
        for var item in items where item.isHidden != isHidden {
          item.isHidden = isHidden
          changes.upsert(.item(item))
        }
      }
    }
  }

  // MARK: Snapshots

  /// Returns the items of all feeds, with dates that survive a round trip through JSON.
  func storedItems() async throws -> [FeedRecord.StoredItem] {
    try await engine.reading { try await store.snapshot() }.compactMap { record in
      guard case .item(var item) = record else { return nil }
      item.firstSeen = Date(timeIntervalSince1970: item.firstSeen.timeIntervalSince1970)
      item.readOn = item.readOn.map { Date(timeIntervalSince1970: $0.timeIntervalSince1970) }
      return item
    }
  }

  /// Replaces the stored items. The next visit fetches the feeds without validators.
  func restore(_ items: [FeedRecord.StoredItem]) async throws {
    try await store.update { before, changes, checkpoint in
      changes.removeAll()
      for item in items { changes.upsert(.item(item)) }
      checkpoint = .erased(at: before.revision)
    }
  }

  /// Returns the health of each feed, in the order of ``feeds``.
  public func health() async throws -> [FeedHealth] {
    let snapshot = try await engine.reading { try await store.snapshot() }
    return feeds.map { refresher.health(of: $0.id, in: snapshot) }
  }
}

// MARK: - Parts

extension CityFeeds {
  private func feeds(of kind: CityFeed.Kind) -> [CityFeed] { feeds.filter { $0.kind == kind } }

  /// Returns a stored page of a kind, after fetching its feeds if nothing of them was ever stored.
  ///
  /// - Parameter always: Pass `true` to fetch the feeds in any case.
  package func fetchingIfEmpty<Item: Identifiable & Sendable>(
    _ kind: CityFeed.Kind, always: Bool = false, _ stored: () async throws -> CityPage<Item>
  ) async throws -> CityPage<Item> {
    if !always {
      let page = try await stored()
      guard page.isEmpty, page.wasNeverFetched else { return page }
    }
    let feeds = feeds(of: kind)
    let faults = try await refresher.visits(to: feeds).compactMapValues(\.fault)
    let page = try await stored()
    if page.isEmpty, page.wasNeverFetched, faults.count == feeds.count,
      let fault = feeds.lazy.compactMap({ faults[$0.id] }).first
    {
      throw fault
    }
    return page
  }

  /// A closure that signals the changes of the store.
  var changes: @Sendable (@Sendable () -> Void) async throws -> Void {
    { [engine, store] signal in
      try await engine.openIfNeeded()
      for try await _ in store.updates() { signal() }
    }
  }

  /// Returns the stored activities together with rows of the table `hot`.
  func activities(
    includingHidden: Bool, adding rows: [CityActivity]
  ) async throws -> ActivityPage {
    try await page(of: .activities, adding: rows) { item in
      guard includingHidden || !item.isHidden else { return nil }
      return CityActivity(item.news, isHidden: item.isHidden)
    }
  }

  @concurrent
  private func page<Item: Identifiable & Sendable>(
    of kind: CityFeed.Kind, adding rows: [CityActivity] = [],
    _ make: @Sendable (FeedRecord.StoredItem) -> Item?
  ) async throws -> CityPage<Item> where Item.ID == NewsItem.ID {
    let snapshot = try await engine.reading { try await store.snapshot() }
    let feeds = feeds(of: kind)
    let health = feeds.map { refresher.health(of: $0.id, in: snapshot) }
    // An item in several feeds appears once, as in the first feed, and is hidden if it is hidden in
    // any: another feed may have returned it after it was hidden.
    var places: [NewsItem.ID: Int] = [:]
    var stored: [FeedRecord.StoredItem] = []
    func add(_ item: FeedRecord.StoredItem, names: [NewsItem.ID]) {
      if let place = names.lazy.compactMap({ places[$0] }).first {
        stored[place].isHidden = stored[place].isHidden || item.isHidden
        stored[place].readOn = stored[place].readOn ?? item.readOn
      } else {
        places[item.news.id] = stored.count
        stored.append(item)
      }
    }
    for item in feeds.flatMap({ snapshot.items(of: $0.id) }) {
      add(item, names: [item.news.id])
    }
    // If a feed has the activity of a row, the feed's version is used, because its text is newer.
    // Rows whose ID is that of their article come first, so that numbered rows find them.
    for row in rows.filter({ $0.names.count == 1 }) + rows.filter({ $0.names.count > 1 }) {
      add(
        FeedRecord.StoredItem(
          news: row.news, isHidden: row.isHidden, firstSeen: Date(timeIntervalSince1970: 0),
          place: stored.count), names: row.names)
    }
    stored.sort(by: FeedRecord.isNewer)
    let items = stored.compactMap(make)
    // A row of the table isn't in the store of feeds, so it can't be marked as read.
    let unread = stored.lazy.filter { $0.readOn == nil && $0.news.feed != .table }.map(\.news.id)
    let dates = health.compactMap(\.lastSuccess)
    return CityPage(
      items, date: dates.count == health.count ? dates.min() : nil, asOf: engine.clock.now,
      failures: Dictionary(
        uniqueKeysWithValues: health.compactMap { health in
          refresher.failure(of: health).map { (health.id, $0) }
        }),
      health: health, unread: Set(unread).intersection(items.map(\.id)))
  }
}

extension CityPage {
  /// A Boolean value that indicates whether no feed was ever read.
  fileprivate var wasNeverFetched: Bool { health.allSatisfy { $0.lastSuccess == nil } }
}

extension FeedRecord {
  /// Returns whether an item comes first: by date, then by when it was first seen, then in feed
  /// order.
  static func isNewer(_ left: StoredItem, _ right: StoredItem) -> Bool {
    if left.date != right.date { return left.date > right.date }
    if left.firstSeen != right.firstSeen { return left.firstSeen > right.firstSeen }
    return left.place < right.place
  }
}
