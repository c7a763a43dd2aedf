/// A search for the journeys that arrive earliest with each number of rides, in rounds over the patterns (RAPTOR).
///
/// In round `k`, the patterns at stops that became better in round `k - 1` are scanned once, from the first such stop on,
/// with the earliest trip that can be boarded. Times are minutes relative to the service day of the query.
struct Search<Direction: SearchDirection> {
  /// A time that is later than any.
  static var never: Int32 { 1 << 30 }

  let contents: TimetableContents
  let cells: SearchLayout
  let stopCount: Int
  let days: [SearchDay]
  let filter: SearchFilter
  let maximumRides: Int
  /// The earliest time at which one is at an origin.
  private var earliest = never
  /// The time from which on arrivals don't matter, in the direction of the search.
  var bound: Int32
  private var markedCount = 0
  private var boardableCount = 0
  private var queueCount = 0
  /// The stop and the round of each journey found, from the first round on.
  var found: [(round: Int, stop: Int, arrival: Int32)] = []

  init(
    _ contents: TimetableContents, _ cells: SearchLayout, days: [SearchDay], filter: SearchFilter,
    maximumRides: Int, bound: Int32
  ) {
    (self.contents, self.cells, self.days, self.filter) = (contents, cells, days, filter)
    (self.maximumRides, self.bound) = (maximumRides, bound)
    stopCount = contents.stopCount
    found.reserveCapacity(maximumRides)
  }

  /// Prepares for a search, with no destination and nothing reached.
  func clear() {
    cells.bestReached.fill(Self.never, 0..<stopCount)
    cells.bestReady.fill(Self.never, 0..<stopCount)
    cells.isMarked.fill(0, 0..<stopCount)
    cells.isBoardable.fill(0, 0..<stopCount)
    cells.target.fill(-1, 0..<stopCount)
    cells.patternPlace.fill(.max, 0..<contents.patternCount)
    clearRow(0)
  }

  private func clearRow(_ round: Int) {
    let row = round * stopCount..<(round + 1) * stopCount
    cells.reached.fill(Self.never, row)
    cells.ready.fill(Self.never, row)
  }

  /// Adds a stop of the destination.
  ///
  func addTarget(_ stop: Int, minutes: Int32, walks isWalking: Bool) {
    func set(_ stop: Int, _ minutes: Int32) {
      let old = cells.target[stop]
      if old < 0 || minutes < old { cells.target[stop] = minutes }
    }
    set(stop, minutes)
    let (starts, walks) =
      Direction.isForward
      ? (contents.reverseStarts, contents.reverseWalks) : (contents.walkStarts, contents.walks)
    guard isWalking else { return }
    for walk in Int(starts[stop])..<Int(starts[stop + 1]) {
      set(Int(walks[walk * 2]), Int32(walks[walk * 2 + 1]))
    }
  }

  /// Adds a stop of the origin.
  ///
  /// - Parameters:
  ///   - time: The time at which one is there, in the direction of the search.
  ///   - walks: Whether one may walk on along `transfers.txt`.
  mutating func addOrigin(_ stop: Int, at time: Int32, walks isWalking: Bool) {
    earliest = min(earliest, time)
    setReady(0, stop, time, from: stop)
    guard isWalking else { return }
    let (starts, walks) = walkColumns
    for walk in Int(starts[stop])..<Int(starts[stop + 1]) {
      setReady(
        0, Int(walks[walk * 2]), time + Int32(walks[walk * 2 + 1]), from: stop)
    }
  }

  private var walkColumns: (starts: Column<UInt32>, walks: Column<UInt32>) {
    Direction.isForward
      ? (contents.walkStarts, contents.walks) : (contents.reverseStarts, contents.reverseWalks)
  }

  @inline(__always)
  private mutating func setReady(_ round: Int, _ stop: Int, _ time: Int32, from other: Int) {
    guard time < cells.bestReady[stop], time < bound else { return }
    let place = round &* stopCount &+ stop
    cells.bestReady[stop] = time
    cells.ready[place] = time
    cells.readyFrom[place] = Int32(truncatingIfNeeded: other)
    if cells.isBoardable[stop] == 0 {
      cells.isBoardable[stop] = 1
      cells.boardable[boardableCount] = Int32(truncatingIfNeeded: stop)
      boardableCount &+= 1
    }
  }

  /// Searches, and fills ``found``.
  mutating func run() {
    for round in 1...maximumRides {
      guard boardableCount > 0 else { return }
      clearRow(round)
      queuePatterns()
      for place in 0..<queueCount {
        let number = Int(cells.queue[place])
        let first = Int(cells.patternPlace[number])
        cells.patternPlace[number] = .max
        scan(number, from: first, round)
      }
      if round < maximumRides { walk(round) }
      for place in 0..<markedCount { cells.isMarked[Int(cells.marked[place])] = 0 }
      markedCount = 0
    }
  }

  /// Collects the patterns at the stops at which one can board anew.
  private mutating func queuePatterns() {
    queueCount = 0
    for place in 0..<boardableCount {
      let stop = Int(cells.boardable[place])
      cells.isBoardable[stop] = 0
      guard cells.bestReady[stop] < bound else { continue }
      for visit in Int(contents.visitStarts[stop])..<Int(contents.visitStarts[stop &+ 1]) {
        let number = Int(contents.visits[visit &* 2])
        var position = Int32(bitPattern: contents.visits[visit &* 2 &+ 1])
        if !Direction.isForward {
          position = Int32(bitPattern: contents.patterns[number &* 7 &+ 2]) &- 1 &- position
        }
        let known = cells.patternPlace[number]
        if known == .max {
          cells.queue[queueCount] = Int32(truncatingIfNeeded: number)
          queueCount &+= 1
        }
        if position < known { cells.patternPlace[number] = position }
      }
    }
    boardableCount = 0
  }

  /// Sets the times at which one can board after this round.
  private mutating func walk(_ round: Int) {
    let (starts, walks) = walkColumns
    let row = round &* stopCount
    for place in 0..<markedCount {
      let stop = Int(cells.marked[place])
      let time = cells.reached[row &+ stop]
      guard time < bound else { continue }
      if let change = contents.change(at: stop) {
        setReady(round, stop, time &+ change, from: stop)
      }
      for walk in Int(starts[stop])..<Int(starts[stop &+ 1]) {
        setReady(
          round, Int(walks[walk &* 2]), time &+ Int32(bitPattern: walks[walk &* 2 &+ 1]), from: stop
        )
      }
    }
  }

  // MARK: Patterns

  private mutating func scan(_ number: Int, from first: Int, _ round: Int) {
    let pattern = contents.pattern(number)
    guard filter.allows(route: pattern.route) else { return }
    for day in days { scan(pattern, day, from: first, round) }
  }

  private mutating func scan(
    _ pattern: TimetableContents.Pattern, _ day: SearchDay, from first: Int, _ round: Int
  ) {
    let count = pattern.runCount
    let last = pattern.stopCount &- 1
    // The first run of the day comes too late, or all of them are over.
    if boardTime(pattern, day, first, 0) >= bound { return }
    if boardTime(pattern, day, last, count &- 1) < earliest { return }
    let previous = (round &- 1) &* stopCount
    let row = round &* stopCount
    var run = count
    var boarded = 0
    var place = first
    while place <= last {
      let real = Direction.isForward ? place : last &- place
      let stop = Int(contents.patternStops[pattern.firstStop &+ real])
      let flags = contents.patternFlags[pattern.firstStop &+ real]
      if run < count {
        let time = alightTime(pattern, day, place, run)
        if flags & (Direction.isForward ? 2 : 1) != 0, time < bound,
          time < cells.bestReached[stop]
        {
          cells.bestReached[stop] = time
          let cell = row &+ stop
          cells.reached[cell] = time
          cells.reachedRun[cell] =
            Int32(
              truncatingIfNeeded: (pattern.firstRun &+ realRun(run, count)) &<< 4)
            | day.index
          cells.reachedPlaces[cell] = Int32(truncatingIfNeeded: boarded &<< 16 | place)
          if cells.isMarked[stop] == 0 {
            cells.isMarked[stop] = 1
            cells.marked[markedCount] = Int32(truncatingIfNeeded: stop)
            markedCount &+= 1
          }
          let walk = cells.target[stop]
          if walk >= 0, time &+ walk < bound {
            bound = time &+ walk
            note(round, stop, bound)
          }
        }
      }
      let ready = cells.ready[previous &+ stop]
      if ready < bound, flags & (Direction.isForward ? 1 : 2) != 0, place < last {
        let isEarlier = run == count || ready <= boardTime(pattern, day, place, run)
        if isEarlier, let earlier = firstRun(pattern, day, place, ready, before: run) {
          (run, boarded) = (earlier, place)
        }
      }
      place &+= 1
    }
  }

  private mutating func note(_ round: Int, _ stop: Int, _ arrival: Int32) {
    if let last = found.last, last.round == round { found.removeLast() }
    found.append((round, stop, arrival))
  }

  @inline(__always)
  private func realRun(_ run: Int, _ count: Int) -> Int {
    Direction.isForward ? run : count &- 1 &- run
  }

  /// Returns the time at which a run can be boarded at a place, in the direction of the search.
  @inline(__always)
  private func boardTime(
    _ pattern: TimetableContents.Pattern, _ day: SearchDay, _ place: Int, _ run: Int
  ) -> Int32 {
    let count = pattern.runCount
    if Direction.isForward {
      return Int32(contents.times[pattern.departures &+ place &* count &+ run]) &+ day.offset
    }
    let real = pattern.stopCount &- 1 &- place
    return 0
      &- (Int32(contents.times[pattern.arrivals &+ real &* count &+ count &- 1 &- run])
        &+ day.offset)
  }

  @inline(__always)
  private func alightTime(
    _ pattern: TimetableContents.Pattern, _ day: SearchDay, _ place: Int, _ run: Int
  ) -> Int32 {
    let count = pattern.runCount
    if Direction.isForward {
      return Int32(contents.times[pattern.arrivals &+ place &* count &+ run]) &+ day.offset
    }
    let real = pattern.stopCount &- 1 &- place
    return 0
      &- (Int32(contents.times[pattern.departures &+ real &* count &+ count &- 1 &- run])
        &+ day.offset)
  }

  /// Returns the first run before another one that runs on a day and can be boarded at a place from a time on.
  @inline(__always)
  private func firstRun(
    _ pattern: TimetableContents.Pattern, _ day: SearchDay, _ place: Int, _ time: Int32,
    before end: Int
  ) -> Int? {
    var (low, high) = (0, end)
    while low < high {
      let middle = (low &+ high) &>> 1
      if boardTime(pattern, day, place, middle) < time { low = middle &+ 1 } else { high = middle }
    }
    while low < end {
      let service = contents.runServices[pattern.firstRun &+ realRun(low, pattern.runCount)]
      if day.active[Int(service & RunFlags.serviceMask)], filter.allows(run: service) {
        return low
      }
      low &+= 1
    }
    return nil
  }
}

/// A service day whose trips a search looks at.
struct SearchDay {
  /// The number of the day among those of the search.
  let index: Int32
  /// The minutes from the start of the query's service day to the start of this one.
  let offset: Int32
  /// Whether each service runs.
  let active: Column<Bool>
}

/// The trips that a search may use.
struct SearchFilter {
  /// Whether each route may be used; empty if all of them may.
  var routes: [Bool] = []
  /// Only trips that say that they are accessible.
  var isWheelchair = false

  @inline(__always)
  func allows(route: Int) -> Bool { routes.isEmpty || routes[route] }

  @inline(__always)
  func allows(run: UInt32) -> Bool {
    !isWheelchair || run >> RunFlags.wheelchair & 3 == 1
  }
}
