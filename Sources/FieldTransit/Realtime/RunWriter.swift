internal import FieldCore

/// Writes the runs that messages change into patterns of their own.
struct RunWriter {
  typealias Instance = RunResolver.Instance

  private let contents: TimetableContents
  private let rules: ZoneRules
  private(set) var runs: [Predictions.Run] = []
  private(set) var marks: [Predictions.Marks] = []
  private var patterns: [UInt32] = []
  private var stops: [UInt32] = [], flags: [UInt8] = []
  private var runTrips: [UInt32] = [], runServices: [UInt32] = []
  private var times: [UInt16] = []
  private var visits: [(node: Int, pattern: UInt32, place: UInt32)] = []
  private var latest: UInt32
  private var services: ServiceWriter
  private var seats: SeatWriter
  private var names: NameWriter

  /// The number of stop times that messages may add. A message of a few bytes may be about a trip with thousands of stops.
  private static let mostTimes = 5_000_000

  init(_ contents: TimetableContents, _ rules: ZoneRules) {
    (self.contents, self.rules) = (contents, rules)
    latest = contents.fact(.latest)
    (services, names) = (ServiceWriter(contents), NameWriter(contents))
    seats = SeatWriter(contents, rules)
  }

  var hasChanges: Bool { !runs.isEmpty || services.hasRemovals }

  /// Takes a run from its pattern on a day.
  mutating func remove(_ instance: Instance) {
    services.remove(instance)
    seats.remove(instance)
  }

  /// Appends a run.
  ///
  /// - Parameters:
  ///   - source: The run of the timetable whose trip it is; `nil` for one that it doesn't have.
  ///   - route: The line; `nil` if the timetable doesn't have it.
  ///   - instance: The run of the timetable that doesn't run then.
  ///   - isAsPlanned: Whether the stops are those of that run.
  /// - Returns: `false` if the times are impossible, or too many.
  mutating func append(
    _ run: RunTimes, _ update: TripUpdate, _ message: RealtimeMessage, day: Int32,
    like source: Int?,
    route: Int?, replaces instance: Instance?, isAsPlanned: Bool
  ) -> Bool {
    let (service, shift) = serviceDay(of: run.arrivals[0], day, replaces: instance)
    let count = run.stops.count
    let last = run.departures[count - 1] + shift
    guard run.arrivals[0] + shift >= 0, last < 7 * 1440, service.magnitude < 1_000_000,
      times.count + count * 2 <= Self.mostTimes, !services.isFull,
      contents.runTrips.count + runs.count < 1 << 27
    else { return false }
    let firstTime = contents.times.count + times.count
    for time in run.departures { times.append(UInt16(clamping: time + shift)) }
    let hasWaits = run.arrivals != run.departures
    for time in hasWaits ? run.arrivals : [] { times.append(UInt16(clamping: time + shift)) }
    latest = max(latest, UInt32(clamping: last))
    let number = contents.patternCount + runs.count
    patterns += [
      route.map(UInt32.init) ?? names.unknownRoute(),
      UInt32(contents.patternStops.count + stops.count), UInt32(count),
      UInt32(contents.runTrips.count + runs.count), 1, UInt32(firstTime),
      UInt32(hasWaits ? firstTime + count : firstTime),
      // A single run never meets itself.
      PatternFlags.isDaily,
    ]
    for place in 0..<count where run.flags[place] != 0 {
      visits.append((Int(run.stops[place]), UInt32(number), UInt32(place)))
    }
    stops += run.stops
    flags += run.flags
    runTrips.append(names.trip(update, message, like: source.map { Int(contents.runTrips[$0]) }))
    runServices.append(services.service(on: service) | runFlags(update, source))
    var scheduled: Predictions.Scheduled?
    if isAsPlanned, let instance {
      scheduled = Predictions.Scheduled(
        pattern: contents.pattern(ofRun: instance.run), run: instance.run, shift: Int32(shift))
    }
    runs.append(
      Predictions.Run(
        date: min(update.measured ?? .max, message.timestamp ?? 0), scheduled: scheduled,
        isOnWay: source != nil && (isAsPlanned || instance == nil), firstMark: marks.count))
    marks += run.marks
    guard let instance else { return true }
    remove(instance)
    seats.replace(
      instance, by: contents.runTrips.count + runs.count - 1, on: service, run, shift: shift)
    return true
  }

  /// Returns the service day on which a run starts less than a day after the start, so that searches needn't look at others,
  /// and the minutes to add to its times.
  private func serviceDay(
    of minutes: Int, _ day: Int32, replaces instance: Instance?
  ) -> (day: Int32, shift: Int) {
    guard !(0..<1440).contains(minutes), minutes.magnitude < 100_000 else { return (day, 0) }
    if minutes > 0, let instance, seats.hasSeats(instance.run) {
      // Passengers stay in a vehicle from one run to another of the same service day, or of the next one.
      return (day, 0)
    }
    let start = rules.start(ofDay: day)
    let moment = start + Int64(minutes) * 60
    var other = rules.day(of: moment)
    // When clocks change, a service day may begin after its first hour.
    if rules.start(ofDay: other) > moment { other -= 1 }
    return (other, Int((start - rules.start(ofDay: other)) / 60))
  }

  /// Returns what the run of a trip says about wheelchairs and bicycles.
  private func runFlags(_ update: TripUpdate, _ run: Int?) -> UInt32 {
    let keep: UInt32 = 3 << RunFlags.wheelchair | 3 << RunFlags.bikes
    var flags = run.map { contents.runServices[$0] & keep } ?? 0
    if let wheelchair = update.wheelchair {
      flags = flags & ~(3 << RunFlags.wheelchair) | wheelchair << RunFlags.wheelchair
    }
    return flags
  }

  // MARK: Sections

  /// Returns the changes of the timetable's sections.
  mutating func edits() -> SectionEdits {
    var edits = SectionEdits()
    var patterns = patterns
    for (number, flags) in seats.write(runs: runs.count, to: &edits).enumerated() {
      patterns[number * 8 + 7] |= flags
    }
    edits.append(patterns, to: .patterns)
    edits.append(stops, to: .patternStops)
    edits.append(flags, to: .patternFlags)
    edits.append(runTrips, to: .runTrips)
    edits.append(times, to: .times)
    services.write(runServices, to: &edits)
    names.write(to: &edits)
    writeVisits(to: &edits)
    var facts = (0..<contents.facts.count).map { contents.facts[$0] }
    facts[TimetableFact.latest.rawValue] = latest
    edits.replace(.facts, with: facts)
    return edits
  }

  private func writeVisits(to edits: inout SectionEdits) {
    guard !visits.isEmpty else { return }
    var starts = [UInt32](repeating: 0, count: contents.nodeCount + 1)
    for visit in visits { starts[visit.node + 1] += 1 }
    for node in 0..<contents.nodeCount { starts[node + 1] += starts[node] }
    var next = starts
    var rows = [UInt32](repeating: 0, count: contents.visits.count + visits.count * 2)
    // Those of the timetable come first, and then the new ones.
    for node in 0..<contents.nodeCount {
      let (from, to) = (Int(contents.visitStarts[node]), Int(contents.visitStarts[node + 1]))
      let shift = Int(starts[node])
      for place in from * 2..<to * 2 { rows[place + shift * 2] = contents.visits[place] }
      next[node] += UInt32(to)
    }
    for visit in visits {
      let place = Int(next[visit.node]) * 2
      (rows[place], rows[place + 1]) = (visit.pattern, visit.place)
      next[visit.node] += 1
    }
    for node in starts.indices { starts[node] += contents.visitStarts[node] }
    edits.replace(.visitStarts, with: starts)
    edits.replace(.visits, with: rows)
  }
}
