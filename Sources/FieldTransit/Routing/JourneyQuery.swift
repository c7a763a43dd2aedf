internal import FieldCore
internal import FieldFoundation

/// A query for journeys at a time, with numbers in place of IDs.
struct JourneyQuery {
  /// A stop, and the minutes to walk there or from there; `nil` if it is the place itself.
  struct Access {
    var stop: Int
    var walk: Int32?
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
        (Int(contents.memberStarts[stop])..<Int(contents.memberStarts[stop + 1])).map {
          Access(stop: Int(contents.members[$0]), walk: nil)
        }
      }
    case .coordinate(let coordinate):
      return storage.read { contents in
        let speed = max(options.walkingSpeed, 1)
        return contents.stops(near: coordinate, within: options.maximumWalk.meters).map {
          Access(stop: $0.stop, walk: Int32(limiting: ($0.meters / speed).rounded(.up)))
        }
      }
    }
  }

  // MARK: Searching

  func journeys<Direction: SearchDirection>(_ direction: Direction.Type) -> [Journey] {
    storage.read { contents in
      guard contents.patternCount > 0 else { return [] }
      var memory = storage.pool.take()
      defer { storage.pool.giveBack(memory) }
      let rides = min(max(options.maximumTransfers, 0), 15) + 1
      let size = SearchLayout.size(
        stops: contents.stopCount, patterns: contents.patternCount, rows: rides + 1)
      if memory.numbers.count < size {
        memory.numbers = [Int32](repeating: 0, count: size)
      }
      // Trips of the days before may still run, and those of the next days count within the limit.
      let (before, after) = (Int(contents.fact(.latest) / 1440) + 1, 1 + Int(span / 1440))
      memory.setDay(day.day, before: before, after: after, contents)
      let services = contents.serviceCount
      return unsafe memory.active.withUnsafeBufferPointer { active in
        var days: [SearchDay] = []
        days.reserveCapacity(before + after + 1)
        let time = sign(direction) * minutes
        for place in 0...before + after {
          guard let base = active.baseAddress else { break }
          let start = storage.rules.start(ofDay: day.day &+ Int32(place - before))
          let offset = Int32((start - day.start) / 60)
          let ends = offset + Int32(contents.fact(.latest))
          // Days whose trips are all before or after the times of the query don't matter.
          let isNear =
            Direction.isForward
            ? ends >= time && offset <= time + span : offset <= minutes && ends >= minutes - span
          guard isNear else { continue }
          days.append(
            SearchDay(
              index: Int32(days.count), offset: offset,
              active: unsafe Column(base + place * services, count: services)))
        }
        return unsafe memory.numbers.withUnsafeMutableBufferPointer { numbers -> [Journey] in
          guard let base = numbers.baseAddress else { return [] }
          let cells = unsafe SearchLayout(
            base, stops: contents.stopCount, patterns: contents.patternCount, rows: rides + 1)
          return run(
            Search<Direction>(
              contents, cells, days: days, filter: filter(contents), maximumRides: rides,
              bound: time + span + 1))
        }
      }
    }
  }

  /// The longest journey, in minutes.
  private var span: Int32 { Int32(min(max(options.maximumMinutes, 0), 7 * 1440)) }

  private func sign<Direction: SearchDirection>(_ direction: Direction.Type) -> Int32 {
    Direction.isForward ? 1 : -1
  }

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

  private func run<Direction: SearchDirection>(_ search: Search<Direction>) -> [Journey] {
    var search = search
    search.clear()
    for end in ends { search.addTarget(end.stop, minutes: end.walk ?? 0, walks: end.walk == nil) }
    let time = sign(Direction.self) * minutes
    for start in starts {
      search.addOrigin(start.stop, at: time + (start.walk ?? 0), walks: start.walk == nil)
    }
    search.run()
    return search.found.map { found in
      Journey(legs: legs(of: found, search))
    }
  }

  // MARK: Journeys

  /// Follows a journey back to where the search began.
  private func legs<Direction: SearchDirection>(
    of found: (round: Int, stop: Int, arrival: Int32), _ search: Search<Direction>
  ) -> [JourneyLeg] {
    let (contents, cells, count) = (search.contents, search.cells, search.stopCount)
    var legs: [JourneyLeg] = []
    legs.reserveCapacity(found.round * 2 + 1)
    var stop = found.stop
    let reached = cells.reached[found.round * count + stop]
    if found.arrival > reached {
      let isAccess = ends.contains { $0.stop == stop && $0.walk != nil }
      let to =
        isAccess ? nil : destination(from: stop, found.arrival - reached, contents, Direction.self)
      legs.append(walk(from: stop, to: to, reached, found.arrival, Direction.self))
    }
    for round in (1...found.round).reversed() {
      let cell = round * count + stop
      let run = Int(cells.reachedRun[cell] >> 4)
      let offset = search.days[Int(cells.reachedRun[cell] & 15)].offset
      let number = contents.pattern(ofRun: run)
      let last = contents.pattern(number).stopCount - 1
      let places = (Int(cells.reachedPlaces[cell] >> 16), Int(cells.reachedPlaces[cell] & 0xFFFF))
      let (from, to) =
        Direction.isForward ? places : (last - places.1, last - places.0)
      legs.append(
        JourneyLeg(
          kind: .ride(pattern: number, run: run, from: from, to: to, offset: offset),
          storage: storage, day: day,
          start: contents.times(of: number, run: run, at: from).departure + offset,
          end: contents.times(of: number, run: run, at: to).arrival + offset))
      let boarded = contents.stop(of: number, at: Direction.isForward ? from : to)
      let ready = (round - 1) * count + boarded
      stop = Int(cells.readyFrom[ready])
      let begin = round > 1 ? cells.reached[(round - 1) * count + stop] : nil
      if stop != boarded {
        let start = begin ?? sign(Direction.self) * minutes
        legs.append(walk(from: stop, to: boarded, start, cells.ready[ready], Direction.self))
      } else if round == 1, let access = starts.first(where: { $0.stop == stop }),
        let walk = access.walk
      {
        let start = cells.ready[ready] - walk
        legs.append(self.walk(from: nil, to: boarded, start, start + walk, Direction.self))
      }
    }
    return Direction.isForward ? legs.reversed() : legs
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

  /// Returns the stop of the destination to which a walk from the last ride leads.
  private func destination<Direction: SearchDirection>(
    from stop: Int, _ minutes: Int32, _ contents: TimetableContents, _ direction: Direction.Type
  ) -> Int? {
    let (starts, walks) =
      Direction.isForward
      ? (contents.walkStarts, contents.walks) : (contents.reverseStarts, contents.reverseWalks)
    for walk in Int(starts[stop])..<Int(starts[stop + 1]) {
      let to = Int(walks[walk * 2])
      if Int32(walks[walk * 2 + 1]) == minutes, ends.contains(where: { $0.stop == to }) {
        return to
      }
    }
    return nil
  }

  // MARK: Reasons

  func absence<Direction: SearchDirection>(_ direction: Direction.Type) -> JourneyAnswer.Absence {
    storage.read { contents in
      let (first, last) = (contents.signed(.firstDay), contents.signed(.lastDay))
      guard first <= last else { return .nothingWithinLimits }
      if day.day > last { return .expired(CalendarDay(dayNumber: last)) }
      if day.day < first { return .notYetValid(CalendarDay(dayNumber: first)) }
      let (origins, destinations) = Direction.isForward ? (starts, ends) : (ends, starts)
      if !origins.contains(where: { isServed($0.stop, 1, contents) }) { return .notServedAtOrigin }
      if !destinations.contains(where: { isServed($0.stop, 2, contents) }) {
        return .notServedAtDestination
      }
      return .nothingWithinLimits
    }
  }

  /// Returns whether a trip of the days around the query stops at a stop, where one can board (1) or alight (2).
  private func isServed(_ stop: Int, _ flag: UInt8, _ contents: TimetableContents) -> Bool {
    (Int(contents.visitStarts[stop])..<Int(contents.visitStarts[stop + 1])).contains { visit in
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
