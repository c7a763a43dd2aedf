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

extension Search<ForwardRange> {
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

// MARK: - Stops

extension Timetable {
  /// Returns a stop; `nil` if there is none with this ID.
  public func stop(_ id: String) -> TransitStop? {
    storage.read { contents in
      id.withUTF8Span { contents.stop(withID: $0) }.map(contents.transitStop)
    }
  }

  /// Returns the stops and stations nearest to a location, nearest first.
  ///
  /// - Parameters:
  ///   - coordinate: The location to search from.
  ///   - distance: The radius.
  ///   - limit: The maximum number of stops.
  public func stops(
    near coordinate: Coordinate, within distance: Distance = .meters(1000), limit: Int = 20
  ) -> [TransitStop] {
    storage.read { contents in
      contents.stops(near: coordinate, within: distance.meters).prefix(max(limit, 0))
        .map { contents.transitStop($0.stop) }
    }
  }

  /// Returns the stops and stations whose name, ID, or code contains a text, as ``/FieldCore/TextFolding`` compares texts.
  ///
  /// Names are compared in all languages of the feed. Those that begin with the text come first, stations before their platforms, and then by name.
  ///
  /// - Parameters:
  ///   - text: The text, such as `台北` for `臺北車站`.
  ///   - limit: The maximum number of stops.
  public func stops(matching text: String, limit: Int = 20) -> [TransitStop] {
    let wanted = TextFolding.fold(text)
    guard !wanted.isEmpty, limit > 0 else { return [] }
    let found = storage.read { contents in
      (0..<contents.stopCount).compactMap {
        number -> (rank: Int, key: String, stop: TransitStop)? in
        let stop = contents.transitStop(number)
        let keys = contents.names(ofStop: number).map(TextFolding.fold)
        let others = [stop.id, stop.code ?? ""].map(TextFolding.fold)
        let rank =
          if others.contains(wanted) || keys.contains(wanted) {
            0
          } else if keys.contains(where: { $0.hasPrefix(wanted) }) {
            2
          } else if keys.contains(where: {
            $0.utf8.count >= wanted.utf8.count && TextFolding.contains(wanted, in: $0)
          }) {
            4
          } else {
            nil as Int?
          }
        return rank.map { ($0 + (stop.isStation ? 0 : 1), keys[0], stop) }
      }
    }
    return
      found
      .sorted { ($0.rank, $0.key, $0.stop.id) < ($1.rank, $1.key, $1.stop.id) }
      .prefix(limit).map(\.stop)
  }
}

extension TimetableContents {
  /// Returns the stops within a distance, nearest first.
  func stops(near coordinate: Coordinate, within meters: Double) -> [(stop: Int, meters: Double)] {
    // A degree of latitude is at least 110 kilometers long.
    let margin = Int32(limiting: meters / 110_000 * 1e7) + 1
    let latitude = Int32(limiting: coordinate.latitude * 1e7)
    var found: [(stop: Int, meters: Double)] = []
    for stop in 0..<stopCount {
      let other = Int32(bitPattern: stops[stop * 7 + 3])
      guard other != .min, (Int64(other) - Int64(latitude)).magnitude <= UInt64(margin),
        let place = Coordinate(
          validLatitude: Double(other) / 1e7,
          longitude: Double(Int32(bitPattern: stops[stop * 7 + 4])) / 1e7)
      else { continue }
      let distance = coordinate.distance(to: place).meters
      if distance <= meters { found.append((stop, distance)) }
    }
    return found.sorted { ($0.meters, $0.stop) < ($1.meters, $1.stop) }
  }
}
