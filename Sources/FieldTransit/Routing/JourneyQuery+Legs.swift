extension JourneyQuery {
  /// Follows a journey back to where the search began.
  func legs<Direction: SearchDirection>(
    of found: (round: Int, node: Int, arrival: Int32), _ search: Search<Direction>, at time: Int32
  ) -> [JourneyLeg] {
    let (contents, cells, count) = (search.contents, search.cells, search.nodeCount)
    var legs: [JourneyLeg] = []
    legs.reserveCapacity(found.round * 2 + 1)
    var node = found.node
    let reached = cells.reached[found.round * count + node]
    if found.arrival > reached {
      let isAccess = ends.contains { $0.node == node && $0.walk != nil }
      let to =
        isAccess ? nil : destination(from: node, found.arrival - reached, contents, Direction.self)
      legs.append(walk(from: node, to: to, reached, found.arrival, Direction.self))
    }
    for round in (1...found.round).reversed() {
      let cell = round * count + node
      let boarded = append(
        ridesOf: cell, search, to: &legs)
      let ready = (round - 1) * count + boarded
      node = Int(cells.readyFrom[ready])
      let begin = round > 1 ? cells.reached[(round - 1) * count + node] : nil
      if contents.stop(ofNode: node) != contents.stop(ofNode: boarded) {
        legs.append(
          walk(from: node, to: boarded, begin ?? time, cells.ready[ready], Direction.self))
      } else if round == 1, let walk = starts.first(where: { $0.node == node })?.walk {
        legs.append(
          self.walk(from: nil, to: boarded, time, time + walk, Direction.self))
      }
    }
    return Direction.isForward ? legs.reversed() : legs
  }

  /// Appends the rides that lead to a node in a round without a change, the last one first, and returns the node at which
  /// the first one was boarded.
  private func append<Direction: SearchDirection>(
    ridesOf cell: Int, _ search: Search<Direction>, to legs: inout [JourneyLeg]
  ) -> Int {
    let contents = search.contents
    var (run, day) = Days.run(search.cells.reachedRun[cell])
    let places = UInt32(bitPattern: search.cells.reachedPlaces[cell])
    var (boarded, alighted) = (Int(places >> 16), Int(places & 0xFFFF))
    var isBefore = false
    while true {
      let isSeated = boarded == Search<Direction>.seated
      let number = contents.pattern(ofRun: run)
      let last = contents.pattern(number).stopCount - 1
      let first = isSeated ? 0 : boarded
      let (from, to) =
        Direction.isForward ? (first, alighted) : (last - alighted, last - first)
      let offset = search.days[day].offset
      var leg = JourneyLeg(
        kind: .ride(pattern: number, run: run, from: from, to: to, offset: offset),
        storage: storage, day: self.day,
        start: contents.times(of: number, run: run, at: from).departure + offset,
        end: contents.times(of: number, run: run, at: to).arrival + offset)
      // Of two rides in one vehicle, the one that is later in time is the continuation.
      leg.isContinuation = Direction.isForward ? isSeated : isBefore
      legs.append(leg)
      guard isSeated else {
        return contents.stop(of: number, at: Direction.isForward ? from : to)
      }
      isBefore = true
      (run, day, boarded) = search.seatBefore(run, day)
      alighted = contents.pattern(contents.pattern(ofRun: run)).stopCount - 1
    }
  }

  /// Returns a walk between times in the direction of a search.
  private func walk<Direction: SearchDirection>(
    from: Int?, to: Int?, _ start: Int32, _ end: Int32, _ direction: Direction.Type
  ) -> JourneyLeg {
    Direction.isForward
      ? JourneyLeg(
        kind: .walk(from: from, to: to, minutes: end - start), storage: storage, day: day,
        start: start, end: end)
      : JourneyLeg(
        kind: .walk(from: to, to: from, minutes: end - start), storage: storage, day: day,
        start: -end, end: -start)
  }

  /// Returns the node of the destination to which a walk from the last ride leads.
  private func destination<Direction: SearchDirection>(
    from node: Int, _ minutes: Int32, _ contents: TimetableContents, _ direction: Direction.Type
  ) -> Int? {
    let (starts, walks) =
      Direction.isForward
      ? (contents.walkStarts, contents.walks) : (contents.reverseStarts, contents.reverseWalks)
    for walk in Int(starts[node])..<Int(starts[node + 1]) {
      let to = Int(walks[walk * 2])
      if Int32(walks[walk * 2 + 1]) == minutes, ends.contains(where: { $0.node == to }) {
        return to
      }
    }
    return nil
  }
}
