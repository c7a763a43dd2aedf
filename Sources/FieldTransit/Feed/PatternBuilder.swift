internal import FieldCore

/// Sorts the trips of a feed into patterns: trips of one route with the same stops, none of which overtakes another.
struct PatternBuilder {
  /// A trip at a time.
  struct Run {
    var trip: UInt32
    /// The index of the trip's first arrival and departure in `arrivals` and `departures`.
    var times: Int
    /// The minutes after the times of the trip.
    var shift: Int32
    var isFrequency = false
  }

  /// Trips with the same stops.
  struct Group {
    var route: UInt32
    /// The index of the first stop.
    var firstStop: Int
    var stopCount: Int
    var runs: [Run] = []
  }

  private(set) var groups: [Group] = []
  /// The stops of all groups, and whether passengers may board (1) and alight (2) there.
  private(set) var stops: [UInt32] = []
  private(set) var flags: [UInt8] = []
  /// The times of all trips, in minutes.
  private(set) var arrivals: [UInt16] = [], departures: [UInt16] = []
  /// The reasons why trips can't be used.
  private(set) var problems: [UInt32: String] = [:]
  private var buckets: [UInt64: [Int]] = [:]
  private var frequencies: [UInt32: [FeedTables.Frequency]] = [:]
  /// The number of stop times of frequencies so far, of which there is a limit: a row may stand for thousands.
  private var expanded = 0
  /// The latest time, in minutes after the start of the service day.
  private static let latest: Int32 = 7 * 1440 - 1
  private static let mostExpanded = 20_000_000

  init(_ tables: FeedTables) {
    for frequency in tables.frequencies {
      frequencies[frequency.trip, default: []].append(frequency)
    }
    arrivals.reserveCapacity(tables.stopTimes.count)
    departures.reserveCapacity(tables.stopTimes.count)
    for trip in tables.trips.indices where tables.trips[trip].isUsable {
      let range = tables.stopTimeStarts[trip]..<tables.stopTimeStarts[trip + 1]
      add(UInt32(trip), tables.stopTimes[range], tables.trips[trip])
    }
  }

  /// Returns whether a trip runs at headways.
  func isFrequency(_ trip: UInt32) -> Bool { frequencies[trip] != nil }

  private mutating func add(
    _ number: UInt32, _ rows: ArraySlice<FeedTables.StopTime>, _ trip: FeedTables.Trip
  ) {
    guard rows.count >= 2 else {
      problems[number] = rows.isEmpty ? "it has no stop times" : "it has a single stop"
      return
    }
    guard rows.count <= 0xFFFF else {
      problems[number] = "it has more than 65,535 stops"
      return
    }
    let first = arrivals.count
    if let problem = appendTimes(rows) {
      arrivals.removeSubrange(first...)
      departures.removeSubrange(first...)
      problems[number] = problem
      return
    }
    let group = group(trip.route, rows)
    guard let runs = frequencies[number] else {
      groups[group].runs.append(Run(trip: number, times: first, shift: 0))
      return
    }
    let start = Int32(departures[first])
    let span = Int32(departures[departures.count - 1]) - start
    for row in runs {
      var time = row.start
      while time < row.end {
        let minutes = time / 60
        expanded += rows.count
        guard minutes + span <= Self.latest, expanded <= Self.mostExpanded else {
          problems[number] = "its frequencies are too many runs, of which the first ones are used"
          return
        }
        groups[group].runs.append(
          Run(trip: number, times: first, shift: minutes - start, isFrequency: !row.isExact))
        time += row.headway
      }
    }
  }

  /// Appends the times of a trip in whole minutes, and returns why they can't be used.
  private mutating func appendTimes(_ rows: ArraySlice<FeedTables.StopTime>) -> String? {
    var last: Int32 = 0
    /// The last row with a time.
    var known = rows.startIndex
    for place in rows.indices {
      var (arrival, departure) = (rows[place].arrival, rows[place].departure)
      if arrival < 0 { arrival = departure }
      if departure < 0 { departure = arrival }
      if arrival < 0 {
        if place == rows.startIndex || place == rows.endIndex - 1 {
          return "its first or last stop has no time"
        }
        arrivals.append(0)
        departures.append(0)
        continue
      }
      guard arrival >= last, departure >= arrival else {
        return "its times go backward at stop_sequence \(rows[place].sequence)"
      }
      guard departure / 60 <= Self.latest else { return "it takes more than a week" }
      arrivals.append(UInt16(arrival / 60))
      departures.append(UInt16(departure / 60))
      if place - known > 1 { interpolate(place - known) }
      (known, last) = (place, departure)
    }
    return nil
  }

  /// Spreads the times before the last one evenly by the number of stops, back to a known one.
  private mutating func interpolate(_ count: Int) {
    let end = arrivals.count - 1
    let low = Int(departures[end - count])
    let rise = Int(arrivals[end]) - low
    for step in 1..<count {
      let time = UInt16(low + (2 * rise * step + count) / (2 * count))
      (arrivals[end - count + step], departures[end - count + step]) = (time, time)
    }
  }

  private mutating func group(_ route: UInt32, _ rows: ArraySlice<FeedTables.StopTime>) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(route)
    for row in rows {
      hash = (hash ^ UInt64(row.stop) << 2 ^ UInt64(row.flags)) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
    }
    for number in buckets[hash] ?? [] {
      let group = groups[number]
      if group.route == route, group.stopCount == rows.count,
        zip(rows, group.firstStop...).allSatisfy({ row, place in
          stops[place] == row.stop && flags[place] == row.flags
        })
      {
        return number
      }
    }
    groups.append(Group(route: route, firstStop: stops.count, stopCount: rows.count))
    for row in rows {
      stops.append(row.stop)
      flags.append(row.flags)
    }
    buckets[hash, default: []].append(groups.count - 1)
    return groups.count - 1
  }

  /// Returns the runs of a group in patterns in which no run overtakes another.
  func patterns(of group: Group) -> [[Run]] {
    let last = group.stopCount - 1
    let sorted = group.runs.sorted { left, right in
      let starts = (start(left), start(right))
      if starts.0 != starts.1 { return starts.0 < starts.1 }
      let ends = (
        Int32(arrivals[left.times + last]) + left.shift,
        Int32(arrivals[right.times + last]) + right.shift
      )
      return ends.0 != ends.1 ? ends.0 < ends.1 : left.trip < right.trip
    }
    var patterns: [[Run]] = []
    for run in sorted {
      // Beyond this number, comparing takes longer than another pattern costs.
      let place = patterns.indices.suffix(16).first {
        isOrdered(patterns[$0][patterns[$0].count - 1], run, group.stopCount)
      }
      if let place { patterns[place].append(run) } else { patterns.append([run]) }
    }
    return patterns
  }

  private func start(_ run: Run) -> Int32 { Int32(departures[run.times]) + run.shift }

  private func isOrdered(_ first: Run, _ second: Run, _ count: Int) -> Bool {
    // Runs of one trip at different times never overtake each other.
    if first.times == second.times { return first.shift <= second.shift }
    let shift = second.shift - first.shift
    for place in 0..<count {
      if Int32(arrivals[first.times &+ place]) > Int32(arrivals[second.times &+ place]) &+ shift
        || Int32(departures[first.times &+ place]) > Int32(departures[second.times &+ place])
          &+ shift
      {
        return false
      }
    }
    return true
  }
}
