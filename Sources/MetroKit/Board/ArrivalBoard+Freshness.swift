public import FieldFoundation

extension ArrivalBoard {
  /// The rows that are worth showing, in the source's order.
  public var fresh: [Arrival] { rows { $0 == .fresh } }

  /// The rows that are known to be out of date, in the source's order.
  public var stale: [Arrival] { rows(where: \.isStale) }

  /// The rows without a readable time, in the source's order.
  public var undated: [Arrival] { rows { $0 == .undated } }

  /// What the policy makes of a row of the board at ``asOf``; a row that is not on it is judged by its
  /// time alone.
  public func freshness(of arrival: Arrival) -> ArrivalFreshness {
    let standing = arrivals.firstIndex(of: arrival).map(standing) ?? .zero
    return policy.freshness(age: age(of: arrival), standing: standing)
  }

  /// How long ago the time of a row is at ``asOf``; negative when it lies ahead, nil when the row has
  /// none that can be read.
  public func age(of arrival: Arrival) -> Duration? {
    arrival.updatedAt?.instant.map { Self.time(from: $0, to: sourceNow) }
  }

  /// How long ago the answer came, at ``asOf``; nil when none ever did.
  public var age: Duration? {
    fetchedAt.map { max(.zero, Self.time(from: $0, to: asOf)) }
  }

  /// The row with the newest time: of the fresh rows, or of all when none is fresh. Of equal times the
  /// row that comes first in the source counts.
  public var newest: Arrival? {
    Self.newest(of: fresh) ?? Self.newest(of: arrivals)
  }

  /// The board as it looks at another moment, by the device's clock.
  public func evaluatingFreshness(at date: Date) -> ArrivalBoard {
    var board = self
    board.asOf = date
    return board
  }

  /// What time it is at ``asOf`` by the clock that ages are measured with.
  var sourceNow: Date {
    guard policy.usesServerClock, let serverDate, let fetchedAt else { return asOf }
    return asOf.addingTimeInterval(serverDate.timeIntervalSince(fetchedAt))
  }

  /// What the policy makes of each row, in the order of the rows.
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

  /// The time between two dates, to the millisecond, which is what feeds write.
  ///
  /// A `Date` of today is off by some ten millionths of a second, so a row of 11:39:30.953 would be older
  /// than 90 seconds at 11:41:00.953, though the limits of a policy are inclusive.
  private static func time(from start: Date, to end: Date) -> Duration {
    .milliseconds((end.timeIntervalSince(start) * 1000).rounded())
  }

  private static func newest(of arrivals: [Arrival]) -> Arrival? {
    var newest: (arrival: Arrival, instant: Date)?
    for arrival in arrivals {
      guard let instant = arrival.updatedAt?.instant else { continue }
      if let newest, newest.instant >= instant { continue }
      newest = (arrival, instant)
    }
    return newest?.arrival
  }
}
