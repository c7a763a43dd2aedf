/// Writes where passengers stay in vehicles, one of whose runs a message changes.
///
/// A run that takes the place of another one also takes its seats, unless the vehicle doesn't come to where the other run
/// begins any more, or comes too late. A run that is canceled has none, so a vehicle of a block continues as the next trip.
struct SeatWriter {
  typealias Instance = RunResolver.Instance

  /// A run on a day, and where and when it begins and ends.
  private struct Event {
    var run: Int, day: Int32
    /// In seconds since 1970; `nil` if the vehicle doesn't begin or end where the timetable says.
    var departure: Int64?, arrival: Int64?
  }

  private let contents: TimetableContents
  private let rules: ZoneRules
  /// What becomes of runs of the timetable on their days; `nil` for those that don't run.
  private var changes: [Int: [Int32: Event?]] = [:]
  /// The number of rows that may still be looked at. A message of a few bytes may be about a run after which many go on.
  private var budget = 5_000_000

  init(_ contents: TimetableContents, _ rules: ZoneRules) {
    (self.contents, self.rules) = (contents, rules)
  }

  /// Returns whether a run may have seats.
  func hasSeats(_ run: Int) -> Bool {
    let flags = contents.pattern(contents.pattern(ofRun: run)).flags
    return flags & (PatternFlags.hasNext | PatternFlags.hasPrevious) != 0
  }

  /// Notes that a run doesn't run on a day.
  mutating func remove(_ instance: Instance) {
    guard contents.seats.count > 0 else { return }
    changes[instance.run, default: [:]].updateValue(nil, forKey: instance.day)
  }

  /// Notes that another run takes the place of one.
  ///
  /// - Parameters:
  ///   - run: The number of the other one.
  ///   - day: Its service day.
  ///   - shift: The minutes to add to its times.
  mutating func replace(
    _ instance: Instance, by run: Int, on day: Int32, _ times: RunTimes, shift: Int
  ) {
    guard contents.seats.count > 0 else { return }
    let pattern = contents.pattern(contents.pattern(ofRun: instance.run))
    let last = times.stops.count - 1
    let start = rules.start(ofDay: day)
    func second(_ minutes: Int, at place: Int, _ planned: Int) -> Int64? {
      let node = Int(contents.patternStops[pattern.firstStop + planned])
      let isThere = contents.isSamePlace(
        contents.stop(ofNode: Int(times.stops[place])), contents.stop(ofNode: node))
      guard isThere, !times.marks[place].contains(.skipped) else { return nil }
      return start + Int64(minutes + shift) * 60
    }
    let event = Event(
      run: run, day: day, departure: second(times.departures[0], at: 0, 0),
      arrival: second(times.arrivals[last], at: last, pattern.stopCount - 1))
    changes[instance.run, default: [:]].updateValue(event, forKey: instance.day)
  }

  /// Writes the seats, and returns the ``PatternFlags`` of the runs that are added.
  ///
  /// - Parameter count: The number of those runs.
  mutating func write(runs count: Int, to edits: inout SectionEdits) -> [UInt32] {
    guard !changes.isEmpty else { return [] }
    let known = contents.runTrips.count
    var flags = [UInt32](repeating: 0, count: count)
    var rows: [UInt32] = []
    var added: [(from: UInt32, to: UInt32, flags: UInt32)] = []
    for at in stride(from: 0, to: contents.seats.count, by: 3) {
      let row = (contents.seats[at], contents.seats[at + 1], contents.seats[at + 2])
      rows += [row.0, row.1, row.2]
      for seat in changed(Int(row.0), Int(row.1), row.2) {
        // The rows of a run stay together and in their order, which decides as what a block continues.
        if seat.from < known {
          rows += [seat.from, seat.to, seat.flags]
        } else {
          added.append(seat)
        }
        guard seat.flags & SeatFlags.isForbidden == 0 else { continue }
        if seat.from >= known { flags[Int(seat.from) - known] |= PatternFlags.hasNext }
        if seat.to >= known { flags[Int(seat.to) - known] |= PatternFlags.hasPrevious }
      }
    }
    for seat in added.enumerated().sorted(by: {
      ($0.element.from, $0.offset) < ($1.element.from, $1.offset)
    }).map(\.element) {
      rows += [seat.from, seat.to, seat.flags]
    }
    edits.replace(.seats, with: rows)
    edits.replace(.seatOrder, with: Self.order(rows, runs: known + count))
    return flags
  }

  /// Returns what becomes of a row on the days on which one of its runs changes.
  private mutating func changed(
    _ from: Int, _ to: Int, _ flags: UInt32
  ) -> [(from: UInt32, to: UInt32, flags: UInt32)] {
    let (first, second) = (changes[from], changes[to])
    guard first != nil || second != nil else { return [] }
    let next: Int32 = flags & SeatFlags.isNextDay != 0 ? 1 : 0
    let days = Set(first.map { Array($0.keys) } ?? [])
      .union((second.map { Array($0.keys) } ?? []).map { $0 - next })
    var seats: [(from: UInt32, to: UInt32, flags: UInt32)] = []
    for day in days.sorted() {
      budget -= 1
      guard budget > 0 else { return seats }
      guard let end = event(from, day), let start = event(to, day + next),
        (0...1).contains(start.day - end.day)
      else { continue }
      var new = flags & ~SeatFlags.isNextDay
      if start.day > end.day { new |= SeatFlags.isNextDay }
      let canStay = end.arrival.flatMap { arrival in start.departure.map { arrival <= $0 } }
      if canStay != true { new |= SeatFlags.isForbidden }
      // Of a block, it matters which trip is the next one even if passengers can't stay.
      guard new & (SeatFlags.isForbidden | SeatFlags.isOfBlock) != SeatFlags.isForbidden else {
        continue
      }
      seats.append((UInt32(end.run), UInt32(start.run), new))
    }
    return seats
  }

  /// Returns a run of the timetable on a day, or what takes its place.
  private func event(_ run: Int, _ day: Int32) -> Event? {
    if let change = changes[run]?[day] { return change }
    guard contents.isActive(Int(contents.runServices[run] & RunFlags.serviceMask), on: day) else {
      return nil
    }
    let number = contents.pattern(ofRun: run)
    let last = contents.pattern(number).stopCount - 1
    let start = rules.start(ofDay: day)
    return Event(
      run: run, day: day,
      departure: start + Int64(contents.times(of: number, run: run, at: 0).departure) * 60,
      arrival: start + Int64(contents.times(of: number, run: run, at: last).arrival) * 60)
  }

  /// Returns the numbers of rows by their next run.
  private static func order(_ rows: [UInt32], runs count: Int) -> [UInt32] {
    var next = [UInt32](repeating: 0, count: count + 1)
    for row in 0..<rows.count / 3 { next[Int(rows[row * 3 + 1]) + 1] += 1 }
    for run in 0..<count { next[run + 1] += next[run] }
    var order = [UInt32](repeating: 0, count: rows.count / 3)
    for row in order.indices {
      let run = Int(rows[row * 3 + 1])
      order[Int(next[run])] = UInt32(row)
      next[run] += 1
    }
    return order
  }
}
