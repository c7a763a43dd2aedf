public import FieldFoundation

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
