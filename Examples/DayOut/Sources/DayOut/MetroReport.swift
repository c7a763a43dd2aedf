import FieldKit
import Foundation

/// What `day-out metro --json` prints.
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
  let changes: [MeteoritesReport.Change]

  private enum CodingKeys: String, CodingKey {
    case rows, fresh, stale, unparsedTimes, unresolvedStations, unresolvedNames, failures, newest
    case verdicts, changes
  }

  init(_ board: ArrivalBoard, refreshes: [RefreshReport]) {
    rows = board.arrivals.count + board.failures.count
    fresh = board.fresh.count
    stale = board.stale.count
    unparsedTimes = board.undated.count
    unresolvedNames = board.unresolvedNames
    unresolvedStations = unresolvedNames.count
    failures = board.failures.count
    newest = board.newest?.updatedAt?.instant.map(Self.text)
    verdicts = Dictionary(grouping: board.arrivals) { board.freshness(of: $0).rawValue }
      .mapValues(\.count)
    changes = refreshes.map {
      .init(
        added: $0.added, updated: $0.updated, removed: $0.removed, unchanged: $0.unchanged)
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
  static func print(_ board: ArrivalBoard, limit: Int = 12) {
    var table = Table("station", "train to", "line", "time", "", "age, s")
    for arrival in board.arrivals.prefix(limit) {
      let age = board.age(of: arrival).map { "\($0.components.seconds)" } ?? ""
      table.add(
        arrival.stationName, arrival.destinationName, arrival.line?.rawValue ?? "",
        arrival.updatedAt?.taipeiText ?? "", board.freshness(of: arrival).rawValue, age)
    }
    table.print()
    if board.arrivals.count > limit { Swift.print("  and \(board.arrivals.count - limit) more\n") }
  }
}
