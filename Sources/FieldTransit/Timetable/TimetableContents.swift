/// The numbers of a timetable, for the time of a query.
@safe
struct TimetableContents {
  let facts: Column<UInt32>
  let stringStarts: Column<UInt32>, stringBytes: Column<UInt8>
  let stopIDStarts: Column<UInt32>, stopIDBytes: Column<UInt8>, stopOrder: Column<UInt32>
  let routeIDStarts: Column<UInt32>, routeIDBytes: Column<UInt8>
  let tripIDStarts: Column<UInt32>, tripIDBytes: Column<UInt8>
  let stops: Column<UInt32>, nodes: Column<UInt32>
  let routes: Column<UInt32>, agencies: Column<UInt32>
  let trips: Column<UInt32>
  let services: Column<UInt32>, exceptions: Column<UInt32>
  let patterns: Column<UInt32>, patternStops: Column<UInt32>, patternFlags: Column<UInt8>
  let runTrips: Column<UInt32>, runServices: Column<UInt32>
  let times: Column<UInt16>
  let seats: Column<UInt32>, seatOrder: Column<UInt32>
  let visitStarts: Column<UInt32>, visits: Column<UInt32>
  let walkStarts: Column<UInt32>, walks: Column<UInt32>
  let reverseStarts: Column<UInt32>, reverseWalks: Column<UInt32>
  let memberStarts: Column<UInt32>, members: Column<UInt32>
  let translations: Column<UInt32>
  let tripShapes: Column<UInt32>, shapeStarts: Column<UInt32>, shapePoints: Column<UInt32>
  let zone: Column<UInt32>
  let sequenceTrips: Column<UInt32>, sequences: Column<UInt32>
  /// The string with the language of the answers; `nil` for that of the feed.
  let language: UInt32?

  init(
    _ base: UnsafeRawPointer, _ places: [(offset: Int, count: Int)], language: UInt32? = nil
  ) {
    self.language = language
    func column<Number: BitwiseCopyable>(_ section: TimetableSection) -> Column<Number> {
      let place = places[section.rawValue]
      // Sections begin at multiples of 8, and so do the bytes of an array.
      let start = unsafe (base + place.offset).assumingMemoryBound(to: Number.self)
      return unsafe Column(start, count: place.count * section.stride)
    }
    facts = column(.facts)
    (stringStarts, stringBytes) = (column(.stringStarts), column(.stringBytes))
    (stopIDStarts, stopIDBytes) = (column(.stopIDStarts), column(.stopIDBytes))
    stopOrder = column(.stopOrder)
    (routeIDStarts, routeIDBytes) = (column(.routeIDStarts), column(.routeIDBytes))
    (tripIDStarts, tripIDBytes) = (column(.tripIDStarts), column(.tripIDBytes))
    (stops, nodes) = (column(.stops), column(.nodes))
    (routes, agencies) = (column(.routes), column(.agencies))
    trips = column(.trips)
    (services, exceptions) = (column(.services), column(.exceptions))
    (patterns, patternStops) = (column(.patterns), column(.patternStops))
    patternFlags = column(.patternFlags)
    (runTrips, runServices, times) = (column(.runTrips), column(.runServices), column(.times))
    (seats, seatOrder) = (column(.seats), column(.seatOrder))
    (visitStarts, visits) = (column(.visitStarts), column(.visits))
    (walkStarts, walks) = (column(.walkStarts), column(.walks))
    (reverseStarts, reverseWalks) = (column(.reverseStarts), column(.reverseWalks))
    (memberStarts, members) = (column(.memberStarts), column(.members))
    translations = column(.translations)
    (tripShapes, shapeStarts) = (column(.tripShapes), column(.shapeStarts))
    shapePoints = column(.shapePoints)
    zone = column(.zone)
    (sequenceTrips, sequences) = (column(.sequenceTrips), column(.sequences))
  }

  var stopCount: Int { memberStarts.count - 1 }
  var nodeCount: Int { nodes.count / 2 }
  var patternCount: Int { patterns.count / 8 }
  var serviceCount: Int { services.count / 4 - 1 }

  func fact(_ fact: TimetableFact) -> UInt32 { facts[fact.rawValue] }
  func signed(_ fact: TimetableFact) -> Int32 { Int32(bitPattern: facts[fact.rawValue]) }

  /// Returns a pattern.
  @inline(__always)
  func pattern(_ number: Int) -> Pattern {
    let at = number &* 8
    return Pattern(
      route: Int(patterns[at]), firstStop: Int(patterns[at &+ 1]),
      stopCount: Int(patterns[at &+ 2]), firstRun: Int(patterns[at &+ 3]),
      runCount: Int(patterns[at &+ 4]), departures: Int(patterns[at &+ 5]),
      arrivals: Int(patterns[at &+ 6]), flags: patterns[at &+ 7])
  }

  struct Pattern {
    let route: Int
    let firstStop: Int, stopCount: Int
    let firstRun: Int, runCount: Int
    /// The index of the first departure and arrival.
    let departures: Int, arrivals: Int
    /// Its ``PatternFlags``.
    let flags: UInt32

    /// The indexes of its nodes.
    var places: Range<Int> { firstStop..<firstStop + stopCount }
  }

  /// Returns the minutes that changing at a node takes, or `nil` if it isn't possible.
  @inline(__always)
  func change(at node: Int) -> Int32? {
    let minutes = nodes[node &* 2 &+ 1]
    return minutes == 0xFFFF ? nil : Int32(bitPattern: minutes)
  }

  /// Returns the stop of a node.
  @inline(__always)
  func stop(ofNode node: Int) -> Int { Int(nodes[node &* 2]) }

  /// Returns the nodes of the platforms of a station, or of a stop itself.
  func members(of stop: Int) -> [Int] {
    (Int(memberStarts[stop])..<Int(memberStarts[stop + 1])).map { Int(members[$0]) }
  }

  /// Returns the nodes of a stop alone.
  func nodes(of stop: Int) -> [Int] {
    let nodes = members(of: stop).filter { self.stop(ofNode: $0) == stop }
    return nodes.isEmpty ? [stop] : nodes
  }

  /// Returns whether two stops are the same, or platforms of one station.
  func isSamePlace(_ stop: Int, _ other: Int) -> Bool {
    let station = stops[stop * 7 + 6]
    return stop == other || station != .max && station == stops[other * 7 + 6]
  }

  /// Returns whether a service runs on a day.
  func isActive(_ service: Int, on day: Int32) -> Bool {
    let at = service * 4
    var (low, high) = (Int(services[at + 3]), Int(services[at + 7]))
    let end = high
    while low < high {
      let middle = (low + high) / 2
      if Self.day(exceptions[middle]) < day { low = middle + 1 } else { high = middle }
    }
    if low < end, Self.day(exceptions[low]) == day { return exceptions[low] >> 31 == 1 }
    guard Int32(bitPattern: services[at + 1]) <= day, day <= Int32(bitPattern: services[at + 2])
    else { return false }
    return services[at] >> UInt32(Self.weekday(of: day)) & 1 == 1
  }

  /// Returns the place of a day in its week, which is 0 for a Monday.
  static func weekday(of day: Int32) -> Int {
    // 1 January 1970 was a Thursday, the fourth day of the week.
    ((Int(day) + 3) % 7 + 7) % 7
  }

  /// The days of exceptions are stored above the first day of the calendar, without a sign.
  private static func day(_ exception: UInt32) -> Int32 {
    Int32(bitPattern: exception & 0x7FFF_FFFF) - Self.dayOffset
  }

  /// What is added to the days of exceptions, so that they aren't negative.
  static let dayOffset: Int32 = 1_000_000

  /// Returns the text of a string, or `nil` for the number that stands for nothing.
  func string(_ number: UInt32) -> String? {
    number == .max ? nil : Self.text(stringStarts, stringBytes, Int(number))
  }

  static func text(_ starts: Column<UInt32>, _ bytes: Column<UInt8>, _ number: Int) -> String {
    let (start, end) = (Int(starts[number]), Int(starts[number + 1]))
    return unsafe String(unsafeUninitializedCapacity: end - start) { buffer in
      for place in start..<end { unsafe buffer[place - start] = bytes[place] }
      return end - start
    }
  }

  /// Returns the number of the stop with an ID.
  func stop(withID id: Span<UInt8>) -> Int? {
    var (low, high) = (0, stopOrder.count)
    while low < high {
      let middle = (low + high) / 2
      let stop = Int(stopOrder[middle])
      let start = Int(stopIDStarts[stop])
      let count = Int(stopIDStarts[stop + 1]) - start
      var place = 0
      while place < count, place < id.count, stopIDBytes[start + place] == id[place] { place += 1 }
      if place == count, place == id.count { return stop }
      let isBefore =
        place == count || place < id.count && stopIDBytes[start + place] < id[place]
      if isBefore { low = middle + 1 } else { high = middle }
    }
    return nil
  }
}

// MARK: - Checking

extension TimetableContents {
  /// Returns whether all numbers are within their ranges, so that queries needn't check them.
  ///
  /// A checksum proves that the bytes are those that were written, but not that they were written by this package.
  func isValid() -> Bool {
    let none = UInt32.max
    func areStarts(_ starts: Column<UInt32>, of count: Int) -> Bool {
      guard starts.count > 0, starts[0] == 0, starts[starts.count - 1] == count else {
        return false
      }
      return (1..<starts.count).allSatisfy { starts[$0 - 1] <= starts[$0] }
    }
    func are(
      _ numbers: Column<UInt32>, below count: Int, every stride: Int = 1, from first: Int = 0,
      orNone: Bool = false
    ) -> Bool {
      Swift.stride(from: first, to: numbers.count, by: stride).allSatisfy {
        numbers[$0] < count || orNone && numbers[$0] == none
      }
    }
    guard facts.count == 9, areStarts(stringStarts, of: stringBytes.count),
      areStarts(stopIDStarts, of: stopIDBytes.count),
      areStarts(routeIDStarts, of: routeIDBytes.count),
      areStarts(tripIDStarts, of: tripIDBytes.count), stopCount >= 0,
      stops.count == stopCount * 7, stopIDStarts.count == stopCount + 1,
      stopOrder.count == stopCount, nodeCount >= stopCount,
      nodeCount < 1 << 24, visitStarts.count == nodeCount + 1,
      walkStarts.count == nodeCount + 1, reverseStarts.count == nodeCount + 1,
      routeIDStarts.count == routes.count / 6 + 1, tripIDStarts.count == trips.count / 3 + 1,
      services.count >= 4, runTrips.count == runServices.count,
      patternStops.count == patternFlags.count, runTrips.count < 1 << 27,
      facts[TimetableFact.latest.rawValue] < 7 * 1440,
      zone.count > 0
    else { return false }
    let strings = stringStarts.count - 1
    guard are(stopOrder, below: stopCount),
      are(stops, below: stopCount, every: 7, from: 6, orNone: true),
      (0..<3).allSatisfy({ are(stops, below: strings, every: 7, from: $0, orNone: true) }),
      (0..<2).allSatisfy({ are(routes, below: strings, every: 6, from: $0, orNone: true) }),
      are(routes, below: agencies.count / 2, every: 6, from: 5, orNone: true),
      are(agencies, below: strings, orNone: true),
      (0..<2).allSatisfy({ are(trips, below: strings, every: 3, from: $0, orNone: true) }),
      (6..<9).allSatisfy({ facts[$0] < strings || facts[$0] == none }),
      are(nodes, below: stopCount, every: 2), are(nodes, below: 1 << 16, every: 2, from: 1),
      are(patternStops, below: nodeCount), are(runTrips, below: trips.count / 3),
      are(seats, below: runTrips.count, every: 3),
      are(seats, below: runTrips.count, every: 3, from: 1),
      seatOrder.count == seats.count / 3, are(seatOrder, below: seats.count / 3),
      are(translations, below: strings, every: 4),
      are(translations, below: strings, every: 4, from: 3),
      areShapesValid(are, areStarts),
      areStarts(visitStarts, of: visits.count / 2), areStarts(walkStarts, of: walks.count / 2),
      areStarts(reverseStarts, of: reverseWalks.count / 2),
      areStarts(memberStarts, of: members.count), are(members, below: nodeCount),
      are(walks, below: nodeCount, every: 2), are(walks, below: 1 << 16, every: 2, from: 1),
      are(reverseWalks, below: nodeCount, every: 2),
      are(reverseWalks, below: 1 << 16, every: 2, from: 1)
    else { return false }
    return areServicesValid() && arePatternsValid()
  }

  private func areShapesValid(
    _ are: (Column<UInt32>, Int, Int, Int, Bool) -> Bool, _ areStarts: (Column<UInt32>, Int) -> Bool
  ) -> Bool {
    tripShapes.count == 0
      || tripShapes.count == trips.count / 3 && areStarts(shapeStarts, shapePoints.count / 2)
        && are(tripShapes, shapeStarts.count - 1, 1, 0, true)
  }

  private func areServicesValid() -> Bool {
    let last = services.count / 4 - 1
    guard services[3] == 0, services[last * 4 + 3] == exceptions.count else { return false }
    for service in 0..<last where services[service * 4 + 3] > services[service * 4 + 7] {
      return false
    }
    return (0..<runServices.count).allSatisfy {
      runServices[$0] & RunFlags.serviceMask < last
    }
  }

  private func arePatternsValid() -> Bool {
    var (nextRun, nextStop) = (0, 0)
    // Where an `Int` has 32 bits, larger numbers can't even be read.
    guard (0..<patterns.count).allSatisfy({ patterns[$0] <= Int32.max }) else { return false }
    for number in 0..<patternCount {
      let pattern = pattern(number)
      let (cells, overflow) = pattern.stopCount.multipliedReportingOverflow(by: pattern.runCount)
      guard !overflow, pattern.route < routes.count / 6, pattern.runCount > 0,
        (2...0xFFFF).contains(pattern.stopCount),
        pattern.firstStop == nextStop, pattern.stopCount <= patternStops.count - nextStop,
        pattern.firstRun == nextRun, pattern.runCount <= runTrips.count - nextRun,
        pattern.departures <= times.count - cells, pattern.arrivals <= times.count - cells
      else { return false }
      nextRun += pattern.runCount
      nextStop += pattern.stopCount
    }
    for visit in 0..<visits.count / 2 {
      guard visits[visit * 2] < patternCount,
        visits[visit * 2 + 1] < pattern(Int(visits[visit * 2])).stopCount
      else { return false }
    }
    return true
  }
}
