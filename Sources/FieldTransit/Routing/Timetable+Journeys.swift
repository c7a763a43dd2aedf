public import FieldCore
public import FieldFoundation

extension Timetable {
  /// Returns the journeys that arrive earliest, for each number of changes.
  ///
  /// ```swift
  /// let answer = try timetable.journeys(from: .stop("R01"), to: .stop("D43"), departing: .now)
  /// ```
  ///
  /// - Parameters:
  ///   - origin: The place at which the journey begins.
  ///   - destination: The place at which it ends.
  ///   - date: The earliest departure.
  ///   - options: The limits of the journeys.
  /// - Throws: ``/FieldCore/FieldError`` with the code `transit.stop` if a stop isn't in the timetable.
  public func journeys(
    from origin: JourneyPlace, to destination: JourneyPlace, departing date: Date,
    options: JourneyOptions = JourneyOptions()
  ) throws(FieldError) -> JourneyAnswer {
    try answer(from: origin, to: destination, date, options, Forward.self)
  }

  /// Returns the journeys that depart latest, for each number of changes.
  ///
  /// - Parameters:
  ///   - origin: The place at which the journey begins.
  ///   - destination: The place at which it ends.
  ///   - date: The latest arrival.
  ///   - options: The limits of the journeys.
  /// - Throws: ``/FieldCore/FieldError`` with the code `transit.stop` if a stop isn't in the timetable.
  public func journeys(
    from origin: JourneyPlace, to destination: JourneyPlace, arriving date: Date,
    options: JourneyOptions = JourneyOptions()
  ) throws(FieldError) -> JourneyAnswer {
    try answer(from: destination, to: origin, date, options, Backward.self)
  }

  /// Returns the journeys that depart within a range of time, the earliest departure first.
  ///
  /// A journey is included if no other one of the range departs as late or later, arrives as early or earlier, and has as
  /// many changes or fewer. Those that come back to the origin, or lead to where one could have walked, aren't included. That
  /// takes much less time than a query for each minute.
  ///
  /// - Parameters:
  ///   - origin: The place at which the journey begins.
  ///   - destination: The place at which it ends.
  ///   - dates: The earliest and the latest departure, at most a day apart.
  ///   - options: The limits of the journeys.
  /// - Throws: ``/FieldCore/FieldError`` with the code `transit.stop` if a stop isn't in the timetable.
  public func journeys(
    from origin: JourneyPlace, to destination: JourneyPlace, departing dates: ClosedRange<Date>,
    options: JourneyOptions = JourneyOptions()
  ) throws(FieldError) -> JourneyAnswer {
    let (first, last) = (Self.seconds(dates.lowerBound), Self.seconds(dates.upperBound))
    let end = options.via.map(JourneyPlace.stop) ?? destination
    let query = try JourneyQuery(self, from: origin, to: end, dates.lowerBound, options)
    let length = Int32(min((last - first) / 60, 1440))
    let journeys = query.journeys(until: query.minutes + length)
    let absence = journeys.isEmpty ? query.absence(Forward.self) : nil
    guard options.via != nil else { return JourneyAnswer(journeys: journeys, absence: absence) }
    var found: [Journey] = []
    for journey in journeys {
      found += try continued(
        journey, from: dates.lowerBound, to: destination, options, Forward.self)
    }
    let best = found.filter { journey in
      !found.contains { other in
        let pairs = [
          (other.departure > journey.departure, other.departure < journey.departure),
          (other.arrival < journey.arrival, other.arrival > journey.arrival),
          (other.transfers < journey.transfers, other.transfers > journey.transfers),
        ]
        return pairs.contains { $0.0 } && !pairs.contains { $0.1 }
      }
    }
    return JourneyAnswer(
      journeys: best, absence: best.isEmpty ? absence ?? .nothingWithinLimits : nil)
  }

  private func answer<Direction: SearchDirection>(
    from start: JourneyPlace, to end: JourneyPlace, _ date: Date, _ options: JourneyOptions,
    _ direction: Direction.Type
  ) throws(FieldError) -> JourneyAnswer {
    guard let via = options.via else {
      return try search(from: start, to: end, date, options, direction)
    }
    let first = try search(from: start, to: .stop(via), date, options, direction)
    var found: [Journey] = []
    for journey in first.journeys {
      found += try continued(journey, from: date, to: end, options, direction)
    }
    found.sort {
      $0.transfers != $1.transfers
        ? $0.transfers < $1.transfers
        : Direction.isForward ? $0.arrival < $1.arrival : $0.departure > $1.departure
    }
    var best: [Journey] = []
    for journey in found {
      let isBetter =
        best.last.map {
          Direction.isForward ? journey.arrival < $0.arrival : journey.departure > $0.departure
        } ?? true
      if isBetter, best.last?.transfers != journey.transfers { best.append(journey) }
    }
    return JourneyAnswer(
      journeys: best, absence: best.isEmpty ? first.absence ?? .nothingWithinLimits : nil)
  }

  /// Returns the journeys that begin with one to the stop by which they go.
  private func continued<Direction: SearchDirection>(
    _ journey: Journey, from date: Date, to end: JourneyPlace, _ options: JourneyOptions,
    _ direction: Direction.Type
  ) throws(FieldError) -> [Journey] {
    guard let via = options.via else { return [journey] }
    let time = Direction.isForward ? journey.arrival.date : journey.departure.date
    let start = Direction.isForward ? max(date, journey.departure.date) : date
    var rest = options
    rest.via = nil
    rest.maximumTransfers = options.maximumTransfers - journey.transfers - 1
    rest.maximumMinutes -= Int((time.timeIntervalSince(start) / 60).magnitude)
    guard rest.maximumTransfers >= 0, rest.maximumMinutes > 0 else { return [] }
    let change = Double(TimetableBuilder.change) * 60
    let next = time.addingTimeInterval(Direction.isForward ? change : -change)
    return try search(from: .stop(via), to: end, next, rest, direction).journeys.map {
      Journey(legs: Direction.isForward ? journey.legs + $0.legs : $0.legs + journey.legs)
    }
  }

  private func search<Direction: SearchDirection>(
    from start: JourneyPlace, to end: JourneyPlace, _ date: Date, _ options: JourneyOptions,
    _ direction: Direction.Type
  ) throws(FieldError) -> JourneyAnswer {
    let query = try JourneyQuery(self, from: start, to: end, date, options)
    let journeys = query.journeys(direction)
    return JourneyAnswer(
      journeys: journeys, absence: journeys.isEmpty ? query.absence(direction) : nil)
  }
}
