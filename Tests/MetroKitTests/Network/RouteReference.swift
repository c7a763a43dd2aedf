import Foundation
import MetroKit
import TestSupport
import Testing

/// The routes of Scripts/Checks/metro_reference.py.
enum RouteReference {
  struct Route {
    let from: String
    let to: String
    let preference: RoutePreference
    let seconds: Int
    let transfers: Int
    /// The legs as the script prints them: the line or `walk`, and the stations.
    let legs: [String]
  }

  /// Whether the script and what it reads are there.
  static let isThere = SharedData.isThere && Tool.isThere("python3")

  static func routes(
    from starts: [String], options: MetroRoute.Options = MetroRoute.Options()
  ) throws -> [Route] {
    // The shell hands the names on, one a line.
    let script = SharedData.root.appending(path: "Scripts/Checks/metro_reference.py").path
    let walk = options.walkSeconds.map(String.init) ?? "none"
    let output = try Tool.run(
      "xargs", "python3", script, "--transfer", "\(options.transferSeconds)", "--walk", walk,
      input: Data(starts.joined(separator: "\n").utf8))
    return try String(decoding: output, as: UTF8.self).split(separator: "\n").map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      try #require(fields.count == 6)
      return Route(
        from: fields[0], to: fields[1],
        preference: try #require(RoutePreference(rawValue: fields[2])),
        seconds: try #require(Int(fields[3])), transfers: try #require(Int(fields[4])),
        legs: fields[5].split(separator: "|").map(String.init))
    }
  }

  /// Compares the network's answers with all of these; returns how many there were.
  static func compare(_ routes: [Route], options: MetroRoute.Options = MetroRoute.Options()) throws
  {
    for expected in routes {
      let route = try MetroNetwork.taipei.route(
        from: expected.from, to: expected.to, preferring: expected.preference, options: options)
      let what: Comment = "\(expected.from) to \(expected.to), \(expected.preference)"
      #expect(route.duration == .seconds(expected.seconds), what)
      #expect(route.transfers == expected.transfers, what)
      let legs = route.legs.map { leg in
        "\(leg.line?.rawValue ?? "walk") \(leg.stations.map(\.rawValue).joined(separator: " "))"
      }
      #expect(legs == expected.legs, what)
      try check(route, what)
    }
  }

  /// What holds for every route.
  private static func check(_ route: MetroRoute, _ what: Comment) throws {
    let stations = route.legs.first.map(\.stations) ?? route.stations.map(\.id)
    let rest = route.legs.dropFirst().flatMap { $0.stations.dropFirst() }
    #expect(route.stations.map(\.id) == stations + rest, what)
    #expect(Set(stations + rest).count == route.stations.count, what)
    let rides = route.legs.filter { $0.line != nil }
    #expect(rides.map(\.seconds).reduce(0, +) == route.rideSeconds, what)
    #expect(rides.allSatisfy { !$0.headings.isEmpty }, what)
    for (leg, next) in zip(route.legs, route.legs.dropFirst()) {
      #expect(leg.to == next.from, what)
    }
    let certainty: MetroRoute.Certainty =
      rides.count < route.legs.count
      ? .unconfirmedWalk : rides.count > 1 ? .estimatedTransfers : .published
    #expect(route.certainty == certainty, what)
  }
}
