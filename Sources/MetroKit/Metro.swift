public import FieldCore
public import FieldFoundation

/// Taipei's metro: which trains enter which stations just now, how old that is, and how to get there.
///
/// ```swift
/// let metro = Metro(storage: .directory(folder), transport: URLSessionTransport())
/// try await metro.refresh()
/// let board = try await metro.board()
/// for arrival in board.arrivals(at: "台北車站", freshOnly: true) { print(arrival.destinationName) }
/// ```
///
/// A metro is made without waiting and opens at its first use, once for all callers. A refresh is
/// always due: whoever asks for one gets one, and calls at the same time share it. A refresh that fails
/// leaves the last board as it was; ``ArrivalBoard/age`` tells how old it is, and
/// ``ArrivalBoard/lastFailure`` what went wrong. Both the board and its age survive a restart.
public final class Metro: Sendable {
  /// What station names are looked up in.
  public let network: MetroNetwork

  private let source: any ArrivalSource
  private let repository: any ArrivalRepository
  private let clock: any FieldClock
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
      source: source, repository: StoredArrivals(storage: storage), clock: clock,
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
    self.source = source
    self.repository = repository
    self.clock = clock
    self.network = network
    refresher = MetroRefresher(
      source: source, repository: repository, clock: clock, staleness: staleness, network: network)
    poller = MetroPoller(refresher: refresher, clock: clock, policy: polling, random: random)
  }

  /// What the data is and whom to name beside it.
  public var dataSource: DataSource { source.dataSource }

  // MARK: Opening and closing

  /// Opens the store now, to learn early whether that works; every other call does it by itself.
  ///
  /// - Returns: What was found: whether something had to be cut off, and where it was saved.
  @discardableResult
  public func open() async throws -> OpeningReport {
    try await FieldError.wrapping("the metro's store cannot be opened") {
      try await repository.open()
    }
  }

  /// Ends the use: polling and a refresh in flight are cancelled, and the store is closed.
  public func close() async throws {
    poller.close()
    refresher.close()
    try await FieldError.wrapping("the metro's store cannot be closed") {
      try await repository.close()
    }
  }

  /// Forgets the last board; a refresh in flight fails with the code `conflict` and stores nothing.
  public func eraseAll() async throws {
    try await FieldError.wrapping("the last board cannot be erased") {
      try await refresher.eraseAll()
    }
  }

  // MARK: Refreshing

  /// Gets a new board, whenever it is called, and stores it in place of the last one.
  ///
  /// There is no shortest interval: a pull always asks, and `.ifDue` means the same as `.now`. Calls at
  /// the same time share one run. A failed refresh leaves the last board and its age as they were.
  ///
  /// - Returns: What has been done: the rows that are new, changed and gone against the last board.
  /// - Throws: `FieldError` when the source cannot be read, or gives what is no board, such as a web
  ///   page, half an array or no rows at all, or when the store cannot be written;
  ///   `CancellationError` when the task is cancelled.
  @discardableResult
  public func refresh(_ when: RefreshTrigger = .ifDue) async throws -> RefreshReport {
    try await refresher.refresh()
  }

  /// The steps of all refreshes from now on, those of polling included, for a progress bar: it starts
  /// none.
  ///
  /// The last step of each refresh has an outcome. The sequence ends when the metro is closed.
  public func refreshes() -> RefreshSteps {
    refresher.steps()
  }

  /// When the next refresh is due, which is always now.
  public var nextRefreshDate: Date { clock.now }

  /// When the source last gave or confirmed the board; nil when it never has.
  public var lastRefresh: Date? {
    get async throws { try await refresher.board().fetchedAt }
  }

  // MARK: Reading

  /// The last board, judged now; an empty one, without a date, when there has never been any.
  @concurrent
  public func board() async throws -> ArrivalBoard {
    try await refresher.board()
  }

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
