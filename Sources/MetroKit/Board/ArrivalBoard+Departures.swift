public import FieldCore
public import FieldFoundation
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

// MARK: - Predictions

/// The expected arrival of a train at one of its next stations, predicted from where it was last seen.
///
/// See ``ArrivalBoard/predictions(for:)``.
public struct PredictedArrival: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The row with the train's last event, from which the arrival is predicted.
  public let train: Arrival
  /// The station.
  public let station: MetroStation.ID
  /// The code of the platform on the train's line.
  public let code: MetroStation.Code
  /// The expected arrival, by the source's clock as ``Arrival/expectedAt``.
  public let date: Date
  /// The age of the row when the prediction was made, negative if its time was in the future.
  public let age: Duration

  /// A description with the station, the train's destination, and the expected arrival.
  public var description: String { "\(station) > \(train.destinationName), \(date)".printable }
}

extension ArrivalBoard {
  /// Returns the expected arrivals of a row's train at its next stations, up to its destination.
  ///
  /// They are those of the row's event, or of the end of its countdown, plus the network's running and dwell times. A delay on
  /// the way isn't foreseen.
  ///
  /// ```swift
  /// for train in board.fresh {
  ///   for stop in board.predictions(for: train) ?? [] { show(stop.station, stop.date, stop.age) }
  /// }
  /// ```
  ///
  /// Returns `nil` instead of a guess: if the row isn't ``fresh``, if its line, station, or destination isn't known, if the
  /// network has no running times, or if the train is where trains begin, where it waits for a time that the network doesn't
  /// say. Returns an empty array if the train ends at the station.
  public func predictions(for arrival: Arrival) -> [PredictedArrival]? {
    guard freshness(of: arrival) == .fresh, let age = age(of: arrival),
      let start = arrival.expectedAt, let line = arrival.line,
      let from = network.code(of: arrival.station, on: line),
      let to = network.code(of: arrival.destination, on: line)
    else { return nil }
    if from == to { return [] }
    guard let path = network.path(from: from, to: to, on: line) else { return nil }
    var seconds = 0
    var found: [PredictedArrival] = []
    for place in path.runs.indices {
      guard let wait = path.waits[place], path.runs[place] > 0,
        let station = network.station(code: path.stops[place + 1])?.id
      else { return nil }
      seconds += wait + path.runs[place]
      found.append(
        PredictedArrival(
          train: arrival, station: station, code: path.stops[place + 1],
          date: start.addingTimeInterval(Double(seconds)), age: age))
    }
    return found
  }

  /// Returns the expected arrivals at the next stations of all trains of a line, earliest first.
  ///
  /// A train that two rows have seen counts once, where it was seen last.
  ///
  /// ```swift
  /// for stop in board.predictions(on: .bannan) { show(stop.station, stop.train.destinationName, stop.date) }
  /// ```
  public func predictions(on line: MetroLine.ID) -> [PredictedArrival] {
    predictions.filter { $0.train.line == line }
  }

  /// Returns the expected arrivals at a station, earliest first, without trains that a row already has there.
  ///
  /// - Parameter station: The station in any spelling, as in ``arrivals(at:freshOnly:)``.
  public func predictions(at station: some StringProtocol) -> [PredictedArrival] {
    guard let station = network.station(named: String(station))?.id else { return [] }
    return predictions.filter { $0.station == station }
  }

  private var predictions: [PredictedArrival] {
    let trains = fresh.compactMap { train in predictions(for: train).map { (train, $0) } }
    return trains.filter { train, stops in
      !trains.contains { isSeenLater(train, along: stops, in: $0.0) }
    }
    .flatMap { $0.1 }.sorted { $0.date < $1.date }
  }

  /// Returns whether a row has seen the train of another row at a later station of its way.
  private func isSeenLater(
    _ train: Arrival, along stops: [PredictedArrival], in other: Arrival
  ) -> Bool {
    guard train.id != other.id, train.line == other.line, train.destination == other.destination,
      let date = other.expectedAt,
      let stop = stops.first(where: { $0.station == other.station })
    else { return false }
    if let number = train.trainNumber, let other = other.trainNumber { return number == other }
    // Trains of a line are further apart than a minute.
    return date.timeIntervalSince(stop.date).magnitude <= 60
  }
}

extension MetroNetwork {
  /// Returns the code of a station on a line; `nil` if the line doesn't stop there.
  func code(of station: MetroStation.ID?, on line: MetroLine.ID) -> MetroStation.Code? {
    station.flatMap { self.station($0) }?.stops.first { $0.line == line }?.code
  }
}
