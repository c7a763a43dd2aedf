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
    // 1 January 1970 was a Thursday, the fourth day of the week.
    let weekday = ((Int(day) + 3) % 7 + 7) % 7
    return services[at] >> UInt32(weekday) & 1 == 1
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
