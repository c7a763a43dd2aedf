internal import FieldCore

/// Finds the run on a day that a message is about.
struct RunResolver {
  /// A run of the timetable on a service day.
  struct Instance: Hashable {
    var run: Int
    var day: Int32
  }

  /// An instance, and the minutes by which the times of a frequency's run must be moved, because the timetable has no run
  /// that starts when the message says.
  struct Found {
    var instance: Instance
    var shift: Int?
  }

  let contents: TimetableContents
  let rules: ZoneRules
  private var index: TripIndex
  /// The seconds within which a run must be for a message that doesn't say the day.
  private static let nearby: Int64 = 3 * 3600

  init(_ messages: [RealtimeMessage], _ contents: TimetableContents, _ rules: ZoneRules) {
    (self.contents, self.rules) = (contents, rules)
    index = TripIndex(messages, contents)
  }

  /// Returns the instance that a message is about; `nil` if the timetable has none.
  ///
  /// - Parameter isOnAnyDay: Whether the run needn't be one of that day's.
  mutating func find(
    _ trip: TripUpdate.Selector, _ message: RealtimeMessage, isOnAnyDay: Bool = false
  ) -> Found? {
    let start = trip.startTime.flatMap { Self.minutes(message.text($0)) }
    let day = trip.startDate.flatMap { Self.day(message.text($0)) }
    if trip.startDate != nil, day == nil { return nil }
    var runs: [Int]
    var shift: Int?
    if let id = trip.tripID {
      runs = index.runs(id, message)
      guard let first = runs.first else { return nil }
      let isFrequency =
        runs.count > 1 || contents.runServices[first] & RunFlags.isFrequency != 0
      if isFrequency {
        // Only the start tells the runs of a frequency apart.
        guard let start else { return nil }
        let exact = runs.filter { self.start($0) == start }
        if exact.isEmpty { shift = start - self.start(first) }
        runs = exact.isEmpty ? [first] : exact
      }
    } else {
      guard let start, day != nil, let id = trip.routeID,
        let route = index.route(id, message)
      else { return nil }
      runs = index.runs(ofRoute: route, startingAt: start).filter {
        let direction = contents.trips[Int(contents.runTrips[$0]) * 3 + 2]
        return trip.direction == nil || direction == trip.direction
      }
    }
    let instances = runs.compactMap { run -> Instance? in
      if let day {
        return isOnAnyDay || isActive(run, day) ? Instance(run: run, day: day) : nil
      }
      return self.day(of: run, message).map { Instance(run: run, day: $0) }
    }
    // A trip without an ID must be the only one.
    guard let first = instances.first, trip.tripID != nil || instances.count == 1 else {
      return nil
    }
    return Found(instance: first, shift: shift)
  }

  /// Returns whether the timetable has a trip with an ID of a message.
  func hasTrip(_ id: Range<Int>, _ message: RealtimeMessage) -> Bool { index.hasTrip(id, message) }

  /// Returns the number of a line with an ID of a message.
  mutating func route(_ id: Range<Int>, _ message: RealtimeMessage) -> Int? {
    index.route(id, message)
  }

  private func start(_ run: Int) -> Int {
    Int(contents.times(of: contents.pattern(ofRun: run), run: run, at: 0).departure)
  }

  private func isActive(_ run: Int, _ day: Int32) -> Bool {
    contents.isActive(Int(contents.runServices[run] & RunFlags.serviceMask), on: day)
  }

  /// Returns the service day of a run that a message without a day is about: of the days around the message's, the one on
  /// which the run is within three hours of it, or else the day of the message.
  private func day(of run: Int, _ message: RealtimeMessage) -> Int32? {
    guard let now = message.timestamp else { return nil }
    let today = rules.day(of: now)
    let number = contents.pattern(ofRun: run)
    let last = contents.pattern(number).stopCount - 1
    let begin = Int64(contents.times(of: number, run: run, at: 0).departure) * 60
    let end = Int64(contents.times(of: number, run: run, at: last).arrival) * 60
    let near = (-1...1).compactMap { offset -> (distance: Int64, day: Int32)? in
      let day = today &+ Int32(offset)
      guard isActive(run, day) else { return nil }
      let start = rules.start(ofDay: day)
      return (max(start + begin - now, now - start - end, 0), day)
    }.min { $0.distance < $1.distance }
    if let near, near.distance <= Self.nearby { return near.day }
    return isActive(run, today) ? today : nil
  }

  // MARK: Texts

  /// Returns the minutes of a time such as `25:10:00`.
  static func minutes(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count >= 2, let hours = Int(parts[0]), let minutes = Int(parts[1]),
      (0..<168).contains(hours), (0..<60).contains(minutes)
    else { return nil }
    return hours * 60 + minutes
  }

  /// Returns the number of a day such as `20241218`.
  static func day(_ text: String) -> Int32? {
    guard text.utf8.count == 8, let number = Int(text), number > 0 else { return nil }
    return CalendarDay(
      validYear: number / 10_000, month: number / 100 % 100, day: number % 100)?.dayNumber
  }
}
