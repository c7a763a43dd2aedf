import FieldKit
import Foundation

/// The output of `day-out metro --json`: the totals of all boards.
struct MetroReport: Encodable {
  let rows: Int
  let fresh: Int
  let stale: Int
  /// Rows without a time that can be read; they are neither fresh nor stale.
  let unparsedTimes: Int
  /// How many different names the network does not have.
  let unresolvedStations: Int
  let unresolvedNames: [String]
  /// Rows that could not be used at all.
  let failures: Int
  /// The newest time, in Taipei's zone; null when no row has one.
  let newest: String?
  let verdicts: [String: Int]
  let changes: [RefreshChange]
  /// The next trains of a station, if one is asked for.
  let departures: [Departure]?

  struct Departure: Encodable {
    let platform: String?
    let destination: String
    let date: String
    let basis: MetroDeparture.Basis
    let ageSeconds: Int64?
  }

  private enum CodingKeys: String, CodingKey {
    case rows, fresh, stale, unparsedTimes, unresolvedStations, unresolvedNames, failures, newest
    case verdicts, changes, departures
  }

  init(_ boards: [ArrivalBoard], refreshes: [RefreshReport], at station: String? = nil) {
    func total(_ count: (ArrivalBoard) -> Int) -> Int { boards.reduce(0) { $0 + count($1) } }
    failures = total { $0.failures.count }
    rows = failures + total { $0.arrivals.count }
    fresh = total { $0.fresh.count }
    stale = total { $0.stale.count }
    unparsedTimes = total { $0.undated.count }
    unresolvedNames = Set(boards.flatMap(\.unresolvedNames)).sorted()
    unresolvedStations = unresolvedNames.count
    newest = boards.compactMap { $0.newest?.updatedAt?.instant }.max().map(Self.text)
    verdicts = boards.reduce(into: [:]) { verdicts, board in
      let ofBoard = Dictionary(grouping: board.arrivals) { board.freshness(of: $0).rawValue }
      verdicts.merge(ofBoard.mapValues(\.count), uniquingKeysWith: +)
    }
    changes = refreshes.map(RefreshChange.init)
    departures = station.map { station in
      (boards.last?.departures(at: station) ?? []).map {
        Departure(
          platform: $0.code?.rawValue, destination: $0.destinationName, date: Self.text($0.date),
          basis: $0.basis, ageSeconds: $0.age?.components.seconds)
      }
    }
  }

  /// As synthesized, but that a missing time is null and not left out.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(rows, forKey: .rows)
    try container.encode(fresh, forKey: .fresh)
    try container.encode(stale, forKey: .stale)
    try container.encode(unparsedTimes, forKey: .unparsedTimes)
    try container.encode(unresolvedStations, forKey: .unresolvedStations)
    try container.encode(unresolvedNames, forKey: .unresolvedNames)
    try container.encode(failures, forKey: .failures)
    try container.encode(newest, forKey: .newest)
    try container.encode(verdicts, forKey: .verdicts)
    try container.encode(changes, forKey: .changes)
    try container.encodeIfPresent(departures, forKey: .departures)
  }

  /// A moment as ISO 8601 in Taipei's zone, with milliseconds when there are any.
  static func text(_ date: Date) -> String {
    let formatter = ISO8601DateFormatter()
    formatter.timeZone = TimeZone(secondsFromGMT: 8 * 3600)
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    formatter.formatOptions = [.withInternetDateTime, .withColonSeparatorInTimeZone]
    if milliseconds.truncatingRemainder(dividingBy: 1000) != 0 {
      formatter.formatOptions.insert(.withFractionalSeconds)
    }
    return formatter.string(from: Date(timeIntervalSince1970: milliseconds / 1000))
  }
}

/// A board as a table.
enum BoardTable {
  static func print(_ board: ArrivalBoard, in language: TextLanguage, limit: Int = 12) {
    var table = Table("station", "train to", "line", "time", "", "age")
    for arrival in board.arrivals.prefix(limit) {
      table.add(
        language.name(arrival.station, or: arrival.stationName),
        language.name(arrival.destination, or: arrival.destinationName),
        arrival.line?.rawValue ?? "", language.time(of: arrival),
        language.text(MetroTexts.name(of: board.freshness(of: arrival))),
        board.age(of: arrival).map(ageText) ?? "")
    }
    table.print()
    if board.arrivals.count > limit { Swift.print("  and \(board.arrivals.count - limit) more\n") }
  }
}
