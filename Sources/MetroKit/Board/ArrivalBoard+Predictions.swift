public import FieldCore
public import FieldFoundation

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
