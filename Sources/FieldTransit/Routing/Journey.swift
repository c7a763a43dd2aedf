internal import FieldCore
public import FieldFoundation

/// A way from one place to another at a certain time.
public struct Journey: Sendable {
  /// The rides and walks, in their order.
  public let legs: [JourneyLeg]

  /// The start of the first leg.
  public var departure: TransitTime { legs[0].departure }
  /// The end of the last leg.
  public var arrival: TransitTime { legs[legs.count - 1].arrival }
  /// The number of changes from one vehicle to another.
  public var transfers: Int {
    max(legs.count { !$0.isWalk && !$0.isContinuation } - 1, 0)
  }
}

/// A ride or a walk of a journey.
///
/// Its properties are read from the timetable when they are needed.
public struct JourneyLeg: Sendable {
  enum Kind: Sendable {
    /// A ride in a run of a pattern, between two of its places, on a day that starts `offset` minutes after the query's.
    case ride(pattern: Int, run: Int, from: Int, to: Int, offset: Int32)
    /// A walk between two stops, or from or to a coordinate without a number.
    case walk(from: Int?, to: Int?, minutes: Int32)
  }

  let kind: Kind
  let storage: TimetableStorage
  let day: QueryDay
  /// In minutes after the start of the query's day.
  private(set) var start: Int32
  private(set) var end: Int32
  /// A Boolean value that indicates whether passengers stay in the vehicle of the leg before, which continues as another
  /// trip.
  public internal(set) var isContinuation = false

  /// A Boolean value that indicates whether this is a walk.
  public var isWalk: Bool { if case .walk = kind { true } else { false } }
  /// The time at which the leg begins.
  public var departure: TransitTime { day.time(start) }
  /// The time at which the leg ends.
  public var arrival: TransitTime { day.time(end) }

  /// The stop at which the leg begins; `nil` at a coordinate.
  public var origin: TransitStop? {
    storage.read { contents in
      switch kind {
      case .ride(let pattern, _, let from, _, _):
        contents.transitStop(contents.stop(of: pattern, at: from))
      case .walk(let from, _, _): from.map(contents.transitStop)
      }
    }
  }

  /// The stop at which the leg ends; `nil` at a coordinate.
  public var destination: TransitStop? {
    storage.read { contents in
      switch kind {
      case .ride(let pattern, _, _, let to, _):
        contents.transitStop(contents.stop(of: pattern, at: to))
      case .walk(_, let to, _): to.map(contents.transitStop)
      }
    }
  }

  /// The vehicle's line; `nil` for a walk, and for a trip of a message whose line the timetable doesn't have.
  public var route: TransitRoute? {
    guard case .ride(let pattern, _, _, _, _) = kind else { return nil }
    let route = storage.read { $0.transitRoute($0.pattern(pattern).route) }
    return route.id.isEmpty ? nil : route
  }

  /// The ID of the trip in the feed; `nil` for a walk, and for a trip of a message that doesn't say it.
  public var tripID: String? {
    let id = trip { TimetableContents.text($0.tripIDStarts, $0.tripIDBytes, $1) }
    return id?.isEmpty == true ? nil : id
  }

  /// The text on the vehicle; `nil` for a walk, or if the feed has none.
  public var headsign: String? {
    trip { $0.text($0.trips[$1 * 3], .headsign, of: $1) } ?? nil
  }

  /// A Boolean value that indicates whether the run is one of a frequency, whose times aren't exact.
  public var isFrequency: Bool {
    guard case .ride(_, let run, _, _, _) = kind else { return false }
    return storage.read { $0.runServices[run] & RunFlags.isFrequency != 0 }
  }

  private func trip<Value>(_ body: (TimetableContents, Int) -> Value) -> Value? {
    guard case .ride(_, let run, _, _, _) = kind else { return nil }
    return storage.read { body($0, Int($0.runTrips[run])) }
  }

  /// Makes a walk begin later, so that it ends at a time.
  mutating func delay(until time: Int32) { (start, end) = (start + time - end, time) }

  /// A stop of a ride, and the times there.
  public struct Visit: Sendable {
    /// The stop.
    public let stop: TransitStop
    /// The arrival.
    public let arrival: TransitTime
    /// The departure.
    public let departure: TransitTime
    /// The moment at which the times were predicted; `nil` if they are the timetable's.
    public let predictedAt: Date?
  }

  /// The stops of a ride, from where one boards to where one alights, without those that are skipped; empty for a walk.
  public var visits: [Visit] {
    guard case .ride(let pattern, let run, let from, let to, let offset) = kind else { return [] }
    return storage.read { contents in
      (from...to).compactMap { place in
        if isSkipped(pattern, at: place) { return nil }
        let times = contents.times(of: pattern, run: run, at: place)
        return Visit(
          stop: contents.transitStop(contents.stop(of: pattern, at: place)),
          arrival: day.time(times.arrival + offset), departure: day.time(times.departure + offset),
          predictedAt: prediction(pattern, [.arrival, .departure], at: place))
      }
    }
  }
}

extension TimetableContents {
  /// Returns the node of a pattern at a place.
  func stop(of pattern: Int, at place: Int) -> Int {
    Int(patternStops[self.pattern(pattern).firstStop + place])
  }

  /// Returns the times of a run, in minutes after the start of its service day.
  func times(of number: Int, run: Int, at place: Int) -> (arrival: Int32, departure: Int32) {
    let pattern = pattern(number)
    let cell = place * pattern.runCount + run - pattern.firstRun
    return (Int32(times[pattern.arrivals + cell]), Int32(times[pattern.departures + cell]))
  }

  /// Returns the pattern of a run.
  func pattern(ofRun run: Int) -> Int {
    var (low, high) = (0, patternCount)
    while high - low > 1 {
      let middle = (low + high) / 2
      if self.pattern(middle).firstRun <= run { low = middle } else { high = middle }
    }
    return low
  }
}
