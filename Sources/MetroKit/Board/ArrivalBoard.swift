public import FieldCore
public import FieldFoundation

/// The arrivals of one answer of the feed, in its order, and how old they are.
///
/// ```swift
/// let board = try await metro.board()
/// for arrival in board.arrivals(at: "台北車站") { print(arrival.destinationName) }
/// print(board.fresh.count, board.stale.count, board.lastFailure as Any)
/// ```
///
/// ### Fresh, stale and undated
///
/// Every row is exactly one of the three, as ``policy`` has it at the moment ``asOf``:
/// - ``fresh``: worth showing;
/// - ``stale``: too old, standing still between boards, or too far ahead of the clock;
/// - ``undated``: without a readable time. Nobody knows how old such a row is, so it is not called fresh,
///   and nothing shows that it is wrong, so it is not hidden among the stale.
///
/// ``arrivals`` has them all. A board that has been lying about for an hour has no fresh rows:
/// ``evaluatingFreshness(at:)`` tells how it looks later.
public struct ArrivalBoard: Sendable, CustomStringConvertible {
  /// All rows that could be used, in the source's order.
  public let arrivals: [Arrival]
  /// The rows that could not be used.
  public let failures: [RowFailure]
  /// When the answer came, by the device's clock; nil when none ever did.
  public let fetchedAt: Date?
  /// What time it was then by the server's clock; nil when the answer does not say.
  public let serverDate: Date?
  /// The address that answered, after redirects.
  public let origin: URL?
  /// What a later answer can be confirmed by, for each exact address.
  public let validators: [String: HTTPValidators]

  /// The moment that the verdicts on the rows are of, by the device's clock.
  public internal(set) var asOf: Date
  /// What decides which rows are fresh.
  public var policy: StalenessPolicy
  /// What station names are looked up in.
  public var network: MetroNetwork
  /// Why the last attempt to get a newer board failed; nil when it did not.
  ///
  /// It is of this process and not stored with the board.
  public internal(set) var lastFailure: FieldError?
  /// What has changed since the board before, when the board was given by ``Metro/boards(every:)`` and
  /// was not the first.
  public internal(set) var changes: ArrivalChanges?

  /// What opening the store cut off, until a refresh or `open()` has reported it.
  public internal(set) var damage: [OpeningReport.Cut] = []

  /// What read the rows: validators are only used by the same reader, since another may see more in them.
  let readBy: String
  /// Since when each row stands with its present time, by the device's clock; in the order of
  /// `arrivals`.
  let standingSince: [Date]

  /// Makes a board of rows that have just come; each is seen for the first time.
  ///
  /// - Parameters:
  ///   - arrivals: The rows, in the source's order.
  ///   - fetchedAt: When they came, by the device's clock.
  ///   - serverDate: What time it was then by the server's clock.
  ///   - origin: The address that answered.
  ///   - failures: The rows that could not be used.
  ///   - validators: What a later answer can be confirmed by.
  ///   - policy: What decides which rows are fresh.
  ///   - network: What station names are looked up in.
  ///   - asOf: The moment to judge the rows at. Defaults to when they came.
  ///   - lastFailure: Why a later attempt to get a newer board failed.
  public init(
    _ arrivals: [Arrival],
    fetchedAt: Date,
    serverDate: Date? = nil,
    origin: URL? = nil,
    failures: [RowFailure] = [],
    validators: [String: HTTPValidators] = [:],
    policy: StalenessPolicy = StalenessPolicy(),
    network: MetroNetwork = .taipei,
    asOf: Date? = nil,
    lastFailure: FieldError? = nil
  ) {
    self.init(
      arrivals: arrivals, standingSince: Array(repeating: fetchedAt, count: arrivals.count),
      failures: failures, fetchedAt: fetchedAt, serverDate: serverDate, origin: origin,
      validators: validators, readBy: Self.reader(network), asOf: asOf ?? fetchedAt,
      policy: policy, network: network)
    self.lastFailure = lastFailure
  }

  /// The board of a metro that has never had an answer.
  public static func empty(
    asOf date: Date, policy: StalenessPolicy = StalenessPolicy(), network: MetroNetwork = .taipei
  ) -> ArrivalBoard {
    ArrivalBoard(
      arrivals: [], standingSince: [], failures: [], fetchedAt: nil, serverDate: nil, origin: nil,
      validators: [:], readBy: Self.reader(network), asOf: date, policy: policy, network: network)
  }

  init(
    arrivals: [Arrival], standingSince: [Date], failures: [RowFailure], fetchedAt: Date?,
    serverDate: Date?, origin: URL?, validators: [String: HTTPValidators], readBy: String,
    asOf: Date,
    policy: StalenessPolicy = StalenessPolicy(), network: MetroNetwork = .taipei
  ) {
    self.arrivals = arrivals
    self.standingSince = standingSince
    self.failures = failures
    self.fetchedAt = fetchedAt
    self.serverDate = serverDate
    self.origin = origin
    self.validators = validators
    self.readBy = readBy
    self.asOf = asOf
    self.policy = policy
    self.network = network
  }

  /// Whether there are no rows.
  public var isEmpty: Bool { arrivals.isEmpty }

  /// The numbers of arrivals and fresh ones.
  public var description: String { "\(arrivals.count) arrivals, \(fresh.count) fresh" }
}

extension ArrivalBoard {
  /// The board of newer rows, which remembers since when rows have been standing on this one.
  ///
  /// A row stands when the one of the same id on this board has the same time.
  public func followed(by next: ArrivalBoard) -> ArrivalBoard {
    var earlier: [Arrival.ID: (time: FeedTime?, since: Date)] = [:]
    for (arrival, since) in zip(arrivals, standingSince) {
      earlier[arrival.id] = (arrival.updatedAt, since)
    }
    let since = zip(next.arrivals, next.standingSince).map { arrival, since in
      guard let before = earlier[arrival.id], before.time == arrival.updatedAt else { return since }
      return min(before.since, since)
    }
    return ArrivalBoard(
      arrivals: next.arrivals, standingSince: since, failures: next.failures,
      fetchedAt: next.fetchedAt, serverDate: next.serverDate, origin: next.origin,
      validators: next.validators, readBy: next.readBy, asOf: next.asOf, policy: next.policy,
      network: next.network)
  }

  /// This board, confirmed by a source that has nothing newer.
  func confirmed(
    at date: Date, serverDate: Date?, validators: [String: HTTPValidators]
  ) -> ArrivalBoard {
    ArrivalBoard(
      arrivals: arrivals, standingSince: standingSince, failures: failures, fetchedAt: date,
      serverDate: serverDate, origin: origin, validators: validators, readBy: readBy, asOf: date,
      policy: policy, network: network)
  }

  /// The mark of this version of the reader, over this network.
  static func reader(_ network: MetroNetwork) -> String { "arrivals/1 \(network.version)" }
}
