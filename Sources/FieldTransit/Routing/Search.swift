/// A search for the journeys that arrive earliest with each number of rides, in rounds over the patterns (RAPTOR).
///
/// In round `k`, the patterns at nodes that became better in round `k - 1` are scanned once, from the first such node on,
/// with the earliest run that can be boarded. Times are minutes relative to the service day of the query.
///
/// A search for a range of departures begins with the latest one, and keeps what it has reached for the earlier ones,
/// which only matter where they arrive earlier (rRAPTOR). For each place of a pattern, it also keeps the departure of the last run
/// that hasn't been used for a later departure. A pattern is scanned again only if one can board that run or an earlier one.
struct Search<Direction: SearchDirection> {
  /// A time that is later than any.
  static var never: Int32 { 1 << 30 }

  let contents: TimetableContents
  let cells: SearchLayout
  let nodeCount: Int
  /// The service days, in the direction of the search.
  let days: Days
  let filter: SearchFilter
  let maximumRides: Int
  /// The earliest time at which one is at an origin.
  private(set) var earliest = never
  /// The end of a range of departures.
  var latestDeparture = never
  /// The time from which on arrivals don't matter, in the direction of the search.
  private(set) var bound: Int32
  /// The round in progress.
  private var round = 0
  private var markedCount = 0
  private var boardableCount = 0
  private var queueCount = 0
  /// The number of runs in which passengers have stayed and which are still to be followed in this round.
  var seatCount = 0
  /// The node and the round of each journey found, from the first round on.
  var found: [(round: Int, node: Int, arrival: Int32)] = []

  init(
    _ contents: TimetableContents, _ cells: SearchLayout, days: Days, filter: SearchFilter,
    maximumRides: Int
  ) {
    (self.contents, self.cells, self.days, self.filter) = (contents, cells, days, filter)
    self.maximumRides = maximumRides
    bound = Self.never
    nodeCount = contents.nodeCount
    found.reserveCapacity(maximumRides)
    clear()
  }

  /// Prepares for a search, with no destination and nothing reached.
  private func clear() {
    let best = 0..<bestCount * nodeCount
    cells.bestReached.fill(Self.never, best)
    cells.bestReady.fill(Self.never, best)
    cells.isMarked.fill(0, 0..<nodeCount)
    cells.isBoardable.fill(0, 0..<nodeCount)
    cells.target.fill(-1, 0..<nodeCount)
    cells.patternPlace.fill(.max, 0..<contents.patternCount)
    cells.patternNear.fill(.max, 0..<contents.patternCount)
    cells.remaining.fill(0, 0..<nodeCount)
    cells.bounds.fill(Self.never, 0..<maximumRides + 1)
    cells.lastUseful.fill(Self.never, 0..<cells.lastUseful.count)
    clearRow(0)
    if Direction.isRange {
      for round in 1..<maximumRides + 1 { clearRow(round) }
    }
    clearSeats()
  }

  private func clearRow(_ round: Int) {
    let row = round * nodeCount..<(round + 1) * nodeCount
    cells.reached.fill(Self.never, row)
    cells.ready.fill(Self.never, row)
  }

  /// Adds a node of the destination.
  func addTarget(_ node: Int, minutes: Int32, walks isWalking: Bool) {
    func set(_ node: Int, _ minutes: Int32) {
      let old = cells.target[node]
      if old < 0 || minutes < old { cells.target[node] = minutes }
    }
    set(node, minutes)
    let (starts, walks) =
      Direction.isForward
      ? (contents.reverseStarts, contents.reverseWalks) : (contents.walkStarts, contents.walks)
    guard isWalking else { return }
    for walk in Int(starts[node])..<Int(starts[node + 1]) {
      set(Int(walks[walk * 2]), Int32(walks[walk * 2 + 1]))
    }
  }

  /// Leaves out what can't arrive in time, as it follows from the destination.
  func limit(_ times: RemainingTimes) {
    // Nodes that need more than two rides count as needing three: finding out how many takes longer than the search that it
    // would shorten.
    let knownRides = min(maximumRides, 2)
    for node in 0..<nodeCount {
      let isTarget = cells.target[node] >= 0
      cells.remaining[node] = isTarget ? cells.target[node] : Self.never
      cells.remainingRides[node] = isTarget ? 0 : Int32(knownRides) + 1
    }
    times.fill(cells.remaining, contents)
    times.fillRides(cells.remainingRides, upTo: knownRides, contents)
  }

  /// Begins a search from a time on, in its direction.
  ///
  /// - Parameter bound: The time from which on arrivals don't matter.
  mutating func begin(at time: Int32, bound: Int32) {
    (earliest, round) = (time, 0)
    found.removeAll(keepingCapacity: true)
    self.bound = bound
  }

  /// Adds a node of the origin.
  ///
  /// - Parameters:
  ///   - time: The time at which one is there, in the direction of the search.
  ///   - walks: Whether one may walk on along `transfers.txt`.
  mutating func addOrigin(_ node: Int, at time: Int32, walks isWalking: Bool) {
    setReady(0, node, time, from: node)
    guard isWalking else { return }
    let (starts, walks) = walkColumns
    for walk in Int(starts[node])..<Int(starts[node + 1]) {
      setReady(
        0, Int(walks[walk * 2]), time + Int32(walks[walk * 2 + 1]), from: node)
    }
  }

  private var walkColumns: (starts: Column<UInt32>, walks: Column<UInt32>) {
    Direction.isForward
      ? (contents.walkStarts, contents.walks) : (contents.reverseStarts, contents.reverseWalks)
  }

  @inline(__always)
  private mutating func setReady(_ round: Int, _ node: Int, _ time: Int32, from other: Int) {
    let best = bestPlace(node)
    guard time < cells.bestReady[best], time &+ cells.remaining[node] < bound,
      !isLate(time, at: node, after: round, needing: 1)
    else { return }
    let place = round &* nodeCount &+ node
    let before = cells.bestReady[best]
    setBest(cells.bestReady, best, time)
    cells.ready[place] = time
    cells.readyFrom[place] = Int32(truncatingIfNeeded: other)
    if cells.isBoardable[node] == 0 {
      cells.isBoardable[node] = 1
      cells.readyBefore[node] = before
      cells.boardable[boardableCount] = Int32(truncatingIfNeeded: node)
      boardableCount &+= 1
    }
  }

  /// Searches, and fills ``found``.
  ///
  /// - Parameter departures: The patterns to scan first, and from where on; by default, all those at the origin.
  mutating func run(_ departures: ArraySlice<Departure>? = nil) {
    let limit = bound
    for round in 1...maximumRides {
      guard boardableCount > 0 else { return }
      if Direction.isRange {
        beginRound(round, limit)
      } else {
        clearRow(round)
      }
      if round == 1, let departures { queue(departures) } else { queuePatterns(round) }
      for place in 0..<queueCount {
        let number = Int(cells.queue[place])
        let first = Int(cells.patternPlace[number])
        cells.patternPlace[number] = .max
        scan(number, from: first, to: Int(cells.patternLast[number]), round)
      }
      clearBoardable()
      followSeats(round)
      if round < maximumRides { walk(round) }
      for place in 0..<markedCount { cells.isMarked[Int(cells.marked[place])] = 0 }
      markedCount = 0
      if Direction.isRange { cells.bounds[round] = min(bound, cells.bounds[round]) }
    }
  }

  private mutating func clearBoardable() {
    for place in 0..<boardableCount { cells.isBoardable[Int(cells.boardable[place])] = 0 }
    boardableCount = 0
  }

  /// The number of best times of a node: one, or one for each round, which nothing of a later round replaces.
  @inline(__always)
  private var bestCount: Int { Direction.isRange ? maximumRides &+ 1 : 1 }

  /// Returns the place of a node's best time in the round in progress.
  @inline(__always)
  private func bestPlace(_ node: Int) -> Int {
    Direction.isRange ? node &* bestCount &+ round : node
  }

  /// Sets a best time of a round, which is one of the later rounds, too.
  @inline(__always)
  private func setBest(_ best: Cells, _ place: Int, _ time: Int32) {
    guard Direction.isRange else {
      best[place] = time
      return
    }
    var place = place
    for _ in round...maximumRides {
      guard time < best[place] else { return }
      best[place] = time
      place &+= 1
    }
  }

  /// Returns whether whoever is at a node after some rides can't arrive earlier than those who depart later and have as many rides in
  /// all.
  ///
  /// - Parameter least: The number of rides that follow at least.
  @inline(__always)
  private func isLate(
    _ time: Int32, at node: Int, after rides: Int, needing least: Int32
  ) -> Bool {
    guard Direction.isRange else { return false }
    let all = rides &+ Int(max(least, cells.remainingRides[node]))
    return all > maximumRides || time &+ cells.remaining[node] >= cells.bounds[all]
  }

  /// Takes over when one arrives with fewer rides.
  private mutating func beginRound(_ round: Int, _ limit: Int32) {
    self.round = round
    cells.bounds[round] = min(cells.bounds[round], cells.bounds[round &- 1])
    bound = min(limit, cells.bounds[round])
  }

  /// Collects the patterns at the nodes at which one can board anew.
  private mutating func queuePatterns(_ round: Int) {
    queueCount = 0
    let (previous, useful) = ((round &- 1) &* nodeCount, lastUsefulRow(round))
    for place in 0..<boardableCount {
      let node = Int(cells.boardable[place])
      let ready = cells.ready[previous &+ node]
      for visit in Int(contents.visitStarts[node])..<Int(contents.visitStarts[node &+ 1]) {
        let number = Int(contents.visits[visit &* 2])
        var position = Int32(bitPattern: contents.visits[visit &* 2 &+ 1])
        if !Direction.isForward {
          position = Int32(truncatingIfNeeded: contents.pattern(number).stopCount) &- 1 &- position
        }
        if Direction.isRange, useful >= 0 {
          let pattern = contents.pattern(number)
          // All runs from then on have been boarded for a later departure of the range, and nobody boards at the last stop.
          if cells.lastUseful[useful &+ pattern.firstStop &+ Int(position)] < ready
            || Int(position) &+ 1 == pattern.stopCount
          {
            continue
          }
        }
        queue(number, from: position)
      }
    }
  }

  /// Returns where the places of patterns begin in ``SearchLayout/lastUseful`` for a round, or -1 if it has none.
  @inline(__always)
  private func lastUsefulRow(_ round: Int) -> Int {
    Direction.isRange && SearchSize.rememberedRounds.contains(round)
      ? (round &- SearchSize.rememberedRounds.lowerBound) &* contents.patternStops.count : -1
  }

  /// Collects the patterns of which a run departs at a time.
  private mutating func queue(_ departures: ArraySlice<Departure>) {
    queueCount = 0
    for departure in departures { queue(Int(departure.pattern), from: departure.place) }
  }

  @inline(__always)
  private mutating func queue(_ number: Int, from position: Int32) {
    let known = cells.patternPlace[number]
    if known == .max {
      cells.queue[queueCount] = Int32(truncatingIfNeeded: number)
      queueCount &+= 1
      cells.patternLast[number] = position
    }
    if position < known { cells.patternPlace[number] = position }
    if position > cells.patternLast[number] { cells.patternLast[number] = position }
  }

  /// Sets the times at which one can board after this round.
  private mutating func walk(_ round: Int) {
    let (starts, walks) = walkColumns
    let row = round &* nodeCount
    for place in 0..<markedCount {
      let node = Int(cells.marked[place])
      let time = cells.reached[row &+ node]
      guard time < bound else { continue }
      if let change = contents.change(at: node) {
        setReady(round, node, time &+ change, from: node)
      }
      for walk in Int(starts[node])..<Int(starts[node &+ 1]) {
        setReady(
          round, Int(walks[walk &* 2]), time &+ Int32(bitPattern: walks[walk &* 2 &+ 1]), from: node
        )
      }
    }
  }

  // MARK: Patterns

  /// Scans a pattern from the first place at which one can board anew.
  private mutating func scan(_ number: Int, from first: Int, to lastBoarding: Int, _ round: Int) {
    let pattern = contents.pattern(number)
    guard filter.allows(route: pattern.route) else { return }
    let last = pattern.stopCount &- 1
    var (lower, upper) = (0, days.count)
    // All runs of the first days are over, or those of the last ones come too late.
    while lower < upper, boardTime(pattern, days[lower], last, pattern.runCount &- 1) < earliest {
      lower &+= 1
    }
    while lower < upper, boardTime(pattern, days[upper &- 1], first, 0) >= bound { upper &-= 1 }
    guard lower < upper else { return }
    if pattern.flags & PatternFlags.isDaily != 0 || upper &- lower == 1 {
      let row = lastUsefulRow(round)
      let useful = row < 0 ? row : row &+ pattern.firstStop
      scan(number, pattern, lower, upper, from: first, to: lastBoarding, round, useful)
    } else {
      for day in lower..<upper {
        scan(number, pattern, day, day &+ 1, from: first, to: lastBoarding, round, -1)
      }
    }
  }

  /// Scans the runs of days, which are in order.
  ///
  /// - Parameter useful: Where the places of the pattern begin in ``SearchLayout/lastUseful``, or -1 if it isn't used.
  private mutating func scan(
    _ number: Int, _ pattern: TimetableContents.Pattern, _ lower: Int, _ upper: Int,
    from first: Int, to lastBoarding: Int, _ round: Int, _ useful: Int
  ) {
    let last = pattern.stopCount &- 1
    let previous = (round &- 1) &* nodeCount
    let remembers = Direction.isRange && useful >= 0
    // Whether the run before one of the same day is the last one before it of all days: those of the day before may still run.
    let isPriorLast = pattern.flags & PatternFlags.isDaily != 0 || lower == 0
    var (run, day, boarded) = (0, upper, 0)
    // The last run before the boarded one that runs on its day, or -1 if there is none.
    var prior = -1
    // The runs from this one up to the boarded one don't run on the day.
    var idle = pattern.runCount
    var place = first
    while place <= last {
      let real = Direction.isForward ? place : last &- place
      let node = Int(contents.patternStops[pattern.firstStop &+ real])
      let flags = contents.patternFlags[pattern.firstStop &+ real]
      if day < upper {
        let time = alightTime(pattern, days[day], place, run)
        if time &+ cells.remaining[node] >= bound {
          // It only becomes later from here on.
          if place > lastBoarding { return }
        } else if flags & (Direction.isForward ? 2 : 1) != 0, isBetter(time, at: node) {
          let realRun = pattern.firstRun &+ realRun(run, pattern.runCount)
          reach(node, time, round, days.cell(realRun, day), boarded &<< 16 | place)
        }
        if remembers, prior < 0 ? day == 0 : isPriorLast {
          // The boarded run is ridden from here on, so only runs before it matter for earlier departures.
          let last = prior < 0 ? -Self.never : boardTime(pattern, days[day], place, prior)
          cells.lastUseful[useful &+ place] = min(cells.lastUseful[useful &+ place], last)
        }
      }
      if place > lastBoarding {
        if day == upper { return }
        place &+= 1
        continue
      }
      let ready = cells.ready[previous &+ node]
      if cells.isBoardable[node] != 0, ready < bound, place < last,
        flags & (Direction.isForward ? 1 : 2) != 0,
        day == upper || ready <= boardTime(pattern, days[day], place, run),
        !remembers || cells.lastUseful[useful &+ place] >= ready
      {
        var other = lower
        // The last run that departs before one is ready, which an earlier departure may reach.
        var lastBefore = -Self.never
        if remembers, lower > 0 {
          lastBefore = boardTime(pattern, days[lower &- 1], place, pattern.runCount &- 1)
        }
        days: while other <= day, other < upper {
          let end = other == day ? run : pattern.runCount
          let near = Int(cells.patternNear[number])
          let first = firstRun(pattern, days[other], place, ready, near, before: end)
          cells.patternNear[number] = Int32(truncatingIfNeeded: first)
          if remembers {
            let past = endOfRuns(pattern, before: first, on: days[other])
            if past > 0 {
              lastBefore = max(lastBefore, boardTime(pattern, days[other], place, past &- 1))
            }
          }
          let known = upper &- lower > 1 ? end : min(end, idle)
          var next = first
          // Runs from the earlier time on have been boarded, with as many rides or fewer.
          while next < known,
            boardTime(pattern, days[other], place, next) < cells.readyBefore[node]
          {
            if allows(pattern.firstRun &+ realRun(next, pattern.runCount), on: days[other]) {
              (run, day, boarded, idle) = (next, other, place, first)
              if remembers { prior = endOfRuns(pattern, before: next, on: days[other]) &- 1 }
              break days
            }
            next &+= 1
          }
          if next >= known { idle = min(idle, first) }
          other &+= 1
        }
        if remembers { cells.lastUseful[useful &+ place] = lastBefore }
      }
      place &+= 1
    }
    if pattern.flags & seatFlag != 0 {
      addSeats(pattern, from: run, of: day, to: upper, boarded, round)
    }
  }

  /// Returns whether a time is earlier than those at which a node has been reached, and early enough.
  @inline(__always)
  func isBetter(_ time: Int32, at node: Int) -> Bool {
    time < cells.bestReached[bestPlace(node)]
      && time &+ cells.remaining[node] < bound
  }

  /// Notes that a node has been reached earlier than before.
  @inline(__always)
  mutating func reach(_ node: Int, _ time: Int32, _ round: Int, _ run: Int32, _ places: Int) {
    if isLate(time, at: node, after: round, needing: 0) { return }
    setBest(cells.bestReached, bestPlace(node), time)
    let cell = round &* nodeCount &+ node
    cells.reached[cell] = time
    cells.reachedRun[cell] = run
    cells.reachedPlaces[cell] = Int32(truncatingIfNeeded: places)
    if cells.isMarked[node] == 0 {
      cells.isMarked[node] = 1
      cells.marked[markedCount] = Int32(truncatingIfNeeded: node)
      markedCount &+= 1
    }
    let walk = cells.target[node]
    if walk >= 0, time &+ walk < bound {
      bound = time &+ walk
      if let last = found.last, last.round == round { found.removeLast() }
      found.append((round, node, bound))
    }
  }

  /// Returns the index after the last run before another one that runs on a day, or a larger one: it looks at a few runs only.
  private func endOfRuns(
    _ pattern: TimetableContents.Pattern, before end: Int, on day: SearchDay
  ) -> Int {
    // Looking at more runs costs as much as it saves. A larger index is always correct.
    let least = max(0, end &- 16)
    var end = end
    while end > least,
      !allows(pattern.firstRun &+ realRun(end &- 1, pattern.runCount), on: day)
    {
      end &-= 1
    }
    return end
  }

  /// Returns the first run before another one that can be boarded at a place from a time on, or that other one.
  ///
  /// - Parameter near: A run that may be close to it.
  @inline(__always)
  private func firstRun(
    _ pattern: TimetableContents.Pattern, _ day: SearchDay, _ place: Int, _ time: Int32,
    _ near: Int, before end: Int
  ) -> Int {
    var (low, high, step) = (0, end, 1)
    if near < end, boardTime(pattern, day, place, near) < time {
      low = near &+ 1
      while low &+ step <= high {
        let probe = low &+ step &- 1
        if boardTime(pattern, day, place, probe) >= time {
          high = probe
          break
        }
        (low, step) = (probe &+ 1, step &* 2)
      }
    } else if near < end {
      high = near
      while high >= step {
        let probe = high &- step
        if boardTime(pattern, day, place, probe) < time {
          low = probe &+ 1
          break
        }
        (high, step) = (probe, step &* 2)
      }
    }
    while low < high {
      let middle = (low &+ high) &>> 1
      if boardTime(pattern, day, place, middle) < time { low = middle &+ 1 } else { high = middle }
    }
    return low
  }
}

// MARK: - Runs

/// The times of runs, in the direction of a search.
extension Search {
  @inline(__always)
  func realRun(_ run: Int, _ count: Int) -> Int {
    Direction.isForward ? run : count &- 1 &- run
  }

  /// Returns the time at which a run can be boarded at a place, in the direction of the search.
  @inline(__always)
  func boardTime(
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
  func alightTime(
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

  /// Returns whether a run runs on a day and may be used.
  @inline(__always)
  func allows(_ run: Int, on day: SearchDay) -> Bool {
    let service = contents.runServices[run]
    return day.active[Int(service & RunFlags.serviceMask)] && filter.allows(run: service)
  }
}

// MARK: - Seats

/// Passengers who stay in a vehicle that continues as another trip, which is no change.
///
/// What can be reached so is noted in the round in which the first trip was boarded. Later runs of a pattern matter, too,
/// because they may go on where the first one doesn't.
extension Search {
  /// The place of boarding of passengers who have stayed in the vehicle.
  static var seated: Int { 0xFFFF }

  var seatFlag: UInt32 {
    Direction.isForward ? PatternFlags.hasNext : PatternFlags.hasPrevious
  }

  func clearSeats() {
    guard contents.seats.count > 0 else { return }
    cells.seatRound.fill(.max, 0..<contents.runTrips.count * days.count)
  }

  private func seat(_ run: Int, _ day: Int) -> Int { run * days.count + day }

  /// Notes the trips as which the runs of a pattern go on, from the first one that has been boarded.
  mutating func addSeats(
    _ pattern: TimetableContents.Pattern, from run: Int, of day: Int, to lastDay: Int,
    _ boarded: Int, _ round: Int
  ) {
    let place = Direction.isForward ? boarded : pattern.stopCount - 1 - boarded
    let node = Int(contents.patternStops[pattern.firstStop + place])
    let delay = round == 1 ? cells.ready[node] - earliest : 0
    var run = run
    for day in day..<max(day, lastDay) {
      while run < pattern.runCount {
        guard alightTime(pattern, days[day], pattern.stopCount - 1, run) < bound else { return }
        // A range has no departures after its end.
        if round == 1, boardTime(pattern, days[day], boarded, run) - delay > latestDeparture {
          return
        }
        let real = pattern.firstRun + realRun(run, pattern.runCount)
        if allows(real, on: days[day]) { addSeats(after: real, day, boarded, round) }
        run += 1
      }
      run = 0
    }
  }

  private mutating func addSeats(after run: Int, _ day: Int, _ boarded: Int, _ round: Int) {
    // In the direction of the search, the next day is always the next one.
    let column = Direction.isForward ? 0 : 1
    var row = firstSeatRow(of: run, column)
    var isBlockDone = false
    while row < contents.seats.count / 3 {
      let at = seatRow(row) * 3
      guard contents.seats[at + column] == UInt32(run) else { return }
      row += 1
      let flags = contents.seats[at + 2]
      let other = Int(contents.seats[at + 1 - column])
      let otherDay = flags & SeatFlags.isNextDay != 0 ? day + 1 : day
      guard otherDay < days.count, runs(other, otherDay) else { continue }
      if flags & SeatFlags.isOfBlock != 0 {
        // A vehicle continues as the first trip of its block that runs on the day.
        if Direction.isForward ? isBlockDone : !isFirst(at / 3, day) { continue }
        isBlockDone = true
      }
      guard flags & SeatFlags.isForbidden == 0, allows(other, on: days[otherDay]),
        filter.allows(route: contents.pattern(contents.pattern(ofRun: other)).route),
        cells.seatRound[seat(other, otherDay)] > round, isInTime(run, day, for: other, otherDay)
      else { continue }
      let cell = seat(other, otherDay)
      cells.seatRound[cell] = Int32(truncatingIfNeeded: round)
      cells.seatFrom[cell] = days.cell(run, day)
      cells.seatPlace[cell] = Int32(truncatingIfNeeded: boarded)
      cells.seatQueue[seatCount] = Int32(truncatingIfNeeded: cell)
      seatCount += 1
    }
  }

  /// Returns whether a run ends before another one begins. Linked trips may not, such as in a night without its second hour.
  private func isInTime(_ run: Int, _ day: Int, for other: Int, _ otherDay: Int) -> Bool {
    let first = contents.pattern(contents.pattern(ofRun: run))
    let next = contents.pattern(contents.pattern(ofRun: other))
    let end = realRun(run - first.firstRun, first.runCount)
    let start = realRun(other - next.firstRun, next.runCount)
    return alightTime(first, days[day], first.stopCount - 1, end)
      <= boardTime(next, days[otherDay], 0, start)
  }

  private func runs(_ run: Int, _ day: Int) -> Bool {
    days[day].active[Int(contents.runServices[run] & RunFlags.serviceMask)]
  }

  /// Returns whether no earlier trip of a block runs on a day, so that the vehicle continues as this one.
  private func isFirst(_ row: Int, _ day: Int) -> Bool {
    var other = row - 1
    while other >= 0, contents.seats[other * 3] == contents.seats[row * 3] {
      if contents.seats[other * 3 + 2] & SeatFlags.isOfBlock != 0,
        runs(Int(contents.seats[other * 3 + 1]), day)
      {
        return false
      }
      other -= 1
    }
    return true
  }

  private func seatRow(_ row: Int) -> Int {
    Direction.isForward ? row : Int(contents.seatOrder[row])
  }

  private func firstSeatRow(of run: Int, _ column: Int) -> Int {
    var (low, high) = (0, contents.seats.count / 3)
    while low < high {
      let middle = (low + high) / 2
      if Int(contents.seats[seatRow(middle) * 3 + column]) < run {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  /// Rides on with the passengers who have stayed in their vehicles in this round.
  mutating func followSeats(_ round: Int) {
    var next = 0
    while next < seatCount {
      let cell = Int(cells.seatQueue[next])
      ride(cell / days.count, cell % days.count, round)
      next += 1
    }
    seatCount = 0
  }

  private mutating func ride(_ run: Int, _ day: Int, _ round: Int) {
    let pattern = contents.pattern(contents.pattern(ofRun: run))
    let local = realRun(run - pattern.firstRun, pattern.runCount)
    let last = pattern.stopCount - 1
    for place in 1...last {
      let time = alightTime(pattern, days[day], place, local)
      guard time < bound else { return }
      let real = pattern.firstStop + (Direction.isForward ? place : last - place)
      guard contents.patternFlags[real] & (Direction.isForward ? 2 : 1) != 0 else { continue }
      let node = Int(contents.patternStops[real])
      if isBetter(time, at: node) {
        reach(node, time, round, days.cell(run, day), Self.seated << 16 | place)
      }
    }
    if pattern.flags & seatFlag != 0 { addSeats(after: run, day, Self.seated, round) }
  }

  /// Returns the run in which passengers boarded before they stayed in the vehicle of another one, and the place there.
  func seatBefore(_ run: Int, _ day: Int) -> (run: Int, day: Int, boarded: Int) {
    let cell = seat(run, day)
    let before = Days.run(cells.seatFrom[cell])
    return (before.run, before.day, Int(cells.seatPlace[cell]))
  }
}
