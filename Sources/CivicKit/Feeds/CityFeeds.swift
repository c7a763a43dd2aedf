public import FieldCore
public import FieldFoundation

/// A city's news and hot activities: asked for at every visit, and there without a network as well.
///
/// ```swift
/// let feeds = CityFeeds(storage: .directory(folder), transport: URLSessionTransport())
/// for item in try await feeds.news() { print(item.title, item.plainText) }
/// let activities = try await feeds.activities()
/// try await feeds.hide(activities[0].id)
/// ```
///
/// Each visit asks the feeds first, with what they gave the last time, so that a server that has nothing
/// new sends nothing; visits at the same time share one request a feed. When a feed cannot be read the
/// visit answers from the store and says so: ``CityPage/failure`` and ``CityPage/age``. What has left a
/// feed, which has but its last 20 to 50 items, is kept for a while; what the user has hidden stays hidden.
///
/// The transport is used as it is: wrap it in `retrying()` and the like before.
public final class CityFeeds: Sendable {
  /// The feeds, in the order given.
  public let feeds: [CityFeed]

  let store: FeedStore
  private let clock: any FieldClock
  private let refresher: FeedRefresher
  private let flight = RefreshFlight(kit: "civic.feeds")

  /// Makes a reader of feeds.
  ///
  /// - Parameters:
  ///   - storage: Where items are kept, in a store of the name `civic-feeds`.
  ///   - transport: What the feeds are asked with.
  ///   - clock: Where the time comes from.
  ///   - feeds: The feeds; those of the old app at Tainan unless told otherwise. Of two with one id the
  ///     first counts.
  ///   - timeout: How long a feed may take; 45 seconds unless told otherwise, since servers of cities have
  ///     taken 25.
  ///   - byteLimit: The most bytes that a feed may have; 16 MiB unless told otherwise.
  ///   - itemLimit: How many items of each feed are kept, when some of them have left it; 500 unless told
  ///     otherwise. What the feed still has is kept in any case.
  public init(
    storage: Storage,
    transport: any Transport,
    clock: any FieldClock = .system,
    feeds: [CityFeed] = CityFeed.tainan,
    timeout: Duration = .seconds(45),
    byteLimit: Int = 16 << 20,
    itemLimit: Int = 500
  ) {
    var ids: Set<CityFeed.ID> = []
    self.feeds = feeds.filter { ids.insert($0.id).inserted }
    self.clock = clock
    store = FeedStore(storage: storage)
    refresher = FeedRefresher(
      feeds: self.feeds,
      fetcher: FeedFetcher(transport: transport, timeout: timeout, byteLimit: byteLimit),
      store: store, clock: clock, limit: max(0, itemLimit))
  }

  /// What the data is and whom to name beside it.
  public var dataSources: [DataSource] {
    feeds.compactMap(\.dataSource).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  // MARK: Opening and closing

  /// Opens the store now, to learn early whether that works; every other call does it by itself.
  @discardableResult
  public func open() async throws -> OpeningReport { try await store.open() }

  /// Ends the use: requests under way are cancelled, and the store is closed.
  public func close() async throws {
    flight.close()
    refresher.close()
    try await store.close()
  }

  /// Forgets all items, what was hidden, and how the feeds were doing.
  public func eraseAll() async throws {
    refresher.eraseAll()
    try await store.eraseAll()
  }

  // MARK: Visits

  /// The news, after the feeds of that kind have been asked; from the store where they cannot be read.
  ///
  /// - Throws: `FieldError` when no feed can be read and none ever was, or when the store cannot be read;
  ///   `CancellationError` when the task is cancelled.
  public func news() async throws -> NewsPage {
    let failures = try await ask(.news)
    return try await page(of: .news, failures: failures) { $0.news }
  }

  /// The activities, after the feeds of that kind have been asked; from the store where they cannot be
  /// read.
  ///
  /// - Parameter includingHidden: Whether those are among them that the user has hidden.
  /// - Throws: As ``news()`` does.
  public func activities(includingHidden: Bool = false) async throws -> ActivityPage {
    let failures = try await ask(.activities)
    return try await activities(includingHidden: includingHidden, failures: failures)
  }

  /// The news of the store; nobody is asked.
  public func storedNews() async throws -> NewsPage {
    try await page(of: .news, failures: [:]) { $0.news }
  }

  /// The activities of the store; nobody is asked.
  public func storedActivities(includingHidden: Bool = false) async throws -> ActivityPage {
    try await activities(includingHidden: includingHidden, failures: [:])
  }

  // MARK: Hiding

  /// Hides an activity, which is durable when this returns. One that is hidden already stays so.
  ///
  /// - Throws: `FieldError` with the code `civic.unknownActivity` when there is none of this id.
  public func hide(_ id: CityActivity.ID) async throws { try await setHidden(true, id) }

  /// Shows an activity again.
  ///
  /// - Throws: As ``hide(_:)`` does.
  public func unhide(_ id: CityActivity.ID) async throws { try await setHidden(false, id) }

  private func setHidden(_ isHidden: Bool, _ id: CityActivity.ID) async throws {
    try await store.update { snapshot, changes, _ in
      let items = feeds(of: .activities).compactMap {
        FeedRecord.storedItem(id, of: $0.id, in: snapshot)
      }
      guard !items.isEmpty else {
        throw FieldError(.unknownActivity, "there is no activity \(id)", operation: "civic.hide")
      }
      for var item in items where item.isHidden != isHidden {
        item.isHidden = isHidden
        changes.upsert(.item(item))
      }
    }
  }

  // MARK: Refreshing

  /// Asks all feeds, whenever it is called: feeds are due at every visit, so `.ifDue` means the same as
  /// `.now`. Calls at the same time share one run.
  ///
  /// - Returns: What has been done with the items of all feeds. A feed that has failed while another has
  ///   not is in the notices, with the code `civic.feedFailed`.
  /// - Throws: `FieldError` when all feeds have failed; `CancellationError` when the task is cancelled.
  @discardableResult
  public func refresh(_ when: RefreshTrigger = .ifDue) async throws -> RefreshReport {
    try await flight.run(onFailure: { _ in }) { [self] broadcast in
      broadcast.tell(.requesting, 0.05)
      let visits = try await visits(to: feeds) { done in
        broadcast.tell(.requesting, 0.05 + 0.9 * Double(done) / Double(max(1, feeds.count)))
      }
      return try Self.merged(visits, at: clock.now)
    }
  }

  /// The steps of all refreshes from now on, for a progress bar: it starts none. Visits are no refreshes.
  public func refreshes() -> RefreshSteps { flight.steps() }

  /// When the next refresh is due, which is always now.
  public var nextRefreshDate: Date { clock.now }

  /// How the feeds are doing, in their order.
  public func health() async throws -> [FeedHealth] {
    let snapshot = try await store.snapshot()
    return feeds.map { refresher.health(of: $0.id, in: snapshot) }
  }
}

// MARK: - Parts

extension CityFeeds {
  private func feeds(of kind: CityFeed.Kind) -> [CityFeed] { feeds.filter { $0.kind == kind } }

  /// Asks the feeds of a kind; gives the failures.
  private func ask(_ kind: CityFeed.Kind) async throws -> [CityFeed.ID: FieldError] {
    try await visits(to: feeds(of: kind)).compactMapValues { visit in
      switch visit {
      case .success(let visit): visit.fault
      case .failure(let failure): failure
      }
    }
  }

  private func visits(
    to feeds: [CityFeed], progress: (_ done: Int) -> Void = { _ in }
  ) async throws -> [CityFeed.ID: Result<FeedVisit, FieldError>] {
    let refresher = refresher
    let visits = try await feeds.concurrentMap(progress: progress) { feed in
      do {
        return Result<FeedVisit, FieldError>.success(try await refresher.visit(feed))
      } catch let failure as FieldError {
        return .failure(failure)
      }
    }
    return Dictionary(uniqueKeysWithValues: zip(feeds.map(\.id), visits))
  }

  private func activities(
    includingHidden: Bool, failures: [CityFeed.ID: FieldError]
  ) async throws -> ActivityPage {
    try await page(of: .activities, failures: failures) { item in
      guard includingHidden || !item.isHidden else { return nil }
      return CityActivity(item.news, isHidden: item.isHidden)
    }
  }

  @concurrent
  private func page<Item: Identifiable & Sendable>(
    of kind: CityFeed.Kind, failures: [CityFeed.ID: FieldError],
    _ make: @Sendable (FeedRecord.StoredItem) -> Item?
  ) async throws -> CityPage<Item> {
    let snapshot = try await store.snapshot()
    let feeds = feeds(of: kind)
    let dates = feeds.map { FeedRecord.storedHealth(of: $0.id, in: snapshot).lastSuccess }
    if let failure = feeds.lazy.compactMap({ failures[$0.id] }).first,
      failures.count == feeds.count, dates.allSatisfy({ $0 == nil })
    {
      throw failure
    }
    // What several feeds have is one item: that of the first, and hidden when one of them is. Another feed
    // may have brought it after it was hidden.
    var places: [NewsItem.ID: Int] = [:]
    var stored: [FeedRecord.StoredItem] = []
    for item in feeds.flatMap({ FeedRecord.storedItems(of: $0.id, in: snapshot) }) {
      if let place = places[item.news.id] {
        stored[place].isHidden = stored[place].isHidden || item.isHidden
      } else {
        places[item.news.id] = stored.count
        stored.append(item)
      }
    }
    stored.sort(by: FeedRecord.isNewer)
    let known = dates.compactMap { $0 }
    return CityPage(
      stored.compactMap(make), date: known.count == dates.count ? known.min() : nil,
      asOf: clock.now, failures: failures)
  }

  private static func merged(
    _ visits: [CityFeed.ID: Result<FeedVisit, FieldError>], at date: Date
  ) throws -> RefreshReport {
    var report = RefreshReport(outcome: .notModified, date: date)
    var failures: [FieldError] = []
    for (id, visit) in visits.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      switch visit {
      case .success(let visit):
        report.add(visit.report)
        if let fault = visit.fault {
          report.notices.append(RefreshReport.Notice(.feedFailed, "\(id): \(fault.message)"))
        }
      case .failure(let failure):
        failures.append(failure)
        report.notices.append(RefreshReport.Notice(.feedFailed, "\(id): \(failure.message)"))
      }
    }
    if let first = failures.first, failures.count == visits.count { throw first }
    return report
  }
}

extension FeedRecord {
  /// Newest first; of one day or second, what came later first, and what came together in the feed's order.
  static func isNewer(_ left: StoredItem, _ right: StoredItem) -> Bool {
    if left.date != right.date { return left.date > right.date }
    if left.firstSeen != right.firstSeen { return left.firstSeen > right.firstSeen }
    return left.place < right.place
  }
}

extension RefreshReport.Notice.Code {
  /// A feed could not be read, or not to its end; others could.
  public static var feedFailed: Self { Self(rawValue: "civic.feedFailed") }
}

extension RefreshReport {
  /// Adds what was done with another feed.
  fileprivate mutating func add(_ other: RefreshReport) {
    addCounts(of: other)
    origin = origin ?? other.origin
    if other.outcome == .updated || outcome == .notModified { outcome = other.outcome }
  }
}
