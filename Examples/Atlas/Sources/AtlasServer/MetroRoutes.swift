import FieldFakes
import FieldKit
import Foundation
import Hummingbird

/// The lines and stations, for drawing.
struct MetroNetworkPayload: Codable, Sendable {
  struct Line: Codable, Sendable {
    var id: String
    var name: String
    var english: String
    var korean: String?
    var color: String
    var paths: [[String]]
  }

  struct Station: Codable, Sendable {
    var id: String
    var english: String
    var korean: String?
    var latitude: Double
    var longitude: Double
    var lines: [String]
  }

  var lines: [Line]
  var stations: [Station]

  init(_ network: MetroNetwork) {
    func names(_ codes: [MetroStation.Code]) -> [String] {
      codes.compactMap { network.station(code: $0)?.id.rawValue }
    }
    lines = network.lines.map { line in
      Line(
        id: line.id.rawValue, name: line.name, english: line.englishName, korean: line.koreanName,
        color: line.color,
        paths: [names(line.trunk)] + line.branches.map { names([$0.junction] + $0.stops) })
    }
    stations = network.stations.map { station in
      Station(
        id: station.id.rawValue, english: station.englishName, korean: station.koreanName,
        latitude: station.coordinate.latitude, longitude: station.coordinate.longitude,
        lines: station.lines.map(\.rawValue))
    }
  }
}

/// A board with the verdict on each row.
struct MetroBoardPayload: Codable, Sendable {
  struct Row: Codable, Sendable {
    var station: String?
    var stationName: String
    var destination: String?
    var destinationName: String
    var line: String?
    var freshness: String
    var age: Int?
  }

  var rows: [Row]
  var fresh: Int
  var stale: Int
  var age: Int?
  var failure: FailurePayload?

  // atlas:begin metro
  /// Creates the payload of a board: every row with its age, and whether it may be believed.
  init(_ board: ArrivalBoard, network: MetroNetwork) {
    rows = board.arrivals.map { arrival in
      Row(
        station: arrival.station?.rawValue, stationName: arrival.stationName,
        destination: arrival.destination?.rawValue, destinationName: arrival.destinationName,
        line: arrival.line?.rawValue, freshness: board.freshness(of: arrival).rawValue,
        age: board.age(of: arrival).map { Int($0.components.seconds) })
    }
    fresh = board.fresh.count
    stale = board.stale.count
    age = board.age.map { Int($0.components.seconds) }
    failure = board.lastFailure.map { FailurePayload($0) }
  }
  // atlas:end metro
}

/// A way from station to station.
struct MetroRoutePayload: Codable, Sendable {
  struct Leg: Codable, Sendable {
    var line: String?
    var stations: [String]
    var headings: [String]
    var seconds: Int
  }

  var legs: [Leg]
  var stations: [String]
  var seconds: Int
  var transfers: Int
  var certainty: String
  var microseconds: Double

  init(_ route: MetroRoute, microseconds: Double) {
    legs = route.legs.map { leg in
      Leg(
        line: leg.line?.rawValue, stations: leg.stations.map(\.rawValue),
        headings: leg.headings.map(\.rawValue), seconds: leg.seconds)
    }
    stations = route.stations.map(\.id.rawValue)
    seconds = route.rideSeconds + route.changeSeconds
    transfers = route.transfers
    certainty = route.certainty.rawValue
    self.microseconds = microseconds
  }
}

/// A whole day of the metro, read by a separate kit whose clock is moved by hand.
final class MetroDay: Sendable {
  /// A frame: the minute of the day, and the trains as line, station and destination.
  struct Frame: Codable, Sendable {
    var minute: Int
    var trains: [[String]]
  }

  private let frames = Locked<[Frame]?>(nil)

  /// Returns the frames from 6:00 to midnight, two minutes apart.
  func day() async throws -> [Frame] {
    if let frames = frames.withLock({ $0 }) { return frames }
    // atlas:begin metro
    // Six in the morning in Taipei, on a clock that only the loop moves.
    let clock = ManualClock(now: Date(timeIntervalSince1970: 1_790_028_000))
    let metro = Metro(
      source: MetroStationFeed(
        transport: AtlasField.metroFeed(clock: clock),
        url: MetroStationFeed.presentAddress),
      storage: .inMemory, clock: clock)
    var day: [Frame] = []
    for minute in stride(from: 6 * 60, to: 24 * 60, by: 4) {
      clock.advance(by: .seconds(240))
      try await metro.refresh(.now)
      day.append(
        Frame(
          minute: minute,
          trains: try await metro.board().fresh.map { arrival in
            [arrival.line?.rawValue, arrival.station?.rawValue, arrival.destination?.rawValue]
              .map { $0 ?? "" }
          }))
    }
    // atlas:end metro
    try await metro.close()
    frames.withLock { [day] in $0 = day }
    return day
  }
}

extension Router where Context == BasicRequestContext {
  func addMetro(_ world: World) {
    let network = world.field.metro.network
    get("api/metro/network") { _, _ in try json(MetroNetworkPayload(network)) }
    get("api/metro/board") { _, _ in
      try json(MetroBoardPayload(try await world.field.metro.board(), network: network))
    }
    get("api/metro/day") { _, _ in try json(try await world.metroDay.day()) }
    get("api/metro/route") { request, _ in
      let from = try request.text("from")
      let to = try request.text("to")
      // atlas:begin metro
      let (route, time) = try measured { try network.route(from: from, to: to) }
      return try json(MetroRoutePayload(route, microseconds: time))
      // atlas:end metro
    }
  }
}
