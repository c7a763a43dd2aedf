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

  private func answer<Direction: SearchDirection>(
    from start: JourneyPlace, to end: JourneyPlace, _ date: Date, _ options: JourneyOptions,
    _ direction: Direction.Type
  ) throws(FieldError) -> JourneyAnswer {
    guard let via = options.via else {
      return try search(from: start, to: end, date, options, direction)
    }
    var rest = options
    rest.via = nil
    var found: [Journey] = []
    let first = try search(from: start, to: .stop(via), date, rest, direction)
    for journey in first.journeys {
      let waited = Self.time(of: journey, direction).timeIntervalSince(date).magnitude
      let spent = Int(limiting: (waited / 60).rounded(.down))
      rest.maximumTransfers = options.maximumTransfers - journey.transfers - 1
      rest.maximumMinutes = options.maximumMinutes - spent
      guard rest.maximumTransfers >= 0, rest.maximumMinutes > 0 else { continue }
      let change = Double(TimetableBuilder.change) * 60
      let next = Self.time(of: journey, direction)
        .addingTimeInterval(Direction.isForward ? change : -change)
      for other in try search(from: .stop(via), to: end, next, rest, direction).journeys {
        found.append(
          Journey(legs: Direction.isForward ? journey.legs + other.legs : other.legs + journey.legs)
        )
      }
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

  private static func time<Direction: SearchDirection>(
    of journey: Journey, _ direction: Direction.Type
  ) -> Date {
    Direction.isForward ? journey.arrival.date : journey.departure.date
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
