public import FieldCore
internal import FieldFoundation

/// Taipei's metro: which trains enter which stations just now, how old that is, and how to get there.
///
/// ```swift
/// let metro = Metro(storage: .directory(folder), transport: URLSessionTransport())
/// try await metro.refresh()
/// let board = try await metro.board()
/// for arrival in board.arrivals(at: "台北車站", freshOnly: true) { print(arrival.destinationName) }
/// ```
///
/// Creating a metro does no I/O; it opens on first use, once for all callers. A refresh is always due, so
/// `.ifDue` and `.now` mean the same and share a run. If a refresh fails, the metro keeps the last board; check
/// ``ArrivalBoard/age`` to see how old it is, and ``ArrivalBoard/lastFailure`` to see what went wrong. Both
/// the board and its age survive a restart.
///
/// ``board()`` is the metro's view: an immutable snapshot that you can query synchronously.
public final class Metro: EngineKit {
  /// What station names are looked up in.
  public let network: MetroNetwork

  /// What opens, refreshes, erases, and closes the metro.
  public let engine: KitEngine
  private let refresher: MetroRefresher
  private let poller: MetroPoller

  /// Makes a metro of another source; nothing is wrapped around it.
  ///
  /// - Parameters:
  ///   - source: Where boards come from.
  ///   - storage: Where the last board is kept.
  ///   - clock: Where the time comes from.
  ///   - staleness: What decides which rows are fresh.
  ///   - polling: How ``boards(every:)`` asks again and again.
  ///   - network: What station names are looked up in.
  ///   - random: Draws a number from 0 to 1, for the jitter of polling.
  public convenience init(
    source: any ArrivalSource,
    storage: Storage,
    clock: any FieldClock = .system,
    staleness: StalenessPolicy = StalenessPolicy(),
    polling: PollingPolicy = PollingPolicy(),
    network: MetroNetwork = .taipei,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.init(
      source: source, repository: storage.store("metro"), clock: clock,
      staleness: staleness, polling: polling, network: network, random: random)
  }

  /// Makes a metro of another source and another repository; nothing is wrapped around them.
  public init(
    source: any ArrivalSource,
    repository: any ArrivalRepository,
    clock: any FieldClock = .system,
    staleness: StalenessPolicy = StalenessPolicy(),
    polling: PollingPolicy = PollingPolicy(),
    network: MetroNetwork = .taipei,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.network = network
    let refresher = MetroRefresher(
      source: source, store: repository, clock: clock, staleness: staleness, network: network)
    self.refresher = refresher
    var hooks = KitEngine.Hooks()
    hooks.erase = {
      try await repository.eraseAll()
      refresher.erased()
    }
    hooks.failedToOpen = { await refresher.note($0) }
    engine = KitEngine(
      "metro", dataSources: [source.dataSource], stores: [repository], clock: clock,
      parts: [refresher.part], hooks: hooks)
    poller = MetroPoller(
      refresher: refresher, engine: engine, clock: clock, policy: polling, random: random)
  }

  /// Closes the metro: cancels polling and a refresh in flight, and closes the store.
  public func close() async throws {
    poller.close()
    refresher.boards.close()
    try await engine.close()
  }

  // MARK: Reading

  /// The last board, judged now; an empty one, without a date, when there has never been any.
  @concurrent
  public func board() async throws -> ArrivalBoard {
    try await engine.openIfNeeded()
    var board = try await refresher.board()
    board.damage = engine.unreportedCuts
    return board
  }

  /// Returns the stored board, and then each new one. Nothing is fetched; ``boards(every:)`` does that.
  public func updates() -> MetroBoards { MetroBoards(poller: poller, interval: nil) }

  /// Boards as they come: the stored one at once, when there is one, then one after each poll.
  ///
  /// - The first listener's arrival is a pull: the source is asked at once. From then on it is asked
  ///   every `interval`, lengthened a little by chance; see ``PollingPolicy``.
  /// - All listeners share the polls, at the shortest interval that any of them asked for, and get every
  ///   board that comes, those of ``refresh(_:)`` included. When the last one has gone, nobody is asked
  ///   any more.
  /// - A poll that fails gives the last board once more, with ``ArrivalBoard/lastFailure``. The waits
  ///   then grow; the sequence goes on.
  /// - Each board but the first has its ``ArrivalBoard/changes``.
  /// - The sequence ends when its task is cancelled, at once, or when the metro is closed.
  ///
  /// - Parameter interval: The time between polls; the feed has news about every 15 to 30 seconds.
  public func boards(every interval: Duration) -> MetroBoards {
    MetroBoards(poller: poller, interval: interval)
  }

  // MARK: The guessing game

  /// Whether a guess where a train goes is right, and what to say to it.
  ///
  /// - Parameters:
  ///   - guess: A station in any spelling: `淡水`, `淡水站`, `Tamsui`, `R28`.
  ///   - arrival: The train.
  public func check(guess: String, for arrival: Arrival) -> MetroGuess {
    MetroGuess(guess, for: arrival, in: network)
  }

  /// Where a train goes, to be revealed: the network's name of the station, or the row's own when the
  /// network does not have it; nil when the row has none.
  public func destination(of arrival: Arrival) -> String? {
    if let id = arrival.destination, let station = network.station(id) { return station.name }
    return arrival.destinationName.isEmpty ? nil : arrival.destinationName
  }
}
