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
        cells.seatRound[seat(other, otherDay)] > round
      else { continue }
      let cell = seat(other, otherDay)
      cells.seatRound[cell] = Int32(truncatingIfNeeded: round)
      cells.seatFrom[cell] = days.cell(run, day)
      cells.seatPlace[cell] = Int32(truncatingIfNeeded: boarded)
      cells.seatQueue[seatCount] = Int32(truncatingIfNeeded: cell)
      seatCount += 1
    }
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
