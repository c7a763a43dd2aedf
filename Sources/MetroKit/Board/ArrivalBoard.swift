public import FieldCore
public import FieldFoundation

/// A snapshot of one response of the feed: its arrivals, in source order, and their age.
///
/// ```swift
/// let board = try await metro.board()
/// for arrival in board.arrivals(at: "台北車站") { print(arrival.destinationName) }
/// print(board.fresh.count, board.stale.count, board.lastFailure as Any)
/// ```
///
/// ### Fresh, stale, and undated rows
///
/// According to ``policy``, every row is exactly one of the three at ``asOf``:
/// - ``fresh``: worth showing.
/// - ``stale``: too old, frozen between boards, or too far ahead of the clock.
/// - ``undated``: without a readable time. Such a row isn't called fresh because its age is
///   unknown, and it isn't hidden among the stale ones because nothing shows that it is wrong.
///
/// ``arrivals`` contains them all. A board that is an hour old has no fresh rows; call
/// ``evaluatingFreshness(at:)`` to see how a board looks later.
public struct ArrivalBoard: Sendable, CustomStringConvertible {
  /// All usable rows, in source order.
  public let arrivals: [Arrival]
  /// The rows that couldn't be used.
  public let failures: [RowFailure]
  /// The date when the response arrived, by the device's clock; `nil` if there has never been one.
  public let fetchedAt: Date?
  /// The date of the response, by the server's clock; `nil` if the response doesn't give one.
  public let serverDate: Date?
  /// The URL that answered, after redirects.
  public let origin: URL?
  /// The validators for later requests, keyed by exact URL.
  public let validators: [String: HTTPValidators]

  /// The moment to which the verdicts on the rows apply, by the device's clock.
  public internal(set) var asOf: Date
  /// The policy that decides which rows are fresh.
  public var policy = StalenessPolicy()
  /// The network in which station names are looked up.
  public var network = MetroNetwork.taipei
  /// The error of the last attempt to fetch a newer board; `nil` if it succeeded.
  ///
  /// The error belongs to this process and isn't stored with the board.
  ///
  /// ```swift
  /// if let error = board.lastFailure {
  ///   show(error.localized(in: .english).errorDescription ?? error.message)
  /// }
  /// ```
  public internal(set) var lastFailure: FieldError?
  /// The last alerts, with the date when they arrived; `nil` if the metro has no source of alerts, or
  /// has never received any.
  ///
  /// Alerts are stored and fail separately from the arrivals, and outlive a failed refresh.
  ///
  /// ```swift
  /// for alert in board.alerts?.alerts ?? [] { show(alert.title) }
  /// ```
  public internal(set) var alerts: MetroAlerts?
  /// The error of the last attempt to fetch newer alerts; `nil` if it succeeded.
  ///
  /// Like ``lastFailure``, the error belongs to this process.
  public internal(set) var alertsFailure: FieldError?
  /// The metro's timetable, with the date when it was confirmed; `nil` if the metro has no source of timetables, or has never
  /// received any.
  ///
  /// It is stored and fails separately from the arrivals. ``departures(at:limit:)`` has its trains beside the live ones.
  public internal(set) var timetable: MetroTimetable?
  /// The error of the last attempt to fetch a newer timetable; `nil` if it succeeded.
  ///
  /// Like ``lastFailure``, the error belongs to this process.
  public internal(set) var timetableFailure: FieldError?
  /// The changes since the previous board; `nil` unless the board is from ``Metro/boards(every:)``
  /// and isn't the first.
  ///
  /// ```swift
  /// for train in board.changes?.arrived ?? [] { show(train.stationName) }
  /// ```
  public internal(set) var changes: ArrivalChanges?

  /// The damaged parts that opening cut off, until a refresh or `open()` has reported them.
  public internal(set) var damage: [OpeningReport.Cut] = []

  /// The reader of the rows. Only the same reader uses the validators, because another may find
  /// more.
  let readBy: String
  /// The dates since when each row has had its current time, by the device's clock, in the order of
  /// `arrivals`.
  let standingSince: [Date]

  /// A Boolean value that indicates whether the board has no rows.
  public var isEmpty: Bool { arrivals.isEmpty }

  /// A description with the numbers of arrivals and of fresh ones.
  public var description: String { "\(arrivals.count) arrivals, \(fresh.count) fresh" }
}

extension ArrivalBoard {
  /// Creates a board of rows that have just arrived, each seen for the first time.
  ///
  /// - Parameters:
  ///   - arrivals: The rows, in source order.
  ///   - fetchedAt: The date when they arrived, by the device's clock.
  ///   - serverDate: The same date by the server's clock.
  ///   - origin: The URL that answered.
  ///   - failures: The rows that couldn't be used.
  ///   - validators: The validators for later requests.
  ///   - policy: The policy that decides which rows are fresh.
  ///   - network: The network in which station names are looked up.
  ///   - asOf: The moment at which to evaluate the rows. Defaults to `fetchedAt`.
  ///   - lastFailure: The error of a later attempt to fetch a newer board.
  ///   - alerts: The alerts to show with the board.
  ///   - alertsFailure: The error of a later attempt to fetch newer alerts.
  ///   - timetable: The timetable to show with the board.
  ///   - timetableFailure: The error of a later attempt to fetch a newer timetable.
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
    lastFailure: FieldError? = nil,
    alerts: MetroAlerts? = nil,
    alertsFailure: FieldError? = nil,
    timetable: MetroTimetable? = nil,
    timetableFailure: FieldError? = nil
  ) {
    self.init(
      arrivals: arrivals, failures: failures, fetchedAt: fetchedAt, serverDate: serverDate,
      origin: origin, validators: validators, asOf: asOf ?? fetchedAt, policy: policy,
      network: network, lastFailure: lastFailure, alerts: alerts, alertsFailure: alertsFailure,
      readBy: Self.reader(network),
      standingSince: Array(repeating: fetchedAt, count: arrivals.count))
    self.timetable = timetable
    self.timetableFailure = timetableFailure
  }

  /// Returns the board of a metro that has never received a response.
  public static func empty(
    asOf date: Date, policy: StalenessPolicy = StalenessPolicy(), network: MetroNetwork = .taipei
  ) -> ArrivalBoard {
    ArrivalBoard(
      arrivals: [], failures: [], fetchedAt: nil, serverDate: nil, origin: nil, validators: [:],
      asOf: date, policy: policy, network: network, readBy: Self.reader(network),
      standingSince: [])
  }

  /// Returns a newer board that remembers since when its rows have been frozen on this one.
  ///
  /// A row is frozen if the row with the same ID on this board has the same time.
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
      arrivals: next.arrivals, failures: next.failures, fetchedAt: next.fetchedAt,
      serverDate: next.serverDate, origin: next.origin, validators: next.validators,
      asOf: next.asOf, policy: next.policy, network: next.network, readBy: next.readBy,
      standingSince: since)
  }

  /// Returns this board as confirmed by a source that has nothing newer.
  func confirmed(
    at date: Date, serverDate: Date?, validators: [String: HTTPValidators]
  ) -> ArrivalBoard {
    ArrivalBoard(
      arrivals: arrivals, failures: failures, fetchedAt: date, serverDate: serverDate,
      origin: origin, validators: validators, asOf: date, policy: policy, network: network,
      readBy: readBy, standingSince: standingSince)
  }

  /// The identifier of this version of the reader, with this network.
  static func reader(_ network: MetroNetwork) -> String { "arrivals/1 \(network.version)" }
}
