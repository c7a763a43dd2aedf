internal import FieldCore

/// Writes the timetable of a feed.
struct TimetableBuilder {
  /// The minutes that changing takes where the feed doesn't say it.
  static let change: UInt32 = 2

  private var tables: FeedTables
  private var writer = TimetableFile.Writer()
  private var serviceNumbers: [UInt32] = []
  private var latest: UInt32 = 0

  init(_ tables: FeedTables) { self.tables = tables }

  /// Returns the bytes of the timetable.
  ///
  /// - Parameter rules: The zone of the feed.
  mutating func build(_ rules: ZoneRules) throws(FieldError) -> [UInt8] {
    let network = StopNetwork(&tables, change: Self.change)
    let builder = PatternBuilder(tables)
    writeSequences()
    tables.stopTimes = []
    let days = writeServices()
    writePatterns(builder, network)
    try report(builder.problems)
    writeStops(network)
    writeNames()
    let publisher = tables.publisher
    let zone = tables.strings.insert(tables.zone)
    let facts: [UInt32] = [
      UInt32(bitPattern: days.first), UInt32(bitPattern: days.last),
      UInt32(bitPattern: tables.start ?? .max), UInt32(bitPattern: tables.end ?? .max),
      Self.change, latest, publisher, tables.version, zone,
    ]
    writer.set(.facts, facts)
    writer.set(.translations, tables.translationRows)
    write(tables.strings, .stringStarts, .stringBytes)
    let range =
      (Int64(days.first) - 3) * 86_400...max(Int64(days.first), Int64(days.last) + 60) * 86_400
    writer.set(
      .zone,
      rules.limited(to: range).changes.flatMap { change in
        [
          UInt32(truncatingIfNeeded: change.start >> 32), UInt32(truncatingIfNeeded: change.start),
          UInt32(bitPattern: change.offset),
        ]
      })
    return writer.finish()
  }

  /// The report about the feed.
  var report: TimetableReport { tables.log.report }

  private mutating func write(
    _ table: IDTable, _ starts: TimetableSection, _ bytes: TimetableSection
  ) {
    writer.set(starts, table.starts)
    writer.set(bytes, table.bytes)
  }

  /// Reports trips whose times can't be used, at their first row.
  private mutating func report(_ problems: [UInt32: String]) throws(FieldError) {
    guard !problems.isEmpty, let file = tables.stopTimeFile else { return }
    tables.log.report.unusableTripCount += problems.count
    var (log, rest) = (tables.log, problems)
    let ids = tables.tripIDs
    try file.forEachRow(["trip_id"], required: 1, &log) { row, log in
      guard !rest.isEmpty, let trip = row.withBytes(0, { ids.number(of: $0) }),
        let problem = rest.removeValue(forKey: trip)
      else { return }
      log.add(problem + ", so the trip isn't used", key: row.text(0), row, file)
    }
    log.report.failureCount += rest.count
    tables.log = log
  }

  // MARK: Services

  /// Writes the distinct services, and returns the first and the last day with any.
  private mutating func writeServices() -> (first: Int32, last: Int32) {
    var numbers: [FeedTables.Service: UInt32] = [:]
    var rows: [UInt32] = []
    var exceptions: [UInt32] = []
    var (first, last) = (Int32.max, Int32.min)
    for service in tables.services {
      if let number = numbers[service] {
        serviceNumbers.append(number)
        continue
      }
      let number = UInt32(numbers.count)
      numbers[service] = number
      serviceNumbers.append(number)
      rows += [
        UInt32(service.weekdays), UInt32(bitPattern: service.start),
        UInt32(bitPattern: service.end), UInt32(exceptions.count),
      ]
      if service.weekdays != 0, service.start <= service.end {
        (first, last) = (min(first, service.start), max(last, service.end))
      }
      for exception in service.exceptions {
        let day = UInt32(bitPattern: exception.day + TimetableContents.dayOffset)
        exceptions.append(day | (exception.isAdded ? 1 << 31 : 0))
        if exception.isAdded {
          (first, last) = (min(first, exception.day), max(last, exception.day))
        }
      }
    }
    rows += [0, 0, 0, UInt32(exceptions.count)]
    writer.set(.services, rows)
    writer.set(.exceptions, exceptions)
    return first <= last ? (first, last) : (0, -1)
  }

  // MARK: Patterns

  private mutating func writePatterns(_ builder: PatternBuilder, _ network: StopNetwork) {
    var seats = SeatBuilder(tables, network)
    let hasSeats = seats.isNeeded
    var patterns: [UInt32] = []
    var (stops, flags): ([UInt32], [UInt8]) = ([], [])
    var (runTrips, runServices): ([UInt32], [UInt32]) = ([], [])
    var times: [UInt16] = []
    var visits: [(stop: UInt32, pattern: UInt32, place: UInt32)] = []
    for group in builder.groups {
      for runs in builder.patterns(of: group) {
        let number = UInt32(patterns.count / 8)
        let firstTime = times.count
        var hasWaits = false
        for place in 0..<group.stopCount {
          for run in runs {
            let time = Int32(builder.departures[run.times + place]) + run.shift
            times.append(UInt16(clamping: time))
            if builder.arrivals[run.times + place] != builder.departures[run.times + place] {
              hasWaits = true
            }
          }
          visits.append((builder.stops[group.firstStop + place], number, UInt32(place)))
        }
        let firstArrival = hasWaits ? times.count : firstTime
        for place in 0..<(hasWaits ? group.stopCount : 0) {
          for run in runs {
            times.append(UInt16(clamping: Int32(builder.arrivals[run.times + place]) + run.shift))
          }
        }
        latest = max(latest, UInt32(times[firstTime...].max() ?? 0))
        patterns += [
          group.route, UInt32(stops.count), UInt32(group.stopCount), UInt32(runTrips.count),
          UInt32(runs.count), UInt32(firstTime), UInt32(firstArrival),
          Self.isDaily(runs, builder, group) ? PatternFlags.isDaily : 0,
        ]
        for run in runs {
          let trip = tables.trips[Int(run.trip)]
          if hasSeats, !builder.isFrequency(run.trip) {
            let last = group.stopCount - 1
            seats.add(
              run.trip, run: runTrips.count, from: builder.stops[group.firstStop],
              Int32(builder.departures[run.times]), to: builder.stops[group.firstStop + last],
              Int32(builder.arrivals[run.times + last]))
          }
          runTrips.append(run.trip)
          runServices.append(
            serviceNumbers[Int(trip.service)] | UInt32(trip.wheelchair & 3) << RunFlags.wheelchair
              | UInt32(trip.bikes & 3) << RunFlags.bikes
              | (run.isFrequency ? RunFlags.isFrequency : 0))
        }
        let range = group.firstStop..<group.firstStop + group.stopCount
        stops += builder.stops[range]
        flags += builder.flags[range]
      }
    }
    seats.finish()
    write(seats.seats, &patterns)
    writer.set(.patterns, patterns)
    writer.set(.patternStops, stops)
    writer.set(.patternFlags, flags)
    writer.set(.runTrips, runTrips)
    writer.set(.runServices, runServices)
    writer.set(.times, times)
    let count = network.nodeStops.count
    var starts = [UInt32](repeating: 0, count: count + 1)
    for visit in visits { starts[Int(visit.stop) + 1] += 1 }
    for node in 0..<count { starts[node + 1] += starts[node] }
    var (next, rows) = (starts, [UInt32](repeating: 0, count: visits.count * 2))
    for visit in visits {
      let place = Int(next[Int(visit.stop)]) * 2
      (rows[place], rows[place + 1]) = (visit.pattern, visit.place)
      next[Int(visit.stop)] += 1
    }
    writer.set(.visitStarts, starts)
    writer.set(.visits, rows)
  }

  /// Returns whether the last run of a day is before the first one of the next day at all stops.
  private static func isDaily(
    _ runs: [PatternBuilder.Run], _ builder: PatternBuilder, _ group: PatternBuilder.Group
  ) -> Bool {
    guard let first = runs.first, let last = runs.last else { return false }
    // A day with a clock change may have 21 hours.
    let shift = last.shift - first.shift - 1260
    return (0..<group.stopCount).allSatisfy { place in
      Int32(builder.departures[last.times + place]) + shift
        <= Int32(builder.departures[first.times + place])
        && Int32(builder.arrivals[last.times + place]) + shift
          <= Int32(builder.arrivals[first.times + place])
    }
  }

  /// Writes where passengers stay in a vehicle, and marks the patterns with such runs.
  private mutating func write(_ seats: [SeatBuilder.Seat], _ patterns: inout [UInt32]) {
    let firstRuns = stride(from: 3, to: patterns.count, by: 8).map { patterns[$0] }
    func pattern(_ run: UInt32) -> Int { (firstRuns.partitioningIndex { $0 > run } - 1) * 8 }
    for seat in seats where seat.flags & SeatFlags.isForbidden == 0 {
      patterns[pattern(seat.from) + 7] |= PatternFlags.hasNext
      patterns[pattern(seat.to) + 7] |= PatternFlags.hasPrevious
    }
    writer.set(.seats, seats.flatMap { [$0.from, $0.to, $0.flags] })
    writer.set(
      .seatOrder,
      seats.indices.sorted { (seats[$0].to, $0) < (seats[$1].to, $1) }.map(UInt32.init))
  }

  /// Writes the values of `stop_sequence`, by which messages name stops, unless they are 1, 2, 3, and so on.
  private mutating func writeSequences() {
    var (rows, numbers): ([UInt32], [UInt32]) = ([], [])
    var known: [[UInt32]: UInt32] = [:]
    for trip in tables.trips.indices {
      let stops = tables.stopTimes[tables.stopTimeStarts[trip]..<tables.stopTimeStarts[trip + 1]]
      if zip(stops, 1...).allSatisfy({ $0.sequence == $1 }) { continue }
      let list = stops.map { UInt32(bitPattern: $0.sequence) }
      let first = known[list] ?? UInt32(numbers.count)
      if known.updateValue(first, forKey: list) == nil { numbers += list }
      rows += [UInt32(trip), first]
    }
    writer.set(.sequenceTrips, rows)
    writer.set(.sequences, numbers)
  }

  // MARK: Stops and names

  private mutating func writeStops(_ network: StopNetwork) {
    var rows: [UInt32] = []
    for (number, stop) in tables.stops.enumerated() {
      rows += [
        stop.name, stop.code, stop.platform, UInt32(bitPattern: stop.latitude),
        UInt32(bitPattern: stop.longitude),
        UInt32(stop.kind) | UInt32(stop.wheelchair) << 8,
        network.stations[number],
      ]
    }
    writer.set(.stops, rows)
    writer.set(
      .nodes, zip(network.nodeStops, network.changes).flatMap { [$0, $1] })
    writeLists(network.members.map { $0.map { [$0] } }, .memberStarts, .members)
    writeLists(
      network.walks.map { $0.map { [$0.to, $0.minutes] } }, .walkStarts, .walks)
    var reverse = [[[UInt32]]](repeating: [], count: network.nodeStops.count)
    for (from, walks) in network.walks.enumerated() {
      for walk in walks { reverse[Int(walk.to)].append([UInt32(from), walk.minutes]) }
    }
    writeLists(reverse, .reverseStarts, .reverseWalks)
  }

  private mutating func writeLists(
    _ lists: [[[UInt32]]], _ starts: TimetableSection, _ rows: TimetableSection
  ) {
    var (firsts, numbers, count): ([UInt32], [UInt32], UInt32) = ([0], [], 0)
    for list in lists {
      for row in list { numbers += row }
      count += UInt32(list.count)
      firsts.append(count)
    }
    writer.set(starts, firsts)
    writer.set(rows, numbers)
  }

  private mutating func writeNames() {
    write(tables.stopIDs, .stopIDStarts, .stopIDBytes)
    write(tables.routeIDs, .routeIDStarts, .routeIDBytes)
    write(tables.tripIDs, .tripIDStarts, .tripIDBytes)
    let ids = tables.stops.indices.map { Array(tables.stopIDs.text(UInt32($0)).utf8) }
    writer.set(
      .stopOrder,
      tables.stops.indices.sorted { ids[$0].lexicographicallyPrecedes(ids[$1]) }.map(UInt32.init))
    writer.set(
      .routes,
      tables.routes.flatMap {
        [$0.shortName, $0.longName, UInt32(bitPattern: $0.type), $0.color, $0.textColor, $0.agency]
      })
    writer.set(.agencies, tables.agencies.flatMap { [$0.name, $0.url] })
    writer.set(
      .trips, tables.trips.flatMap { [$0.headsign, $0.shortName, UInt32($0.direction)] })
    guard !tables.shapePoints.isEmpty else { return }
    writer.set(.tripShapes, tables.trips.map(\.shape))
    writer.set(.shapeStarts, tables.shapeStarts)
    writer.set(
      .shapePoints,
      tables.shapePoints.flatMap {
        [UInt32(bitPattern: $0.latitude), UInt32(bitPattern: $0.longitude)]
      })
  }
}
