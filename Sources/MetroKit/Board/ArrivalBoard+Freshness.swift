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
