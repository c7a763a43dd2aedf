public import FieldCore
public import FieldFoundation

/// A departure from a stop.
public struct TransitDeparture: Sendable {
  /// The ride from the stop to the end of the trip.
  public let leg: JourneyLeg

  /// The time.
  public var time: TransitTime { leg.departure }
  /// The line.
  public var route: TransitRoute? { leg.route }
  /// The text on the vehicle, or else the name of the last stop.
  public var headsign: String? { leg.headsign ?? leg.destination?.name }
  /// A Boolean value that indicates whether the run is one of a frequency, whose times aren't exact.
  public var isFrequency: Bool { leg.isFrequency }
}

extension Timetable {
  /// Returns the next departures from a stop, or from all platforms of a station.
  ///
  /// Trips that end there, or that can't be boarded there, aren't included.
  ///
  /// - Parameters:
  ///   - id: The ID of the stop or station.
  ///   - date: The time from which on departures count.
  ///   - limit: The maximum number of departures.
  /// - Throws: ``/FieldCore/FieldError`` with the code `transit.stop` if the stop isn't in the timetable.
  public func departures(
    at id: String, from date: Date, limit: Int = 10
  ) throws(FieldError) -> [TransitDeparture] {
    let place = JourneyPlace.stop(id)
    return try JourneyQuery(self, from: place, to: place, date, JourneyOptions())
      .departures(limit: max(limit, 0))
  }
}

extension JourneyQuery {
  func departures(limit: Int) -> [TransitDeparture] {
    storage.read { contents in
      let before = Int32(contents.fact(.latest) / 1440) + 1
      var found: [TransitDeparture] = []
      for offset in -before...1 {
        let other = day.day + offset
        let shift = Int32((storage.rules.start(ofDay: other) - day.start) / 60)
        for start in starts {
          for visit in Int(
            contents.visitStarts[start.node])..<Int(contents.visitStarts[start.node + 1])
          {
            let number = Int(contents.visits[visit * 2])
            let pattern = contents.pattern(number)
            let place = Int(contents.visits[visit * 2 + 1])
            guard contents.patternFlags[pattern.firstStop + place] & 1 != 0,
              place < pattern.stopCount - 1
            else { continue }
            var count = 0
            let first = pattern.departures + place * pattern.runCount
            var (low, high) = (0, pattern.runCount)
            while low < high {
              let middle = (low + high) / 2
              if Int32(contents.times[first + middle]) + shift < minutes {
                low = middle + 1
              } else {
                high = middle
              }
            }
            while low < pattern.runCount, count < limit {
              let run = pattern.firstRun + low
              let service = Int(contents.runServices[run] & RunFlags.serviceMask)
              if contents.isActive(service, on: other) {
                count += 1
                found.append(
                  TransitDeparture(leg: ride(number, run, from: place, offset: shift, contents)))
              }
              low += 1
            }
          }
        }
      }
      found.sort { $0.leg.start < $1.leg.start }
      return Array(found.prefix(limit))
    }
  }

  private func ride(
    _ number: Int, _ run: Int, from place: Int, offset: Int32, _ contents: TimetableContents
  ) -> JourneyLeg {
    let last = contents.pattern(number).stopCount - 1
    return JourneyLeg(
      kind: .ride(pattern: number, run: run, from: place, to: last, offset: offset),
      storage: storage, day: day,
      start: contents.times(of: number, run: run, at: place).departure + offset,
      end: contents.times(of: number, run: run, at: last).arrival + offset)
  }
}

extension Search<Forward> {
  /// Adds the departures at a node that one reaches in a number of minutes from the origin.
  ///
  /// - Parameter minutes: The times at which one is at the origin.
  func addDepartures(
    at node: Int, _ walk: Int32, _ minutes: ClosedRange<Int32>, to departures: inout [Departure]
  ) {
    for visit in Int(contents.visitStarts[node])..<Int(contents.visitStarts[node + 1]) {
      let number = Int(contents.visits[visit * 2])
      let pattern = contents.pattern(number)
      let place = Int(contents.visits[visit * 2 + 1])
      guard contents.patternFlags[pattern.firstStop + place] & 1 != 0,
        place < pattern.stopCount - 1, filter.allows(route: pattern.route)
      else { continue }
      for day in 0..<days.count {
        let day = days[day]
        var (run, high) = (0, pattern.runCount)
        while run < high {
          let middle = (run + high) / 2
          if boardTime(pattern, day, place, middle) - walk < minutes.lowerBound {
            run = middle + 1
          } else {
            high = middle
          }
        }
        while run < pattern.runCount {
          let minute = boardTime(pattern, day, place, run) - walk
          guard minute <= minutes.upperBound else { break }
          if allows(pattern.firstRun + run, on: day) {
            departures.append(
              Departure(
                minute: minute, pattern: Int32(truncatingIfNeeded: number),
                place: Int32(truncatingIfNeeded: place)))
          }
          run += 1
        }
      }
    }
  }
}
