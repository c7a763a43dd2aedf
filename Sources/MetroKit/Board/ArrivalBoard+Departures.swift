internal import FieldCore
internal import FieldFoundation
internal import FieldTransit

extension ArrivalBoard {
  /// Returns the next trains from a station: of each direction the live ones, or else those of the timetable, earliest first.
  ///
  /// A direction is a platform with a destination. Where fresh rows have trains toward it, at the station or approaching it,
  /// these are returned, and otherwise the next departures of the ``timetable`` are, so that a frozen board still answers. Each
  /// says which it is, and how old.
  ///
  /// ```swift
  /// for train in board.departures(at: "台北車站") {
  ///   print(train.destinationName, train.date, train.basis, train.age as Any)
  /// }
  /// if let next = board.departures(at: "台北車站").first, next.basis != .live, board.fresh.isEmpty {
  ///   show(MetroTexts.departure(next, asOf: board.asOf).string())  // by the timetable in 4 minutes
  /// }
  /// ```
  ///
  /// Trains that end at the station aren't included. Without a timetable, a direction without fresh rows has no trains.
  ///
  /// - Parameters:
  ///   - station: The station in any spelling, as in ``arrivals(at:freshOnly:)``.
  ///   - limit: The maximum number of trains of each direction. Defaults to 3.
  public func departures(at station: some StringProtocol, limit: Int = 3) -> [MetroDeparture] {
    let place = Place(String(station), in: network)
    let id = network.station(named: String(station))?.id
    var found = live(at: place, id)
    if let id {
      found += predictions(at: station).filter { $0.train.destination != id }.map(predicted)
    }
    let directions = Set(found.map(Direction.init))
    if let id {
      found += planned(at: id, limit: limit).filter { !directions.contains(Direction($0)) }
    }
    var counts: [Direction: Int] = [:]
    return found.sorted { $0.date < $1.date }.filter { departure in
      counts[Direction(departure), default: 0] += 1
      return counts[Direction(departure), default: 0] <= limit
    }
  }

  /// A platform with a destination.
  private struct Direction: Hashable {
    var code: MetroStation.Code?
    var destination: String

    init(_ departure: MetroDeparture) {
      code = departure.code
      destination = departure.destination?.rawValue ?? departure.destinationName
    }
  }

  private func live(at place: Place, _ station: MetroStation.ID?) -> [MetroDeparture] {
    fresh.compactMap { row in
      guard place.matches(row.station, named: row.stationName), let date = row.expectedAt,
        row.destination == nil || row.destination != station
      else { return nil }
      return MetroDeparture(
        code: row.line.flatMap { network.code(of: row.station, on: $0) }, line: row.line,
        destination: row.destination, destinationName: row.destinationName, date: date,
        basis: .live, age: age(of: row), arrival: row)
    }
  }

  private func predicted(_ stop: PredictedArrival) -> MetroDeparture {
    MetroDeparture(
      code: stop.code, line: stop.train.line, destination: stop.train.destination,
      destinationName: stop.train.destinationName, date: stop.date, basis: .predicted,
      age: stop.age, arrival: stop.train)
  }

  /// Returns the next trains of the timetable, some of each direction.
  private func planned(at station: MetroStation.ID, limit: Int) -> [MetroDeparture] {
    guard limit > 0, let timetable else { return [] }
    let age = timetable.fetchedAt.map { max(.zero, Self.time(from: $0, to: asOf)) }
    // Hours at the busiest station, even if trains of one of its directions are rare. A station that the timetable doesn't
    // have has no trains in it.
    let all =
      (try? timetable.departures(at: station, from: sourceNow, limit: 64 * min(limit, 1000))) ?? []
    return all.map { train in
      let end = train.leg.destination
      let destination = MetroStation.ID(rawValue: end?.stationID ?? end?.id ?? "")
      return MetroDeparture(
        code: train.leg.origin.map { MetroStation.Code(rawValue: $0.id) },
        line: train.route.map { MetroLine.ID(rawValue: $0.id) }, destination: destination,
        destinationName: destination.rawValue, date: train.time.date,
        basis: train.isFrequency ? .headway : .timetable, age: age, arrival: nil)
    }
  }
}
