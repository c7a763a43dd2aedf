internal import FieldCore
public import FieldFoundation

extension Timetable {
  /// Returns a timetable whose journeys and departures respect what messages say.
  ///
  /// ```swift
  /// let live = timetable.applying([try RealtimeMessage(bytes)], at: .now)
  /// print(live.realtime?.predictedTripCount ?? 0)
  /// ```
  ///
  /// The timetable itself doesn't change, and what was applied to it before doesn't count: call this method with the newest
  /// message of each source whenever one arrives, and before you show answers, because messages become too old. If one message
  /// contradicts another about a trip, the later one in the array counts.
  ///
  /// These rules hold:
  ///
  /// - A message that is more than `maximumAge` old, or that much ahead of `date`, changes nothing, nor does one that doesn't
  ///   say when it was made.
  /// - A delay holds for all later stops, until the next one that is given; stops before the first one that is given keep the
  ///   times of the timetable. A time counts more than a delay. Where a source says that it has no data, the times of the
  ///   timetable hold again. No time is before the one before it.
  /// - Seconds are cut off, as those of timetables are.
  /// - At a skipped stop, nobody boards or alights. A trip with a single stop left doesn't run.
  /// - A trip without a start date is the one that runs within three hours of the message, or else that of its day. A run of a
  ///   frequency needs its start time; if no run starts then, it runs beside those of the timetable.
  /// - Trips that are added or replaced need a stop of the timetable, and a time, for all their stops.
  ///
  /// - Parameters:
  ///   - messages: The newest message of each source.
  ///   - date: The current time.
  ///   - maximumAge: The age from which on a message is too old. Defaults to 5 minutes.
  public func applying(
    _ messages: [RealtimeMessage], at date: Date, maximumAge: Duration = .seconds(300)
  ) -> Timetable {
    let base = storage.predictions?.base ?? storage
    let now = Self.seconds(date)
    var report = RealtimeReport()
    let fresh = messages.filter { message in
      guard let timestamp = message.timestamp else { return false }
      let (age, overflow) = now.subtractingReportingOverflow(timestamp)
      return !overflow && age.magnitude <= UInt64(max(maximumAge.components.seconds, 0))
    }
    report.date = fresh.compactMap(\.date).min()
    report.staleMessageCount = messages.count - fresh.count
    return Timetable(
      storage: base.read { contents in
        var overlay = RealtimeOverlay(base, contents, fresh, report)
        return overlay.build(language: storage.language)
      })
  }

  /// The report about the messages that were applied; `nil` if ``applying(_:at:maximumAge:)`` didn't make this timetable.
  public var realtime: RealtimeReport? { storage.predictions?.report }
}

extension JourneyLeg {
  /// The moment at which the departure or the arrival was predicted; `nil` if both are the timetable's.
  ///
  /// It is the last report of the vehicle, or else the time of the message.
  public var predictedAt: Date? {
    guard case .ride(let pattern, _, let from, let to, _) = kind else { return nil }
    return prediction(pattern, .departure, at: from) ?? prediction(pattern, .arrival, at: to)
  }

  /// The departure in the timetable; `nil` for a walk, and for a trip that the timetable doesn't have.
  public var scheduledDeparture: TransitTime? {
    guard case .ride(let pattern, _, let from, _, let offset) = kind else { return nil }
    return scheduled(pattern, at: from, offset)?.departure ?? (isAdded(pattern) ? nil : departure)
  }

  /// The arrival in the timetable; `nil` for a walk, and for a trip that the timetable doesn't have.
  public var scheduledArrival: TransitTime? {
    guard case .ride(let pattern, _, _, let to, let offset) = kind else { return nil }
    return scheduled(pattern, at: to, offset)?.arrival ?? (isAdded(pattern) ? nil : arrival)
  }

  /// Returns the moment at which a time was predicted.
  func prediction(_ pattern: Int, _ marks: Predictions.Marks, at place: Int) -> Date? {
    guard let predictions = storage.predictions, let run = predictions.run(pattern),
      !predictions.marks(pattern, at: place).isDisjoint(with: marks)
    else { return nil }
    return Date(timeIntervalSince1970: Double(run.date))
  }

  /// Whether a message says that the vehicle doesn't stop.
  func isSkipped(_ pattern: Int, at place: Int) -> Bool {
    storage.predictions?.marks(pattern, at: place).contains(.skipped) ?? false
  }

  private func isAdded(_ pattern: Int) -> Bool {
    storage.predictions?.run(pattern) != nil
  }

  private func scheduled(
    _ pattern: Int, at place: Int, _ offset: Int32
  ) -> (arrival: TransitTime, departure: TransitTime)? {
    guard let run = storage.predictions?.run(pattern)?.scheduled else { return nil }
    let times = storage.read { $0.times(of: run.pattern, run: run.run, at: place) }
    let shift = offset + run.shift
    return (day.time(times.arrival + shift), day.time(times.departure + shift))
  }
}

extension TransitDeparture {
  /// The moment at which the time was predicted; `nil` if it is the timetable's.
  public var predictedAt: Date? { leg.visits.first?.predictedAt }
  /// The time in the timetable; `nil` for a trip that the timetable doesn't have.
  public var scheduledTime: TransitTime? { leg.scheduledDeparture }
}

/// A report about the messages that were applied to a timetable.
public struct RealtimeReport: Sendable, Hashable {
  /// The moment of the oldest message that was applied; `nil` if none was.
  public internal(set) var date: Date?
  /// The number of messages that weren't applied, because they were too old or didn't say when they were made.
  public internal(set) var staleMessageCount = 0
  /// The number of trips with predicted times.
  public internal(set) var predictedTripCount = 0
  /// The number of trips that don't run.
  public internal(set) var canceledTripCount = 0
  /// The number of trips that run although the timetable doesn't have them, among those with predicted times.
  public internal(set) var addedTripCount = 0
  /// The number of trips of the messages that aren't in the timetable on that day, or about which nothing usable is said.
  public internal(set) var unusedTripCount = 0
}
