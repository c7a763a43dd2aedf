import FieldKit
import FieldTransit
import Foundation

/// A dataset as the page shows it.
struct OwnPayload: Codable, Sendable {
  struct Credit: Codable, Sendable {
    var name: String
    var attribution: String
    var license: String
    var page: String
  }

  var id: String
  var title: String
  var isTimetable: Bool
  /// `file`, `address`, `portal`, or the family of a portal.
  var origin: String
  var address: String?
  var credit: Credit?
  var size: Int
  /// The number of stored records, or of stops.
  var count: Int
  var placed = 0
  var plan: OwnPlan?
  var validation: OwnValidation?
  var dataDate: Date?
  var lastRefresh: Date?
  var nextRefresh: Date?
  var zone: String?
  var firstDay: String?
  var lastDay: String?
  var now: Date

  init(_ dataset: OwnData.Dataset) async throws {
    let entry = dataset.entry
    (id, title, isTimetable, size) = (entry.id, entry.title, entry.isTimetable, entry.size)
    switch entry.source {
    case .file(let name): (origin, address) = ("file", name)
    case .address(let url): (origin, address) = ("address", url.absoluteString)
    case .portal(let url, let family): (origin, address) = (family, url.absoluteString)
    }
    credit = entry.credit.map {
      Credit(
        name: $0.name, attribution: $0.attribution, license: $0.license,
        page: $0.page.absoluteString)
    }
    (plan, validation, dataDate) = (entry.plan, entry.validation, entry.dataDate)
    // atlas:begin own
    lastRefresh = try await dataset.kit.lastRefresh?.addingTimeInterval(entry.endedBefore)
    if origin != "file" {
      nextRefresh = try await dataset.kit.nextRefreshDate?.addingTimeInterval(entry.endedBefore)
    }
    switch dataset.content {
    case .table(let catalog, _):
      let view = try await catalog.view()
      count = view.count
      placed = view.records(in: .world).count
    case .timetable(let timetable):
      let known = try await timetable.catalog.view().timetable
      count = known?.stopCount ?? 0
      zone = known?.zoneName
      firstDay = known?.serviceDays?.lowerBound.description
      lastDay = known?.serviceDays?.upperBound.description
    }
    // atlas:end own
    now = Date()
  }
}

/// Rows of a table, and how long finding them took.
struct OwnAnswer: Codable, Sendable {
  struct Row: Codable, Sendable {
    var id: String
    var name: String
    var cells: [String]
    var longitude: Double?
    var latitude: Double?
    var kilometers: Double?

    init(_ row: OwnRow, distance: Distance? = nil) {
      (id, name, cells) = (row.id, row.name, row.cells.map { String($0.prefix(300)) })
      longitude = row.coordinate?.normalized.longitude
      latitude = row.coordinate?.normalized.latitude
      kilometers = distance?.kilometers
    }
  }

  var count: Int
  var rows: [Row]
  var microseconds: Double
}

/// The places of a table, for drawing.
struct OwnPlaces: Codable, Sendable {
  /// Longitudes and latitudes in turn.
  var points: [Double] = []
  var outlines: [[Double]] = []

  private static let pointLimit = 50_000
  private static let positionLimit = 60_000

  init(_ rows: some Sequence<OwnRow>) {
    func rounded(_ degrees: Double) -> Double { (degrees * 1e5).rounded() / 1e5 }
    var positions = 0
    for row in rows {
      guard let place = row.coordinate?.normalized else { continue }
      if let outline = row.outline, positions < Self.positionLimit {
        outlines += outline.map { $0.map(rounded) }
        positions += outline.reduce(0) { $0 + $1.count }
      } else if points.count < 2 * Self.pointLimit {
        points += [rounded(place.longitude), rounded(place.latitude)]
      }
    }
  }
}

/// A stop as the page shows it.
struct TransitStopPayload: Codable, Sendable, Equatable {
  var id: String
  var name: String
  var code: String?
  var isStation: Bool
  var longitude: Double?
  var latitude: Double?

  init(_ stop: TransitStop) {
    (id, name, code, isStation) = (stop.id, stop.name ?? stop.id, stop.code, stop.isStation)
    longitude = stop.coordinate?.longitude
    latitude = stop.coordinate?.latitude
  }
}

/// A time of the timetable in its zone.
struct TransitTimePayload: Codable, Sendable, Equatable {
  var text: String
  var day: String
  var minutes: Int

  init(_ time: TransitTime) {
    (text, day, minutes) = (time.description, time.day.description, time.minutes)
  }
}

/// A leg as the page shows it.
struct TransitLegPayload: Codable, Sendable {
  var isWalk: Bool
  var isContinuation: Bool
  var route: String?
  var color: String?
  var textColor: String?
  var mode: Int?
  var trip: String?
  var headsign: String?
  var isFrequency: Bool
  var from: TransitStopPayload?
  var to: TransitStopPayload?
  var departure: TransitTimePayload
  var arrival: TransitTimePayload
  var scheduledDeparture: TransitTimePayload?
  var scheduledArrival: TransitTimePayload?
  var stops: [String]
  /// Longitudes and latitudes in turn.
  var points: [Double]
  /// The age of the prediction, in seconds; without one, the times are the timetable's.
  var predictionAge: Int?

  init(_ leg: JourneyLeg, now: Date) {
    (isWalk, isContinuation, isFrequency) = (leg.isWalk, leg.isContinuation, leg.isFrequency)
    let line = leg.route
    route = line.map { $0.shortName ?? $0.longName ?? $0.id }
    (color, textColor, mode) = (line?.color, line?.textColor, line?.mode.rawValue)
    (trip, headsign) = (leg.tripID, leg.headsign)
    from = leg.origin.map(TransitStopPayload.init)
    to = leg.destination.map(TransitStopPayload.init)
    departure = TransitTimePayload(leg.departure)
    arrival = TransitTimePayload(leg.arrival)
    scheduledDeparture = leg.scheduledDeparture.map(TransitTimePayload.init)
    scheduledArrival = leg.scheduledArrival.map(TransitTimePayload.init)
    let visits = leg.visits
    stops = visits.dropFirst().dropLast().map { $0.stop.name ?? $0.stop.id }
    let ends = [leg.origin, leg.destination].compactMap { $0?.coordinate }
    let shape = leg.shape ?? (visits.isEmpty ? ends : visits.compactMap(\.stop.coordinate))
    points = TransitMap.flat(shape, limit: 400)
    predictionAge = leg.predictedAt.map { max(0, Int(now.timeIntervalSince($0))) }
  }
}

/// The journeys between two stops, or why there is none.
struct TransitAnswer: Codable, Sendable {
  struct Journey: Codable, Sendable {
    var departure: TransitTimePayload
    var arrival: TransitTimePayload
    var minutes: Int
    var transfers: Int
    var legs: [TransitLegPayload]
  }

  var journeys: [Journey]
  /// `expired`, `notYetValid`, `origin`, `destination`, or `limits`.
  var absence: String?
  var microseconds: Double
  var live: TransitLive?

  init(_ answer: JourneyAnswer, microseconds: Double, live: TransitLive?, now: Date) {
    journeys = answer.journeys.map { journey in
      Journey(
        departure: TransitTimePayload(journey.departure),
        arrival: TransitTimePayload(journey.arrival),
        minutes: journey.arrival.minutes - journey.departure.minutes, transfers: journey.transfers,
        legs: journey.legs.map { TransitLegPayload($0, now: now) })
    }
    absence =
      switch answer.absence {
      case .expired?: "expired"
      case .notYetValid?: "notYetValid"
      case .notServedAtOrigin?: "origin"
      case .notServedAtDestination?: "destination"
      case .nothingWithinLimits?: "limits"
      case nil: nil
      }
    self.microseconds = microseconds
    self.live = live
  }
}

/// The state of the live data.
struct TransitLive: Codable, Sendable {
  var trip: String
  var minutes: Int
  /// The age of the message, in seconds.
  var age: Int
  /// A Boolean value that indicates whether the message counts; one that is too old changes nothing.
  var isFresh: Bool
  /// The number of trips with predicted times.
  var trips: Int

  init?(_ message: LiveMessage?, _ timetable: Timetable, now: Date) {
    guard let message else { return nil }
    (trip, minutes) = (message.trip, message.minutes)
    age = max(0, Int(now.timeIntervalSince(message.date)))
    isFresh = timetable.realtime.map { $0.staleMessageCount == 0 } ?? false
    trips = timetable.realtime?.predictedTripCount ?? 0
  }
}

/// The next departures from a stop.
struct TransitBoard: Codable, Sendable {
  var stop: TransitStopPayload?
  var departures: [TransitLegPayload]
  var microseconds: Double
  var live: TransitLive?
}
