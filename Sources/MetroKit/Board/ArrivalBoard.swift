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

// MARK: - Finding

extension ArrivalBoard {
  /// Returns the rows of a station, in source order.
  ///
  /// ```swift
  /// let board = try await metro.board()
  /// print(board.arrivals(at: "Taipei Main Station", freshOnly: true))
  /// ```
  ///
  /// - Parameters:
  ///   - station: The station in any spelling that ``MetroNetwork/station(named:)`` accepts:
  ///     `台北車站`, `臺北車站`, `淡水` or `淡水站`, `Taipei Main Station`, `R10`. A name that isn't in the
  ///     network matches the rows with that name.
  ///   - freshOnly: Pass `true` to return only ``fresh`` rows. Defaults to `false`.
  public func arrivals(at station: some StringProtocol, freshOnly: Bool = false) -> [Arrival] {
    let place = Place(String(station), in: network)
    let rows = freshOnly ? fresh : arrivals
    return rows.filter { place.matches($0.station, named: $0.stationName) }
  }

  /// Returns the rows of trains to a station, in source order.
  ///
  /// ```swift
  /// show(board.arrivals(to: "淡水", freshOnly: true).map(\.stationName))
  /// ```
  ///
  /// - Parameters:
  ///   - destination: The station in any spelling, as in ``arrivals(at:freshOnly:)``.
  ///   - freshOnly: Pass `true` to return only ``fresh`` rows. Defaults to `false`.
  public func arrivals(to destination: some StringProtocol, freshOnly: Bool = false) -> [Arrival] {
    let place = Place(String(destination), in: network)
    let rows = freshOnly ? fresh : arrivals
    return rows.filter { place.matches($0.destination, named: $0.destinationName) }
  }

  /// Returns the rows of a line, in source order, skipping rows without a known line.
  ///
  /// ```swift
  /// show(board.arrivals(on: .bannan, freshOnly: true).count)
  /// ```
  ///
  /// - Parameters:
  ///   - line: The line, such as `BL`.
  ///   - freshOnly: Pass `true` to return only ``fresh`` rows. Defaults to `false`.
  public func arrivals(on line: MetroLine.ID, freshOnly: Bool = false) -> [Arrival] {
    (freshOnly ? fresh : arrivals).filter { $0.line == line }
  }

  /// The names on the board that aren't in the network, each once, in source order.
  ///
  /// ```swift
  /// if !board.unresolvedNames.isEmpty { print("unknown stations:", board.unresolvedNames) }
  /// ```
  public var unresolvedNames: [String] { arrivals.unknownNames }
}

/// A station as typed or written: one in the network, or a name that only rows may contain.
struct Place {
  private let station: MetroStation.ID?
  private let name: String

  init(_ text: String, in network: MetroNetwork) {
    station = network.station(named: text)?.id
    name = TextFolding.fold(text)
  }

  func matches(_ id: MetroStation.ID?, named rowName: String) -> Bool {
    if let station, let id { return station == id }
    guard !name.isEmpty else { return false }
    let rowName = TextFolding.fold(rowName)
    // A trailing 站 is dropped only from names that aren't in the network: 台北車站 without it, 台北車, is
    // not a station.
    return id == nil
      ? Self.withoutEnding(name) == Self.withoutEnding(rowName) : name == rowName
  }

  private static func withoutEnding(_ name: String) -> Substring {
    name.count > 1 && name.hasSuffix("站") ? name.dropLast() : name[...]
  }
}

// MARK: - Grouping

extension ArrivalBoard {
  /// The rows grouped by the trains' current station; groups and rows are in source order.
  ///
  /// ```swift
  /// for group in board.byStation { show(group.name, group.arrivals.count) }
  /// ```
  public var byStation: [ArrivalGroup<MetroStation.ID>] { grouped { ($0.station, $0.stationName) } }

  /// The rows grouped by destination; groups and rows are in source order.
  ///
  /// ```swift
  /// for group in board.byDestination { show(group.name, group.arrivals.count) }
  /// ```
  public var byDestination: [ArrivalGroup<MetroStation.ID>] {
    grouped { ($0.destination, $0.destinationName) }
  }

  /// The rows grouped by line; groups and rows are in source order.
  ///
  /// Rows without a known line form a group without a key and with an empty name.
  ///
  /// ```swift
  /// for group in board.byLine { show(group.key?.rawValue ?? "?", group.arrivals.count) }
  /// ```
  public var byLine: [ArrivalGroup<MetroLine.ID>] { grouped { ($0.line, "") } }

  private func grouped<Key>(
    by key: (Arrival) -> (Key?, String)
  ) -> [ArrivalGroup<Key>] where Key: RawRepresentable<String> {
    var groups: [ArrivalGroup<Key>] = []
    var places: [String: Int] = [:]
    for arrival in arrivals {
      let (key, raw) = key(arrival)
      // A name that only the feed contains mustn't be mistaken for a key of the network.
      let name = key.map(\.rawValue) ?? raw
      let place = key == nil ? "?\(raw)" : name
      if let index = places[place] {
        groups[index].arrivals.append(arrival)
      } else {
        places[place] = groups.count
        groups.append(ArrivalGroup(key: key, name: name, arrivals: [arrival]))
      }
    }
    return groups
  }
}

// MARK: - Alerts

extension ArrivalBoard {
  /// Returns the alerts that concern a station: those of the station, those of its lines, and those
  /// of the whole network, in source order.
  ///
  /// All alerts are in ``alerts``.
  ///
  /// ```swift
  /// for alert in board.alerts(at: "台北車站") { show(alert.title, alert.text ?? "") }
  /// ```
  ///
  /// - Parameter station: The station in any spelling, as in ``arrivals(at:freshOnly:)``.
  public func alerts(at station: some StringProtocol) -> [MetroAlert] {
    guard let alerts else { return [] }
    let place = Place(String(station), in: network)
    let known = network.station(named: String(station))
    return alerts.alerts.filter { alert in
      alert.isOfWholeNetwork || alert.stations.contains { $0 == known?.id }
        || alert.stationNames.contains { place.matches(nil, named: $0) }
        || (known?.stops ?? []).contains { alert.lines.contains($0.line) }
    }
  }

  /// The time since the alerts arrived, at ``asOf``; `nil` if there have never been any.
  ///
  /// ```swift
  /// if let age = board.alertsAge, age > .seconds(600) { show("The alerts may be outdated.") }
  /// ```
  public var alertsAge: Duration? {
    alerts?.fetchedAt.map { max(.zero, Self.time(from: $0, to: asOf)) }
  }
}
