import FieldKit
import Foundation

/// `day-out route FROM TO`: the way from one station to another, without a network.
struct RouteCommand: Command {
  static let name = "route"
  static let operands = "FROM TO [options]"
  static let summary = "finds a route between two stations"
  static let examples = ["day-out route 動物園 淡水"]
  static let details: [Detail] = [
    ("FROM, TO", "stations in any spelling: 淡水, 淡水站, Tamsui, R28"),
    ("--fewest-transfers", "prefers fewer changes to fewer minutes"),
    Usage.language,
  ]
  static let flags: Set<String> = ["--json", "--fewest-transfers"]
  static let values: Set<String> = ["--lang"]

  private let from: String
  private let to: String
  private let preference: RoutePreference
  private let printsJSON: Bool
  private let language: TextLanguage

  init(_ arguments: Arguments) throws {
    guard arguments.operands.count == 2 else {
      throw UsageError("pass the stations to start from and to go to")
    }
    (from, to) = (arguments.operands[0], arguments.operands[1])
    preference = arguments.has("--fewest-transfers") ? .fewestTransfers : .fewestMinutes
    printsJSON = arguments.has("--json")
    language = try arguments.language()
  }

  func run() async throws {
    let route = try MetroNetwork.taipei.route(from: from, to: to, preferring: preference)
    if printsJSON {
      try JSONOutput.print(RouteReport(route))
    } else {
      print(LineDiagram(route, in: .taipei, language).text)
    }
  }
}

/// The output of `day-out route --json`.
struct RouteReport: Encodable {
  struct Leg: Encodable {
    /// Nil for a walk in the street.
    let line: String?
    let from: String
    let to: String
    let headings: [String]
    let seconds: Int
  }

  let stations: [String]
  let transfers: Int
  let seconds: Int
  let certainty: String
  let legs: [Leg]

  init(_ route: MetroRoute) {
    stations = route.stations.map(\.name)
    transfers = route.transfers
    seconds = route.rideSeconds + route.changeSeconds
    certainty = route.certainty.rawValue
    legs = route.legs.map { leg in
      Leg(
        line: leg.line?.rawValue, from: leg.from.rawValue, to: leg.to.rawValue,
        headings: leg.headings.map(\.rawValue), seconds: leg.seconds)
    }
  }
}

/// Values as JSON on standard output.
enum JSONOutput {
  static func print(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    Swift.print(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}
