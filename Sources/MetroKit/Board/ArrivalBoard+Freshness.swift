public import FieldFoundation

extension ArrivalBoard {
  /// The rows that are worth showing, in source order.
  ///
  /// ```swift
  /// for train in board.fresh { show(train.stationName, train.destinationName) }
  /// ```
  public var fresh: [Arrival] { rows { $0 == .fresh } }

  /// The rows that are known to be out of date, in source order.
  ///
  /// ```swift
  /// for ghost in board.stale { show(ghost.stationName, board.age(of: ghost) as Any) }
  /// ```
  public var stale: [Arrival] { rows(where: \.isStale) }

  /// The rows without a readable time, in source order.
  public var undated: [Arrival] { rows { $0 == .undated } }

  /// Returns the policy's verdict on a row at ``asOf``.
  ///
  /// A row that isn't on the board is evaluated by its time alone.
  ///
  /// ```swift
  /// let ghosts = board.arrivals.filter { board.freshness(of: $0) == .frozen }
  /// ```
  public func freshness(of arrival: Arrival) -> ArrivalFreshness {
    let standing = arrivals.firstIndex(of: arrival).map(standing) ?? .zero
    return policy.freshness(age: age(of: arrival), standing: standing)
  }

  /// Returns the age of a row at ``asOf``, negative if its time is in the future.
  ///
  /// ```swift
  /// for train in board.stale { show(train.stationName, board.age(of: train) as Any) }
  /// ```
  ///
  /// Returns `nil` if the row has no readable time.
  public func age(of arrival: Arrival) -> Duration? {
    arrival.updatedAt?.instant.map { Self.time(from: $0, to: sourceNow) }
  }

  /// The time since the response arrived, at ``asOf``; `nil` if there has never been one.
  ///
  /// ```swift
  /// if let age = board.age, age > .seconds(90) { show(MetroTexts.age(of: board).string()) }
  /// ```
  public var age: Duration? { fetchedAt.map { max(.zero, Self.time(from: $0, to: asOf)) } }

  /// The newest of the fresh rows, or of all rows if none is fresh; of equal times, the first row.
  ///
  /// ```swift
  /// if let train = board.newest { show(train.destinationName, board.age(of: train) as Any) }
  /// ```
  public var newest: Arrival? { fresh.newest ?? arrivals.newest }

  /// Returns the board as it looks at another moment, by the device's clock.
  ///
  /// ```swift
  /// let now = board.evaluatingFreshness(at: Date())
  /// show(now.fresh.count, now.stale.count)
  /// ```
  public func evaluatingFreshness(at date: Date) -> ArrivalBoard {
    var board = self
    board.asOf = date
    return board
  }

  /// The time at ``asOf`` by the clock that ages are measured with.
  var sourceNow: Date {
    guard policy.usesServerClock, let serverDate, let fetchedAt else { return asOf }
    return asOf.addingTimeInterval(serverDate.timeIntervalSince(fetchedAt))
  }

  /// The policy's verdict on each row, in the order of the rows.
  var verdicts: [ArrivalFreshness] {
    arrivals.enumerated().map { index, arrival in
      policy.freshness(age: age(of: arrival), standing: standing(index))
    }
  }

  private func rows(where condition: (ArrivalFreshness) -> Bool) -> [Arrival] {
    zip(arrivals, verdicts).filter { condition($0.1) }.map(\.0)
  }

  private func standing(_ index: Int) -> Duration {
    guard let fetchedAt else { return .zero }
    return max(.zero, Self.time(from: standingSince[index], to: fetchedAt))
  }

  /// Returns the time between two dates, rounded to milliseconds, the resolution of the feeds.
  ///
  /// A current `Date` is off by some ten-millionths of a second, so without rounding, a row of
  /// 11:39:30.953 would be older than 90 seconds at 11:41:00.953, even though the policy's limits
  /// are inclusive.
  static func time(from start: Date, to end: Date) -> Duration {
    .milliseconds(Int64(limiting: end.timeIntervalSince(start) * 1000))
  }
}

/// The verdict of a ``StalenessPolicy`` on a row.
public struct ArrivalFreshness: RawRepresentable, Sendable, Hashable, Codable,
  CustomStringConvertible
{
  /// The name of the verdict.
  public var rawValue: String
  /// Creates a verdict from its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The name of the verdict.
  public var description: String { rawValue }

  /// The row is recent enough to be shown.
  public static var fresh: Self { Self(rawValue: "fresh") }
  /// The row is too old.
  public static var old: Self { Self(rawValue: "old") }
  /// The row's time is the same on boards that are far apart: the feed has stopped there.
  public static var frozen: Self { Self(rawValue: "frozen") }
  /// The row's time is too far ahead of the clock for something that has happened.
  public static var ahead: Self { Self(rawValue: "ahead") }
  /// The row has no readable time, so its age is unknown.
  public static var undated: Self { Self(rawValue: "undated") }

  /// A Boolean value that indicates whether the row is out of date: neither fresh nor undated.
  public var isStale: Bool { self != .fresh && self != .undated }
}

// MARK: - Ageing

extension ArrivalBoard {
  /// Returns the time until a train is expected, at ``asOf``, zero or negative once it has arrived.
  ///
  /// Returns `nil` if the row has no readable time, or if its countdown gives none.
  ///
  /// ```swift
  /// if let train = board.fresh.first, let time = board.remaining(of: train), time > .zero {
  ///   show(time.components.seconds / 60)
  /// }
  /// ```
  public func remaining(of arrival: Arrival) -> Duration? {
    arrival.expectedAt.map { Self.time(from: sourceNow, to: $0) }
  }

  /// The next date, by the device's clock, at which time alone changes the board; `nil` if it never
  /// does.
  ///
  /// The verdict on a row changes, or the time until a train is expected is down to another full minute
  /// or to zero. With a ``timetable``, the board also changes at every full minute, when trains leave.
  /// ``Metro/updates()`` yields the board then.
  ///
  /// ```swift
  /// if let date = board.nextChange { show(board.evaluatingFreshness(at: date).fresh.count) }
  /// ```
  public var nextChange: Date? {
    timeUntilChange.map { asOf.addingTimeInterval($0 / .seconds(1)) }
  }

  /// The time from ``asOf`` to the next change, at least one millisecond.
  var timeUntilChange: Duration? {
    let step = Duration.milliseconds(1)
    var next: Duration?
    func consider(_ time: Duration) {
      if time >= step { next = min(next ?? time, time) }
    }
    if timetable != nil {
      let now = Int64(limiting: sourceNow.timeIntervalSince1970 * 1000)
      consider(.milliseconds(60_000 - ((now % 60_000) + 60_000) % 60_000))
    }
    for (arrival, verdict) in zip(arrivals, verdicts) {
      guard let age = age(of: arrival) else { continue }
      switch verdict {
      case .ahead: consider(.zero - policy.maximumLead - age)
      case .fresh: consider(policy.maximumAge - age + step)
      default: break  // Only another board changes it.
      }
      guard arrival.countdown != nil, !verdict.isStale, let left = remaining(of: arrival),
        left > .zero
      else { continue }
      // The last full minute below: 61 seconds have one left, and so have 120.
      let seconds = (left - step).components.seconds
      consider(left - .seconds(seconds - seconds % 60))
    }
    return next
  }
}
