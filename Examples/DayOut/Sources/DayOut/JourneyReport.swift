import FieldTransit
import Foundation

/// The output of `day-out journey --json`: the journeys, or why there is none.
struct JourneyReport: Encodable {
  struct Journey: Encodable {
    let departure: String, arrival: String
    /// After midnight of the day of the query, which may be more than a day.
    let departureMinutes: Int, arrivalMinutes: Int
    let transfers: Int
    let legs: [Leg]
  }

  /// A ride or a walk; what the feed lacks is left out.
  struct Leg: Encodable {
    let mode: String
    let from: String?, fromName: String?
    let to: String?, toName: String?
    let departure: String, arrival: String
    let departureMinutes: Int, arrivalMinutes: Int
    let route: String?, headsign: String?, trip: String?
    /// The moment at which the times were predicted, if they were.
    let predictedAt: Date?
    let stops: [String]?
  }

  let from: String, to: String
  let journeys: [Journey]
  let reason: String?

  /// Creates a report.
  ///
  /// - Parameter midnight: The moment from which minutes count.
  init(_ answer: JourneyAnswer, from: TransitStop, to: TransitStop, after midnight: Date) {
    func minutes(_ time: TransitTime) -> Int {
      Int((time.date.timeIntervalSince(midnight) / 60).rounded(.down))
    }
    (self.from, self.to) = (from.id, to.id)
    journeys = answer.journeys.map { journey in
      Journey(
        departure: "\(journey.departure)", arrival: "\(journey.arrival)",
        departureMinutes: minutes(journey.departure), arrivalMinutes: minutes(journey.arrival),
        transfers: journey.transfers, legs: journey.legs.map { Self.leg($0, minutes) })
    }
    reason = answer.absence.map(Self.text)
  }

  private static func leg(_ leg: JourneyLeg, _ minutes: (TransitTime) -> Int) -> Leg {
    Leg(
      mode: leg.isWalk ? "walk" : "ride", from: leg.origin?.id, fromName: leg.origin?.name,
      to: leg.destination?.id, toName: leg.destination?.name, departure: "\(leg.departure)",
      arrival: "\(leg.arrival)", departureMinutes: minutes(leg.departure),
      arrivalMinutes: minutes(leg.arrival),
      route: leg.route.map { $0.shortName ?? $0.longName ?? $0.id },
      headsign: leg.headsign, trip: leg.tripID, predictedAt: leg.predictedAt,
      stops: leg.isWalk ? nil : leg.visits.map(\.stop.id))
  }

  private static func text(_ absence: JourneyAnswer.Absence) -> String {
    switch absence {
    case .expired(let day): "The timetable's service has ended on \(day)."
    case .notYetValid(let day): "The timetable's service begins on \(day)."
    case .notServedAtOrigin: "Nothing departs from there on that day."
    case .notServedAtDestination: "Nothing arrives there on that day."
    case .nothingWithinLimits: "No journey is within a day and the given limits."
    }
  }

  func print() {
    if let reason { return Swift.print(reason) }
    for journey in journeys {
      let changes = journey.transfers == 1 ? "1 change" : "\(journey.transfers) changes"
      Swift.print("\(journey.departure) to \(journey.arrival), \(changes)")
      var table = Table("from", "at", "to", "at", "line", "stops")
      for leg in journey.legs {
        table.add(
          leg.fromName ?? leg.from ?? "-", leg.departure, leg.toName ?? leg.to ?? "-", leg.arrival,
          (leg.route ?? "on foot") + (leg.predictedAt == nil ? "" : ", live"),
          leg.stops.map { "\($0.count)" } ?? "")
      }
      table.print()
    }
  }
}
