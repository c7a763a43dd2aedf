internal import FieldCore

/// Finds the trips as which vehicles go on while passengers stay in them.
struct SeatBuilder {
  struct Seat {
    var from: UInt32, to: UInt32
    var flags: UInt32
  }

  /// By the first run, and then in the order in which they count.
  private(set) var seats: [Seat] = []
  private let tables: FeedTables
  private let network: StopNetwork
  /// The only run of each trip that isn't one of a frequency.
  private var runs: [UInt32: UInt32] = [:]
  private var ends: [UInt32: Ends] = [:]

  /// Where and when a trip begins and ends.
  private struct Ends {
    var first: UInt32, last: UInt32
    var departure: Int32, arrival: Int32
  }

  /// The number of trips of a block that may follow another one, of all that are looked at.
  private static let mostTrips = 32, mostLooks = 4096
  /// The days of each service on which it runs, and whether two services have a day in common, as far as they are known.
  private var days: [UInt32: Set<Int32>] = [:]
  private var haveCommonDays: [UInt64: Bool] = [:]

  init(_ tables: FeedTables, _ network: StopNetwork) {
    (self.tables, self.network) = (tables, network)
  }

  /// Whether the feed has such trips.
  var isNeeded: Bool {
    !tables.links.isEmpty || tables.trips.contains { $0.block != FeedTables.none }
  }

  /// Adds a run, with its first and last stop and the times there.
  mutating func add(
    _ trip: UInt32, run: Int, from first: UInt32, _ departure: Int32, to last: UInt32,
    _ arrival: Int32
  ) {
    runs[trip] = UInt32(run)
    ends[trip] = Ends(
      first: network.nodeStops[Int(first)], last: network.nodeStops[Int(last)],
      departure: departure, arrival: arrival)
  }

  mutating func finish() {
    let linked = Set(tables.links.lazy.filter(\.isSeat).map(\.from))
    let forbidden = Set(tables.links.lazy.filter { !$0.isSeat })
    for link in tables.links where link.isSeat {
      guard let from = ends[link.from], let to = ends[link.to] else { continue }
      add(link.from, link.to, to.departure < from.arrival ? SeatFlags.isNextDay : 0)
    }
    var blocks: [UInt32: [UInt32]] = [:]
    for trip in runs.keys.sorted() where tables.trips[Int(trip)].block != FeedTables.none {
      blocks[tables.trips[Int(trip)].block, default: []].append(trip)
    }
    for trips in blocks.values {
      let sorted = trips.sorted { (ends[$0]?.departure ?? 0, $0) < (ends[$1]?.departure ?? 0, $1) }
      for (place, trip) in sorted.enumerated() where !linked.contains(trip) {
        addBlock(trip, before: sorted[(place + 1)...].prefix(Self.mostLooks), forbidden)
      }
    }
    seats = seats.enumerated().sorted {
      $0.element.from != $1.element.from
        ? $0.element.from < $1.element.from : $0.offset < $1.offset
    }.map(\.element)
  }

  /// Adds the trips as which the vehicle of a block may go on, depending on the day.
  private mutating func addBlock(
    _ trip: UInt32, before others: ArraySlice<UInt32>, _ forbidden: Set<FeedTables.Link>
  ) {
    guard let end = ends[trip] else { return }
    var count = 0
    for other in others where count < Self.mostTrips {
      guard let start = ends[other], start.departure >= end.arrival,
        haveCommonDay(tables.trips[Int(trip)].service, tables.trips[Int(other)].service)
      else { continue }
      count += 1
      let isSeat =
        isSamePlace(end.last, start.first)
        && !forbidden.contains(FeedTables.Link(from: trip, to: other, isSeat: false))
      add(trip, other, SeatFlags.isOfBlock | (isSeat ? 0 : SeatFlags.isForbidden))
      // On all days of the first trip, the vehicle continues as this one.
      if tables.trips[Int(other)].service == tables.trips[Int(trip)].service { return }
    }
  }

  /// Returns whether two services run on one day.
  private mutating func haveCommonDay(_ service: UInt32, _ other: UInt32) -> Bool {
    guard service != other else { return true }
    let key = UInt64(min(service, other)) << 32 | UInt64(max(service, other))
    if let known = haveCommonDays[key] { return known }
    let result = !daysOf(service).isDisjoint(with: daysOf(other))
    haveCommonDays[key] = result
    return result
  }

  private mutating func daysOf(_ number: UInt32) -> Set<Int32> {
    if let known = days[number] { return known }
    let result = tables.services[Int(number)].days
    days[number] = result
    return result
  }

  private func isSamePlace(_ stop: UInt32, _ other: UInt32) -> Bool {
    let station = network.stations[Int(stop)]
    return stop == other
      || station != FeedTables.none && station == network.stations[Int(other)]
  }

  private mutating func add(_ trip: UInt32, _ other: UInt32, _ flags: UInt32) {
    guard let from = runs[trip], let to = runs[other] else { return }
    seats.append(Seat(from: from, to: to, flags: flags))
  }
}
