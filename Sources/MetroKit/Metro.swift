public import FieldCore
internal import FieldFoundation
internal import FieldPortals

/// Taipei's metro: the trains now entering stations, the age of that information, and routes.
///
/// ```swift
/// let metro = Metro(storage: .directory(folder), transport: URLSessionTransport())
/// try await metro.refresh()
/// let board = try await metro.board()
/// for arrival in board.arrivals(at: "台北車站", freshOnly: true) { print(arrival.destinationName) }
/// ```
///
/// Creating a metro does no I/O; it opens on first use, once for all callers. Arrivals are fetched on
/// every visit, so `.ifDue` and `.now` are equivalent and share a run. They aren't scheduled, not even
/// after a failure: without a timetable, ``nextRefreshDate`` is `nil`, and a refresh with `.scheduled`
/// sends no request. If a refresh fails, the metro keeps
/// the last board; check ``ArrivalBoard/age`` to see how old it is, and
/// ``ArrivalBoard/lastFailure`` to see what went wrong. Both the board and its age survive a
/// restart.
///
/// Pass a source of alerts, such as ``TDXAlerts``, to see them on each board. They are fetched after
/// the arrivals, in the same refresh. If only the alerts fail, the refresh succeeds and its report has
/// a notice, and ``ArrivalBoard/alertsFailure`` contains the error; if only the arrivals fail, the new
/// alerts are stored. A refresh waits at most four seconds for alerts; later ones are stored and shown
/// when they arrive.
///
/// Pass a source of timetables, such as ``TDXTimetable``, for ``timetable()`` and for
/// ``ArrivalBoard/departures(at:limit:)``, which has the timetable's trains where there are no live ones. It
/// is due once a day, after arrivals and alerts, and ``nextRefreshDate`` is its next date; `.now` fetches it,
/// too. A refresh waits for it, and a poll for at most four seconds. If only the timetable fails, the refresh
/// succeeds and its report has a notice, the old timetable stays, and ``ArrivalBoard/timetableFailure``
/// contains the error.
///
/// ``board()`` is the metro's view: an immutable snapshot that you can query synchronously.
public final class Metro: EngineKit, LiveKit {
  /// The network in which station names are looked up.
  public let network: MetroNetwork

  /// The engine that opens, refreshes, erases, and closes the metro.
  public let engine: KitEngine
  private let refresher: MetroRefresher
  private let timetables: TimetableRefresher?
  private let poller: MetroPoller

  /// Creates a metro that reads from your own source, which is used without decorators.
  ///
  /// - Parameters:
  ///   - source: The source of the boards.
  ///   - alerts: The source of the alerts that boards contain, such as ``TDXAlerts`` or one of your own,
  ///     whose batch has one record. Alerts that take longer than four seconds are stored when they
  ///     arrive, and the refresh ends without them. Defaults to `nil`: boards have none.
  ///   - timetable: The source of the timetable, such as ``TDXTimetable`` or one of your own, whose batch has one record.
  ///     Defaults to `nil`: there is none.
  ///   - storage: The storage for the last board, the last alerts, and the timetable.
  ///   - clock: The clock to use. Defaults to `.system`.
  ///   - staleness: The policy that decides which rows are fresh.
  ///   - polling: The policy for polling in ``boards(every:)``.
  ///   - network: The network in which station names are looked up. Defaults to `.taipei`.
  ///   - random: A closure that returns a number from 0 through 1, for the jitter of polling.
  public convenience init(
    source: any RecordSource<Arrival>,
    alerts: (any RecordSource<MetroAlerts>)? = nil,
    timetable: (any RecordSource<MetroTimetable>)? = nil,
    storage: Storage,
    clock: any FieldClock = .system,
    staleness: StalenessPolicy = StalenessPolicy(),
    polling: PollingPolicy = PollingPolicy(),
    network: MetroNetwork = .taipei,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.init(
      source: source, repository: storage.store("metro"), alerts: alerts,
      alertRepository: alerts.map { _ in storage.store("metro-alerts") }, timetable: timetable,
      timetableRepository: timetable.map { _ in storage.store("metro-timetable") }, clock: clock,
      staleness: staleness, polling: polling, network: network, random: random)
  }

  /// Creates a metro from your own source and repository, which are used without decorators.
  ///
  /// - Parameters:
  ///   - source: The source of the boards.
  ///   - repository: The store for the last board.
  ///   - alerts: The source of the alerts that boards contain. Defaults to `nil`: boards have none.
  ///   - alertRepository: The store for the last alerts. Defaults to `nil`: they are kept in memory.
  ///   - timetable: The source of the timetable. Defaults to `nil`: there is none.
  ///   - timetableRepository: The store for the timetable. Defaults to `nil`: it is kept in memory.
  ///   - clock: The clock to use. Defaults to `.system`.
  ///   - staleness: The policy that decides which rows are fresh.
  ///   - polling: The policy for polling in ``boards(every:)``.
  ///   - network: The network in which station names are looked up. Defaults to `.taipei`.
  ///   - random: A closure that returns a number from 0 through 1, for the jitter of polling.
  public init(
    source: any RecordSource<Arrival>,
    repository: any ArrivalRepository,
    alerts: (any RecordSource<MetroAlerts>)? = nil,
    alertRepository: (any AlertRepository)? = nil,
    timetable: (any RecordSource<MetroTimetable>)? = nil,
    timetableRepository: (any TimetableRepository)? = nil,
    clock: any FieldClock = .system,
    staleness: StalenessPolicy = StalenessPolicy(),
    polling: PollingPolicy = PollingPolicy(),
    network: MetroNetwork = .taipei,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.network = network
    var stores: [any RecordStore] = [repository]
    var alertRefresher: AlertRefresher?
    if let alerts {
      let store = alertRepository ?? Storage.inMemory.store("metro-alerts")
      stores.append(store)
      alertRefresher = AlertRefresher(source: alerts, store: store, clock: clock)
    }
    var timetableRefresher: TimetableRefresher?
    if let timetable {
      let store = timetableRepository ?? Storage.inMemory.store("metro-timetable")
      stores.append(store)
      timetableRefresher = TimetableRefresher(
        source: timetable, store: store, clock: clock, network: network)
    }
    timetables = timetableRefresher
    let refresher = MetroRefresher(
      source: source, store: repository, clock: clock, staleness: staleness, network: network,
      alerts: alertRefresher, timetables: timetableRefresher)
    self.refresher = refresher
    var hooks = KitEngine.Hooks()
    hooks.erase = { [alertRefresher, timetableRefresher] in
      try await repository.eraseAll()
      try await alertRefresher?.eraseAll()
      try await timetableRefresher?.eraseAll()
      await refresher.erased()
    }
    hooks.failedToOpen = { await refresher.note($0) }
    hooks.closing = { [alertRefresher, timetableRefresher] in
      alertRefresher?.abandon()
      timetableRefresher?.abandon()
    }
    engine = KitEngine(
      "metro",
      dataSources: [source.dataSource, alerts?.dataSource, timetable?.dataSource]
        .compactMap(\.self).uniqued(),
      stores: stores, clock: clock, parts: refresher.parts, hooks: hooks)
    poller = MetroPoller(
      refresher: refresher, engine: engine, clock: clock, policy: polling, random: random)
  }

  /// Closes the metro: cancels polling, a refresh in flight, and late alerts, and closes the stores.
  public func close() async throws {
    poller.close()
    refresher.boards.close()
    try await engine.close()
  }

  // MARK: Reading

  /// Returns the last board, evaluated now, or an empty one without a date if there has never been
  /// any.
  ///
  /// ```swift
  /// let board = try await metro.board()
  /// for arrival in board.arrivals(at: "台北車站") { print(arrival, board.freshness(of: arrival)) }
  /// ```
  @concurrent
  public func board() async throws -> ArrivalBoard {
    try await engine.openIfNeeded()
    return poller.current(try await refresher.board())
  }

  /// Returns the stored timetable, or `nil` if the metro has no source of timetables, or has never received any.
  ///
  /// ```swift
  /// if let timetable = try await metro.timetable() {
  ///   let today = timetable.timetable.day(of: .now)
  ///   for train in try timetable.trainTimes(at: "動物園", on: today) { print(train.first, train.last) }
  /// }
  /// ```
  @concurrent
  public func timetable() async throws -> MetroTimetable? {
    try await engine.openIfNeeded()
    return try await FieldError.wrapping(
      "The timetable can't be read.", operation: "metro.timetable"
    ) { try await timetables?.timetable() }
  }

  /// Returns the stored board, each new one, and the newest again when time changes it, without
  /// fetching; see ``boards(every:)`` for polling.
  ///
  /// A row that becomes stale, or a countdown that is down to another full minute or to zero, yields the
  /// board at ``ArrivalBoard/nextChange``, without changes but evaluated again, so that a view needs no
  /// timer. The metro sleeps until then; nothing runs if nothing on the board can change.
  ///
  /// ```swift
  /// for await board in metro.updates() { print(board.fresh.count, "trains") }
  /// ```
  public func updates() -> MetroBoards { MetroBoards(poller: poller, interval: nil) }

  /// Returns the result of a query of the board, and then each result that differs from the one before,
  /// without fetching.
  ///
  /// The query reads each board of ``updates()``, so a result also changes when only time does: a train leaves the fresh
  /// ones when it is stale. Boards on which the result is the same yield nothing.
  ///
  /// ```swift
  /// for try await trains in metro.updates(of: { $0.arrivals(at: "台北車站", freshOnly: true) }) {
  ///   print(trains.map(\.destinationName))
  /// }
  /// ```
  ///
  /// Slow consumers skip intermediate results, but never miss the latest. If there has never been a board, the first
  /// result is that of the first board. The sequence ends when its task is canceled or the metro is closed, and throws
  /// what the query throws, or `FieldError` if the store can't be opened.
  ///
  /// - Parameter query: A closure that queries a board. It doesn't run on the actor of the caller.
  public func updates<Value: Equatable & Sendable>(
    of query: @escaping @Sendable (ArrivalBoard) async throws -> Value
  ) -> FieldSequence<Value, any Error> {
    FieldSequence(following: { [self] in
      // The boards themselves never fail.
      try await engine.openIfNeeded()
      return updates()
    }).results(of: query)
  }

  /// Returns the stored board, if any, one board after each poll, and the newest again when time
  /// changes it.
  ///
  /// - The first listener starts a poll immediately, or as soon as
  ///   ``PollingPolicy/shortestInterval`` has passed since the last one. After that, the source is
  ///   polled every `interval`, plus some jitter; see ``PollingPolicy``.
  /// - All listeners share the polls, at the shortest interval that any of them requests, and
  ///   receive every new board, including those of ``refresh(_:)``. Polling stops when the last
  ///   listener leaves.
  /// - If a poll fails, the sequence yields the last board again, with its
  ///   ``ArrivalBoard/lastFailure``. The delays then grow, and the sequence continues.
  /// - Between polls, and while a source doesn't answer, rows age: the sequence yields the board
  ///   again at ``ArrivalBoard/nextChange``, without a request, as ``updates()`` does.
  /// - Each board except the first has its ``ArrivalBoard/changes``.
  /// - The sequence ends as soon as its task is canceled or the metro is closed.
  ///
  /// ```swift
  /// for await board in metro.boards(every: .seconds(15)) {
  ///   print(board.fresh.count, board.stale.count, board.lastFailure as Any)
  /// }
  /// ```
  ///
  /// - Parameter interval: The time between polls. The feed changes about every 15 to 30 seconds.
  public func boards(every interval: Duration) -> MetroBoards {
    MetroBoards(poller: poller, interval: interval)
  }

  // MARK: The guessing game

  /// Returns the verdict on a guess at a train's destination, with the localized strings to show.
  ///
  /// ```swift
  /// if let arrival = try await metro.board().fresh.first {
  ///   print(metro.check(guess: "淡水", for: arrival).isRight)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - guess: A station in any spelling: `淡水`, `淡水站`, `Tamsui`, `R28`.
  ///   - arrival: The train.
  public func check(guess: String, for arrival: Arrival) -> MetroGuess {
    MetroGuess(guess, for: arrival, in: network)
  }

  /// Returns the name of a train's destination, to reveal after a guess.
  ///
  /// The name is the network's, or the row's own if the network doesn't contain the station.
  /// Returns `nil` if the row has none.
  ///
  /// ```swift
  /// if let arrival = try await metro.board().fresh.first {
  ///   print(metro.destination(of: arrival) ?? "unknown")
  /// }
  /// ```
  public func destination(of arrival: Arrival) -> String? {
    if let id = arrival.destination, let station = network.station(id) { return station.name }
    return arrival.destinationName.isEmpty ? nil : arrival.destinationName
  }
}

// MARK: - Feed

extension Metro {
  /// Creates a metro that reads the current open feed.
  ///
  /// If the feed's file is no longer found, the metro queries the data.taipei dataset it came from.
  ///
  /// - Parameters:
  ///   - alerts: The source of the alerts that boards contain, such as ``TDXAlerts``, which is used
  ///     without decorators. Defaults to `nil`: boards have none.
  ///   - timetable: The source of the timetable, such as ``TDXTimetable``, which is used without decorators. Defaults to `nil`:
  ///     there is none.
  ///   - storage: The storage for the last board, the last alerts, and the timetable.
  ///   - transport: The transport to download with. The metro adds a few quick retries and shared
  ///     requests.
  ///   - clock: The clock to use. Defaults to `.system`.
  ///   - staleness: The policy that decides which rows are fresh.
  ///   - polling: The policy for polling in ``boards(every:)``.
  ///   - network: The network in which station names are looked up. Defaults to `.taipei`.
  public convenience init(
    alerts: (any RecordSource<MetroAlerts>)? = nil,
    timetable: (any RecordSource<MetroTimetable>)? = nil, storage: Storage,
    transport: any Transport,
    clock: any FieldClock = .system,
    staleness: StalenessPolicy = StalenessPolicy(), polling: PollingPolicy = PollingPolicy(),
    network: MetroNetwork = .taipei
  ) {
    // Three attempts within ten seconds: people looking at a board won't wait for two minutes.
    var policy = RetryPolicy.default
    policy.attempts = 3
    policy.maximumDelay = .seconds(2)
    policy.maximumRetryAfter = .seconds(5)
    policy.maximumTotalDelay = .seconds(10)
    let transport = transport.retrying(policy, clock: clock).coalescing()
    self.init(
      source: FallbackFeed(
        MetroStationFeed(transport: transport, network: network),
        OpenDataArrivals(TaipeiOpenData(transport: transport), network: network),
        after: [.notFound]),
      alerts: alerts, timetable: timetable, storage: storage, clock: clock, staleness: staleness,
      polling: polling,
      network: network)
  }
}
