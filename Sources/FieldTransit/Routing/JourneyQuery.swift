internal import FieldCore
internal import FieldFoundation

/// A query for journeys at a time, with numbers in place of IDs.
struct JourneyQuery {
  /// A node, and the minutes to walk there or from there; `nil` if it is the place itself.
  struct Access {
    var node: Int
    var walk: Int32?

    /// Whether this is a stop, from which one may walk on along `transfers.txt`.
    func isStop(_ contents: TimetableContents) -> Bool {
      walk == nil && node < contents.stopCount
    }
  }

  let storage: TimetableStorage
  let day: QueryDay
  /// The minutes of the query after the start of its service day.
  let minutes: Int32
  private let options: JourneyOptions
  let starts: [Access], ends: [Access]

  init(
    _ timetable: Timetable, from start: JourneyPlace, to end: JourneyPlace, _ date: Date,
    _ options: JourneyOptions
  ) throws(FieldError) {
    storage = timetable.storage
    let seconds = Timetable.seconds(date)
    day = QueryDay(storage.rules, day: storage.rules.day(of: seconds))
    let (whole, rest) = (seconds - day.start).quotientAndRemainder(dividingBy: 60)
    minutes = Int32(clamping: rest < 0 ? whole - 1 : whole)
    self.options = options
    starts = try Self.access(start, storage, options)
    ends = try Self.access(end, storage, options)
  }

  private static func access(
    _ place: JourneyPlace, _ storage: TimetableStorage, _ options: JourneyOptions
  ) throws(FieldError) -> [Access] {
    switch place {
    case .stop(let id):
      let stop = storage.read { contents in
        id.withUTF8Span { contents.stop(withID: $0) }
      }
      guard let stop else {
        throw FieldError(
          .transitStop,
          "The timetable has no stop with the ID \"\(id.prefix(60))\". Search for its name first.")
      }
      return storage.read { contents in
        contents.members(of: stop).map { Access(node: $0, walk: nil) }
      }
    case .coordinate(let coordinate):
      return storage.read { contents in
        let speed = max(options.walkingSpeed, 1)
        let near = contents.stops(near: coordinate, within: options.maximumWalk.meters)
        return near.flatMap { stop in
          let walk = Int32(limiting: (stop.meters / speed).rounded(.up))
          return contents.nodes(of: stop.stop).map { Access(node: $0, walk: walk) }
        }
      }
    }
  }

  // MARK: Searching

  /// Returns the journeys at the time of the query.
  func journeys<Direction: SearchDirection>(_ direction: Direction.Type) -> [Journey] {
    let time = Direction.isForward ? minutes : -minutes
    return search(direction, from: time, to: time) { search in
      search.begin(at: time, bound: time + span + 1)
      addOrigins(at: time, &search)
      search.run()
      return search.found.map { Journey(legs: legs(of: $0, search, at: time)) }
    } ?? []
  }

  /// Returns the journeys that depart between the time of the query and another one.
  func journeys(until last: Int32) -> [Journey] {
    guard last >= minutes else { return [] }
    return search(ForwardRange.self, from: minutes, to: last) { search in
      var journeys: [Journey] = []
      search.limit(storage.remainingTimes.value)
      search.latestDeparture = last
      let departures = departures(until: last, search)
      var rest = departures[...]
      while let minute = rest.first?.minute {
        let now = rest.prefix { $0.minute == minute }
        rest = rest[now.endIndex...]
        search.begin(at: minute, bound: minute + span + 1)
        addOrigins(at: minute, &search)
        search.run(now)
        for found in search.found.reversed() {
          var legs = legs(of: found, search, at: minute)
          if legs.count > 1, legs[0].isWalk { legs[0].delay(until: legs[1].start) }
          journeys.append(Journey(legs: legs))
        }
      }
      return journeys.reversed()
    } ?? []
  }

  /// Calls a closure with a search with the destination.
  ///
  /// - Parameters:
  ///   - first, last: The times of the query, in the direction of the search.
  private func search<Direction: SearchDirection, Result>(
    _ direction: Direction.Type, from first: Int32, to last: Int32,
    _ body: (inout Search<Direction>) -> Result
  ) -> Result? {
    storage.read { contents in
      guard contents.patternCount > 0 else { return nil }
      var memory = storage.pool.take()
      defer { storage.pool.giveBack(memory) }
      let rides = min(max(options.maximumTransfers, 0), 15) + 1
      // Trips of the days before may still run, and those of the next days count within the limit.
      let latest = Int32(bitPattern: contents.fact(.latest))
      let before = Int(latest / 1440) + 1
      let after = min(1 + Int(span + last - first) / 1440, SearchSize.mostDays - 1 - before)
      memory.setDay(day.day, before: before, after: after, contents)
      let size = SearchSize(
        contents, rides: rides, days: before + after + 1, isRange: Direction.isRange)
      if memory.numbers.count < size.count {
        memory.numbers = [Int32](repeating: 0, count: size.count)
      }
      return unsafe memory.active.withUnsafeBufferPointer { active in
        unsafe memory.numbers.withUnsafeMutableBufferPointer { numbers -> Result? in
          guard let base = numbers.baseAddress, let services = active.baseAddress else {
            return nil
          }
          let cells = unsafe SearchLayout(base, size)
          var (count, nearest) = (0, 0)
          for place in 0...before + after {
            let place = Direction.isForward ? place : before + after - place
            let start = storage.rules.start(ofDay: day.day &+ Int32(place - before))
            let offset = Int32((start - day.start) / 60)
            // Days whose trips are all before or after the times of the query don't matter.
            let isNear =
              Direction.isForward
              ? offset + latest >= first && offset <= last + span
              : offset <= -first && offset + latest >= -last - span
            guard isNear else { continue }
            if count == 0 { nearest = place }
            cells.offsets[count] = offset
            count += 1
          }
          let days = unsafe Days(
            cells.offsets, services + nearest * contents.serviceCount,
            services: contents.serviceCount, isReversed: !Direction.isForward, count: count)
          var search = Search<Direction>(
            contents, cells, days: days, filter: filter(contents), maximumRides: rides)
          for end in ends {
            search.addTarget(
              end.node, minutes: end.walk ?? 0, walks: end.isStop(contents))
          }
          return body(&search)
        }
      }
    }
  }

  private func addOrigins<Direction: SearchDirection>(
    at time: Int32, _ search: inout Search<Direction>
  ) {
    for start in starts {
      search.addOrigin(
        start.node, at: time + (start.walk ?? 0), walks: start.isStop(search.contents))
    }
  }

  /// The longest journey, in minutes.
  private var span: Int32 { Int32(min(max(options.maximumMinutes, 0), 7 * 1440)) }

  private func filter(_ contents: TimetableContents) -> SearchFilter {
    var filter = SearchFilter(isWheelchair: options.isWheelchairAccessible)
    if !options.avoidedModes.isEmpty {
      filter.routes = (0..<contents.routes.count / 6).map { route in
        let type = Int(Int32(bitPattern: contents.routes[route * 6 + 2]))
        return !options.avoidedModes.contains(TransitMode(rawValue: type))
      }
    }
    return filter
  }

  /// Returns the departures at the origin, the latest one first.
  private func departures(until last: Int32, _ search: Search<ForwardRange>) -> [Departure] {
    let contents = search.contents
    var departures: [Departure] = []
    for start in starts {
      search.addDepartures(at: start.node, start.walk ?? 0, minutes...last, to: &departures)
      guard start.isStop(contents) else { continue }
      for walk in Int(contents.walkStarts[start.node])..<Int(contents.walkStarts[start.node + 1]) {
        let node = Int(contents.walks[walk * 2])
        // Whoever begins there needn't walk.
        guard !starts.contains(where: { $0.node == node }) else { continue }
        search.addDepartures(
          at: node, Int32(contents.walks[walk * 2 + 1]), minutes...last, to: &departures)
      }
    }
    return departures.sorted { $0.minute > $1.minute }
  }

  // MARK: Reasons

  func absence<Direction: SearchDirection>(_ direction: Direction.Type) -> JourneyAnswer.Absence {
    storage.read { contents in
      let (first, last) = (contents.signed(.firstDay), contents.signed(.lastDay))
      guard first <= last else { return .nothingWithinLimits }
      if day.day > last { return .expired(CalendarDay(dayNumber: last)) }
      if day.day < first { return .notYetValid(CalendarDay(dayNumber: first)) }
      let (origins, destinations) = Direction.isForward ? (starts, ends) : (ends, starts)
      if !origins.contains(where: { isServed($0.node, 1, contents) }) { return .notServedAtOrigin }
      if !destinations.contains(where: { isServed($0.node, 2, contents) }) {
        return .notServedAtDestination
      }
      return .nothingWithinLimits
    }
  }

  /// Returns whether a trip of the days around the query stops at a node, where one can board (1) or alight (2).
  private func isServed(_ node: Int, _ flag: UInt8, _ contents: TimetableContents) -> Bool {
    (Int(contents.visitStarts[node])..<Int(contents.visitStarts[node + 1])).contains { visit in
      let pattern = contents.pattern(Int(contents.visits[visit * 2]))
      let place = Int(contents.visits[visit * 2 + 1])
      // Nobody boards at the last stop of a trip, or alights at the first one.
      guard contents.patternFlags[pattern.firstStop + place] & flag != 0,
        place != (flag == 1 ? pattern.stopCount - 1 : 0)
      else { return false }
      return (pattern.firstRun..<pattern.firstRun + pattern.runCount).contains { run in
        let service = Int(contents.runServices[run] & RunFlags.serviceMask)
        return (-1...1).contains { contents.isActive(service, on: day.day + $0) }
      }
    }
  }
}

// MARK: - Legs

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
