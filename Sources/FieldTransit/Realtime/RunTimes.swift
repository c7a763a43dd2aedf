internal import FieldCore

/// The stops and times of a run while a message changes them. It is used again for each run.
struct RunTimes {
  /// The nodes of the stops.
  private(set) var stops: [UInt32] = []
  private(set) var flags: [UInt8] = []
  /// In minutes after the start of the service day.
  private(set) var arrivals: [Int] = [], departures: [Int] = []
  private(set) var marks: [Predictions.Marks] = []
  private var matches: [Int] = []
  /// The places of the timetable's nodes for the trip, and its line, from which follows its node at another stop.
  private var places = 0..<0, route: Int?
  /// The number of stops that may still be compared, so that hostile messages don't take long.
  private var budget = 50_000_000

  /// The number of stops at which the run stops.
  var stopCount: Int { marks.count { !$0.contains(.skipped) } }
  /// Whether the message says anything about the run.
  var isPredicted: Bool { marks.contains { !$0.isEmpty } }

  private mutating func clear() {
    stops.removeAll(keepingCapacity: true)
    flags.removeAll(keepingCapacity: true)
    arrivals.removeAll(keepingCapacity: true)
    departures.removeAll(keepingCapacity: true)
    marks.removeAll(keepingCapacity: true)
    matches.removeAll(keepingCapacity: true)
  }

  /// Sets the run to one of the timetable, moved by some minutes.
  mutating func set(_ contents: TimetableContents, run: Int, shift: Int) {
    clear()
    let number = contents.pattern(ofRun: run)
    let pattern = contents.pattern(number)
    (places, route) = (pattern.places, pattern.route)
    for place in 0..<pattern.stopCount {
      stops.append(contents.patternStops[pattern.firstStop + place])
      flags.append(contents.patternFlags[pattern.firstStop + place])
      let times = contents.times(of: number, run: run, at: place)
      arrivals.append(Int(times.arrival) + shift)
      departures.append(Int(times.departure) + shift)
      marks.append([])
      matches.append(-1)
    }
  }

  /// Sets the run to one that only the message knows.
  ///
  /// - Parameters:
  ///   - source: The run that it replaces; `nil` if it is an additional one.
  ///   - route: The line; `nil` if the timetable doesn't have it.
  ///   - start: The start of the service day, in seconds since 1970.
  /// - Returns: Whether all stops are in the timetable and have times.
  mutating func set(
    _ updates: ArraySlice<TripUpdate.Stop>, _ message: RealtimeMessage,
    _ contents: TimetableContents, like source: Int?, route: Int?, start: Int64
  ) -> Bool {
    clear()
    places = source.map { contents.pattern(contents.pattern(ofRun: $0)).places } ?? 0..<0
    self.route = route
    var last = Int.min
    for update in updates where !update.isSkipped {
      let arrival = Self.minutes(update.arrival.time, after: start)
      let departure = Self.minutes(update.departure.time, after: start)
      guard let id = update.assignedStopID ?? update.stopID,
        let stop = Self.stop(id, message, contents), let time = arrival ?? departure
      else { return false }
      stops.append(node(of: stop, contents))
      flags.append((update.mayBoard ?? true ? 1 : 0) | (update.mayAlight ?? true ? 2 : 0))
      arrivals.append(max(last, time))
      departures.append(max(last, time, departure ?? time))
      last = departures[departures.count - 1]
      var mark: Predictions.Marks = []
      if arrival != nil { mark.insert(.arrival) }
      if departure != nil { mark.insert(.departure) }
      marks.append(mark)
    }
    return stops.count >= 2
  }

  // MARK: Changes

  /// Changes a run of the timetable as a message says.
  ///
  /// - Parameters:
  ///   - trip: The number of the trip, for the numbers of its stops.
  ///   - start: The start of the service day, in seconds since 1970.
  mutating func apply(
    _ update: TripUpdate, _ message: RealtimeMessage, _ contents: TimetableContents, trip: Int,
    start: Int64
  ) {
    match(message.stops[update.stops], message, contents, trip)
    // A delay holds for all later stops until the next one that is given.
    var delay = update.delay.map { Int($0).minutes }
    var last = Int.min
    for place in stops.indices {
      let stop =
        matches[place] >= 0
        ? message.stops[update.stops.lowerBound + matches[place]] : TripUpdate.Stop()
      if stop.hasNoData { delay = nil }
      if stop.isSkipped {
        flags[place] = 0
        marks[place].insert(.skipped)
      } else {
        change(place, stop, message, contents)
      }
      let (arrival, departure) =
        stop.hasNoData ? (TripUpdate.Event(), .init()) : (stop.arrival, stop.departure)
      let isFirst = place == 0 && (departure.time != nil || departure.delay != nil)
      set(place, .arrival, arrival, &delay, &last, start)
      // When the vehicle comes to its first stop doesn't matter to anybody who knows when it leaves.
      if isFirst { last = .min }
      set(place, .departure, departure, &delay, &last, start)
      arrivals[place] = min(arrivals[place], departures[place])
    }
  }

  /// Sets a time, which is never before the one before it.
  private mutating func set(
    _ place: Int, _ mark: Predictions.Marks, _ event: TripUpdate.Event, _ delay: inout Int?,
    _ last: inout Int, _ start: Int64
  ) {
    let scheduled = mark == .arrival ? arrivals[place] : departures[place]
    let given =
      Self.minutes(event.time, after: start).map { $0 - scheduled }
      ?? event.delay.map { Int($0).minutes }
    delay = given ?? delay
    let time = max(last, scheduled + (delay ?? 0))
    if delay != nil || time != scheduled { marks[place].insert(mark) }
    last = time
    if mark == .arrival { arrivals[place] = time } else { departures[place] = time }
  }

  /// Changes the platform, and whether one may board and alight.
  private mutating func change(
    _ place: Int, _ stop: TripUpdate.Stop, _ message: RealtimeMessage, _ contents: TimetableContents
  ) {
    if let mayBoard = stop.mayBoard { flags[place] = flags[place] & 2 | (mayBoard ? 1 : 0) }
    if let mayAlight = stop.mayAlight { flags[place] = flags[place] & 1 | (mayAlight ? 2 : 0) }
    let old = contents.stop(ofNode: Int(stops[place]))
    var new = old
    if let id = stop.assignedStopID {
      new = Self.stop(id, message, contents) ?? old
    } else if let id = stop.stopID, let given = Self.stop(id, message, contents),
      contents.isSamePlace(old, given)
    {
      // Some sources give the new platform without saying that it is one.
      new = given
    }
    guard new != old else { return }
    stops[place] = node(of: new, contents)
    marks[place].formUnion([.arrival, .departure])
  }

  /// Returns the node of the trip at a stop: one that it has in the timetable, or else that of most trips of its line, or the
  /// stop itself, where only rules for all trips hold.
  private mutating func node(of stop: Int, _ contents: TimetableContents) -> UInt32 {
    let usual = UInt32(truncatingIfNeeded: stop)
    guard contents.nodeCount > contents.stopCount else { return usual }
    let nodes = contents.nodes(of: stop)
    guard nodes.count > 1 else { return usual }
    budget -= places.count
    guard budget > 0 else { return usual }
    for place in places where contents.stop(ofNode: Int(contents.patternStops[place])) == stop {
      return contents.patternStops[place]
    }
    guard let route else { return usual }
    var (best, most) = (usual, 0)
    for node in nodes {
      let visits = Int(contents.visitStarts[node])..<Int(contents.visitStarts[node + 1])
      budget -= visits.count
      guard budget > 0 else { return best }
      let count = visits.count {
        contents.pattern(Int(contents.visits[$0 * 2])).route == route
      }
      if count > most { (best, most) = (UInt32(truncatingIfNeeded: node), count) }
    }
    return best
  }

  /// Finds the place of each stop of the message.
  private mutating func match(
    _ updates: ArraySlice<TripUpdate.Stop>, _ message: RealtimeMessage,
    _ contents: TimetableContents, _ trip: Int
  ) {
    var next = 0
    for (number, update) in updates.enumerated() {
      var place = update.sequence.flatMap {
        contents.place(ofSequence: $0, trip: trip, stopCount: stops.count)
      }
      if place == nil, let id = update.stopID, let stop = Self.stop(id, message, contents) {
        // A trip may visit a stop twice; the updates are in its order.
        var at = next
        while at < stops.count, budget > 0, contents.stop(ofNode: Int(stops[at])) != stop {
          at += 1
          budget -= 1
        }
        if at < stops.count, contents.stop(ofNode: Int(stops[at])) == stop { place = at }
      }
      guard let place else { continue }
      matches[place] = number
      next = max(next, place + 1)
    }
  }

  static func stop(
    _ id: Range<Int>, _ message: RealtimeMessage, _ contents: TimetableContents
  ) -> Int? {
    message.bytes.withByteSpan { contents.stop(withID: $0.extracting(id)) }
  }

  /// Returns a time in minutes after the start of a service day, unless it is days away from it.
  private static func minutes(_ time: Int64?, after start: Int64) -> Int? {
    guard let time else { return nil }
    let (seconds, overflow) = time.subtractingReportingOverflow(start)
    guard !overflow, (-86_400...7 * 86_400).contains(seconds) else { return nil }
    return Int(seconds).minutes
  }
}

extension Int {
  /// Seconds as minutes. Seconds are cut off, as those of timetables are, so that a train that leaves early isn't late.
  fileprivate var minutes: Int { self >= 0 ? self / 60 : (self - 59) / 60 }
}

extension TimetableContents {
  /// Returns the place of a trip's stop with a number of `stop_sequence`.
  func place(ofSequence sequence: UInt32, trip: Int, stopCount: Int) -> Int? {
    let rows = 0..<sequenceTrips.count / 2
    let row = rows.partitioningIndex { sequenceTrips[$0 * 2] >= trip }
    guard row < rows.upperBound, sequenceTrips[row * 2] == trip else {
      // Most feeds count from 1.
      return sequence > 0 && sequence <= stopCount ? Int(sequence) - 1 : nil
    }
    let first = Int(sequenceTrips[row * 2 + 1])
    let places = 0..<max(0, min(stopCount, sequences.count - first))
    let place = places.partitioningIndex { sequences[first + $0] >= sequence }
    return place < places.upperBound && sequences[first + place] == sequence ? place : nil
  }
}
