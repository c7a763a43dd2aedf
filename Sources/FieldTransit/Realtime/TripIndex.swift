internal import FieldCore

/// The trips of a timetable that messages are about, and their runs.
struct TripIndex {
  private var ids = IDTable()
  /// The number of the trip with each ID of `ids`; -1 if the timetable has none.
  private var trips: [Int] = []
  /// The runs of the trips, in the order of `ids`.
  private var runs: [[Int]] = []
  private let contents: TimetableContents
  /// The runs by line and first departure, for trips without an ID.
  private var runsByStart: [Start: [Int]]?
  private var routeIDs: IDTable?

  private struct Start: Hashable { var route: Int, minutes: Int }

  init(_ messages: [RealtimeMessage], _ contents: TimetableContents) {
    self.contents = contents
    for message in messages {
      message.bytes.withByteSpan { bytes in
        for update in message.trips {
          guard let id = update.trip.tripID else { continue }
          _ = ids.insert(bytes.extracting(id))
        }
      }
    }
    trips = Array(repeating: -1, count: ids.count)
    runs = Array(repeating: [], count: ids.count)
    guard ids.count > 0 else { return }
    let count = contents.trips.count / 3
    var wanted = [Int32](repeating: -1, count: count)
    for trip in 0..<count {
      let range = Int(contents.tripIDStarts[trip])..<Int(contents.tripIDStarts[trip + 1])
      guard let id = contents.tripIDBytes.withSpan(range, { ids.number(of: $0) }) else { continue }
      trips[Int(id)] = trip
      wanted[trip] = Int32(truncatingIfNeeded: id)
    }
    for run in 0..<contents.runTrips.count {
      let id = Int(wanted[Int(contents.runTrips[run])])
      if id >= 0 { runs[id].append(run) }
    }
  }

  /// Returns whether the timetable has a trip with an ID of a message.
  func hasTrip(_ id: Range<Int>, _ message: RealtimeMessage) -> Bool {
    number(of: id, message).map { trips[$0] >= 0 } ?? false
  }

  /// Returns the runs of a trip with an ID of a message.
  func runs(_ id: Range<Int>, _ message: RealtimeMessage) -> [Int] {
    number(of: id, message).map { runs[$0] } ?? []
  }

  private func number(of id: Range<Int>, _ message: RealtimeMessage) -> Int? {
    message.bytes.withByteSpan { ids.number(of: $0.extracting(id)) }.map(Int.init)
  }

  /// Returns the number of a line with an ID of a message.
  mutating func route(_ id: Range<Int>, _ message: RealtimeMessage) -> Int? {
    let table = routeIDs ?? routeTable()
    routeIDs = table
    return message.bytes.withByteSpan { table.number(of: $0.extracting(id)) }.map(Int.init)
  }

  private func routeTable() -> IDTable {
    var table = IDTable()
    for route in 0..<contents.routes.count / 6 {
      let range = Int(contents.routeIDStarts[route])..<Int(contents.routeIDStarts[route + 1])
      _ = contents.routeIDBytes.withSpan(range) { table.insert($0) }
    }
    return table
  }

  /// Returns the runs of a line that begin at a time, in minutes after the start of the service day.
  mutating func runs(ofRoute route: Int, startingAt minutes: Int) -> [Int] {
    let index = runsByStart ?? startIndex()
    runsByStart = index
    return index[Start(route: route, minutes: minutes)] ?? []
  }

  private func startIndex() -> [Start: [Int]] {
    var index: [Start: [Int]] = [:]
    for number in 0..<contents.patternCount {
      let pattern = contents.pattern(number)
      for run in pattern.firstRun..<pattern.firstRun + pattern.runCount {
        let time = contents.times(of: number, run: run, at: 0).departure
        index[Start(route: pattern.route, minutes: Int(time)), default: []].append(run)
      }
    }
    return index
  }
}
