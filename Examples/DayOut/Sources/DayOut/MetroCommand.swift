import FieldFakes
import FieldKit
import Foundation

/// `day-out metro`: reads captures of arrivals, as boards that follow one another, and prints the last
/// board and the totals.
struct MetroCommand: Command {
  static let name = "metro"
  static let operands = "FILE… [options]"
  static let summary = "reads captures of the metro's arrivals"
  static let examples = [
    "day-out metro stations.json",
    "day-out metro stations.json --at 台北車站 --timetable timetable.json",
  ]
  static let details: [Detail] = [
    (
      "FILE",
      """
      a file or an HTTP URL in any known form of the feed; several are consecutive
      boards: the last one is shown, and the statistics cover all
      """
    ),
    (
      "--at STATION",
      """
      a station in any spelling: its next trains are shown, the live ones, or else
      those of the timetable
      """
    ),
    (
      "--timetable FILE",
      "rows of TDX's StationTimeTable or Frequency, or trains of a line (a small example)"
    ),
    ("--now ISO", "the time to measure ages at, such as 2024-10-18T11:39:30+08:00"),
    Usage.language,
  ]
  static let flags: Set<String> = ["--json"]
  static let values: Set<String> = ["--now", "--lang", "--at", "--timetable"]

  private let sources: [String]
  private let printsJSON: Bool
  private let now: Date?
  private let language: TextLanguage
  private let station: String?
  private let timetableFile: URL?

  init(_ arguments: Arguments) throws {
    sources = arguments.operands
    guard !sources.isEmpty else { throw UsageError("pass one or more files") }
    printsJSON = arguments.has("--json")
    now = try arguments.date("--now")
    language = try arguments.language()
    station = arguments.value("--at")
    timetableFile = arguments.value("--timetable").map { URL(filePath: $0) }
    if timetableFile != nil, station == nil { throw UsageError("--timetable needs --at") }
    if let station, MetroNetwork.taipei.station(named: station) == nil {
      throw UsageError("--at needs a station, not \"\(station)\"")
    }
  }

  func run() async throws {
    let clock: any FieldClock = now.map { ManualClock(now: $0) } ?? .system
    let storage = Storage.inMemory
    var boards: [ArrivalBoard] = []
    var refreshes: [RefreshReport] = []
    var failures: [FieldError] = []
    for source in sources {
      do {
        let metro = Metro(
          source: feed(source),
          timetable: station.map { _ in TimetableSource(file: timetableFile) }, storage: storage,
          clock: clock)
        refreshes.append(try await metro.refresh())
        boards.append(try await metro.board())
      } catch let error as FieldError {
        failures.append(FieldError(error.code, "\(source): \(error.message)"))
      }
    }
    // Shows what was read, and reports each failure in one message.
    if !boards.isEmpty { try show(boards, refreshes) }
    guard let last = failures.popLast() else { return }
    for failure in failures {
      FileHandle.standardError.write(Data("day-out: \(failure.message)\n".utf8))
    }
    throw last
  }

  private func feed(_ source: String) -> any RecordSource<Arrival> {
    if let url = URL(string: source), url.scheme == "http" || url.scheme == "https" {
      return MetroStationFeed(transport: URLSessionTransport(), url: url)
    }
    return FileRows<Arrival>(URL(filePath: source))
  }

  private func show(_ boards: [ArrivalBoard], _ refreshes: [RefreshReport]) throws {
    let report = MetroReport(boards, refreshes: refreshes, at: station)
    if printsJSON { return try JSONOutput.print(report) }
    if let last = boards.last {
      BoardTable.print(last, in: language, limit: .max)
      if let station { try showDepartures(last, station) }
    }
    var figures = Table("figure", "value")
    figures.add("rows", "\(report.rows)")
    figures.add("fresh", "\(report.fresh)")
    figures.add("stale", "\(report.stale)")
    figures.add("without a readable time", "\(report.unparsedTimes)")
    figures.add("unknown names", "\(report.unresolvedStations)")
    figures.add("newest", report.newest ?? "-")
    figures.print()
    for failure in boards.flatMap(\.failures).prefix(5) { print("  \(failure)") }
    if !report.unresolvedNames.isEmpty {
      print("  unknown: \(report.unresolvedNames.joined(separator: ", "))")
    }
  }

  private func showDepartures(_ board: ArrivalBoard, _ station: String) throws {
    if let failure = board.timetableFailure { throw failure }
    let name = board.network.station(named: station).map(language.name) ?? station
    print(
      "Next trains from \(name)\(timetableFile == nil ? ", with a timetable made up for this example" : "")\n"
    )
    var table = Table("platform", "train to", "", "age")
    for train in board.departures(at: station) {
      table.add(
        train.code?.rawValue ?? "", language.name(train.destination, or: train.destinationName),
        language.text(MetroTexts.departure(train, asOf: board.asOf)),
        train.age.map(ageText) ?? "")
    }
    table.print()
  }
}

/// A timetable in a file, or the example's own.
private struct TimetableSource: RecordSource {
  let file: URL?

  func fetch(_ request: RecordRequest) async throws -> Batch<MetroTimetable> {
    let bytes =
      try file.map { [UInt8](try Data(contentsOf: $0)) } ?? PackageResources.metro_timetable_json
    let timetable = try MetroTimetable(reading: [bytes])
    return Batch(records: [timetable], failures: timetable.failures)
  }
}
