internal import FieldCore

/// Days of the week, from Monday on.
struct MetroDays: Hashable {
  private(set) var bits: UInt8 = 0

  static let all = 0..<7
  private static let names = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]

  init(_ days: some Sequence<Int>) {
    for day in days where Self.all.contains(day) { bits |= 1 << UInt8(day) }
  }

  /// Creates days from a text such as `1,2,3,4,5`, in which 1 is Monday.
  init(_ text: String) {
    self.init(text.utf8.map { Int($0) - Int(UInt8(ascii: "1")) })
  }

  /// Creates days from an object with the name of each day.
  init(_ object: JSONValue) {
    self.init(Self.all.filter { object[Self.names[$0]] == .bool(true) })
  }

  var count: Int { bits.nonzeroBitCount }
  func contains(_ day: Int) -> Bool { bits >> UInt8(day) & 1 == 1 }
}

/// The rows of timetables, in any of the forms in which the metro's open data has them.
///
/// A row of TDX's `StationTimeTable` has the departures of a station toward a destination, one of its `Frequency` has the
/// intervals of a pattern of trains, and one of the conversions by train has all trains of a line in a direction.
struct MetroTimetableRows {
  /// A train with its departures.
  struct Train {
    var days: MetroDays
    /// The first day, such as `2025-08-23`; `nil` if the source doesn't say.
    var start: String?
    var destination: String?
    /// The stops, and the times as written.
    var stops: [(code: MetroStation.Code, time: String)]
  }

  /// The departures of a station toward a destination.
  struct Board {
    var route: String
    var line: MetroLine.ID
    var direction: Int?
    var station: MetroStation.Code
    var destination: MetroStation.Code
    var days: MetroDays
    /// Ascending, each once.
    var times: [MetroTrainTimes.Time]
    /// The way to the destination.
    var path: MetroPath
  }

  /// How often trains of a pattern run on some days.
  struct Frequency {
    var service: String
    var days: MetroDays
    var headways: [(start: Int, end: Int, minutes: Int)]
  }

  var trains: [Train] = []
  var boards: [Board] = []
  var frequencies: [Frequency] = []
  /// The rows that can't be used.
  var failures: [RowFailure] = []
  var rowCount = 0
  /// The number of times that can't be read in rows that can otherwise, and the first of them.
  private(set) var unreadable = (count: 0, first: "")
  private let network: MetroNetwork

  init(_ network: MetroNetwork) { self.network = network }

  /// The lines with trains, departures, or headways.
  var lines: Set<MetroLine.ID> {
    let patterns = Set(frequencies.map(\.service))
    return Set(trains.compactMap { network.line(of: $0.stops[0].code) })
      .union(boards.map(\.line))
      .union(network.services.filter { patterns.contains($0.id) }.map(\.line))
  }

  // MARK: Reading

  private enum Column {
    static let station = 0
    static let route = 1
    static let line = 2
    static let direction = 3
    static let destination = 4
    static let timetables = 5
    static let days = 6
    static let headways = 7
    static let start = 8
    static let all = [
      RowColumn("StationID"), RowColumn("RouteID"), RowColumn("LineID"), RowColumn("Direction"),
      RowColumn("DestinationStaionID", "DestinationStationID"), RowColumn("Timetables"),
      RowColumn("ServiceDay"), RowColumn("Headways"), RowColumn("EffectiveFrom"),
    ]
  }

  /// Adds the rows of a file.
  ///
  /// - Throws: `FieldError` if the file isn't rows, or if none can be read.
  mutating func add(_ bytes: [UInt8]) throws(FieldError) {
    let ink = bytes[FeedBody.firstInk(bytes)...].lazy.filter { $0 > 0x20 }
    // An operator without a timetable.
    if ink.prefix(3).elementsEqual("[]".utf8) { return }
    let before = (trains.count, boards.count, frequencies.count)
    let summary = try RowReader.forEachRow(of: bytes, columns: Column.all, key: Column.station) {
      row throws(RowProblem) in try add(row)
    }
    rowCount += summary.rowCount
    failures += summary.failures
    if before == (trains.count, boards.count, frequencies.count), let first = summary.failures.first
    {
      throw FieldError(
        .malformed,
        "None of the \(summary.rowCount) rows is of a timetable. The first: \(first)")
    }
  }

  private mutating func add(_ row: borrowing SourceRow) throws(RowProblem) {
    if row.text(Column.station) != nil {
      try addBoard(row)
    } else if let headways = row.json(Column.headways)?.elements {
      try addFrequency(row, headways)
    } else if let tables = row.json(Column.timetables)?.elements {
      for table in tables { try addTrains(table, from: row.text(Column.start)) }
    } else {
      throw RowProblem("The row is neither of a station, nor of a line, nor of headways.")
    }
  }

  private mutating func addBoard(_ row: borrowing SourceRow) throws(RowProblem) {
    guard let station = row.text(Column.station), let line = row.text(Column.line) else {
      throw RowProblem("The row has no line.")
    }
    guard let destination = row.text(Column.destination) else {
      throw RowProblem("The row has no destination.")
    }
    guard let days = row.json(Column.days).map({ MetroDays($0) }), days.count > 0 else {
      throw RowProblem("The row has no days of the week.")
    }
    let (from, to) = (
      MetroStation.Code(rawValue: station), MetroStation.Code(rawValue: destination)
    )
    guard let path = network.path(from: from, to: to, on: MetroLine.ID(rawValue: line)) else {
      throw RowProblem("The network has no trains from \(station) to \(destination) on \(line).")
    }
    guard let entries = row.json(Column.timetables)?.elements else {
      throw RowProblem("The row has no departures.")
    }
    var times: [MetroTrainTimes.Time] = []
    for entry in entries {
      let text = (entry["DepartureTime"] ?? entry["ArrivalTime"])?.string
      if let time = text.flatMap({ MetroTrainTimes.Time($0) }) {
        times.append(time)
      } else {
        noteUnreadable("\(text ?? "nothing") of \(station)")
      }
    }
    if times.isEmpty, !entries.isEmpty { throw RowProblem("None of the times can be read.") }
    boards.append(
      Board(
        route: row.text(Column.route) ?? "", line: MetroLine.ID(rawValue: line),
        direction: row.integer(Column.direction), station: from, destination: to, days: days,
        times: times.sorted().uniqued(), path: path))
  }

  private mutating func addFrequency(
    _ row: borrowing SourceRow, _ entries: [JSONValue]
  ) throws(RowProblem) {
    guard let service = row.text(Column.route) else { throw RowProblem("The row has no RouteID.") }
    guard network.services.contains(where: { $0.id == service }) else {
      throw RowProblem("The network has no trains of the pattern \(service).")
    }
    guard let days = row.json(Column.days).map({ MetroDays($0) }) else {
      throw RowProblem("The row has no days of the week.")
    }
    var headways: [(start: Int, end: Int, minutes: Int)] = []
    for entry in entries {
      let start = entry["StartTime"]?.string.flatMap { MetroTrainTimes.Time($0)?.minutes }
      // An end at midnight is written as 00:00 or 24:00.
      let end = entry["EndTime"]?.string.flatMap {
        $0 == "24:00" ? 24 * 60 : MetroTrainTimes.Time($0)?.minutes
      }
      if let start, let end, start < end, let minutes = entry["MaxHeadwayMins"]?.integer,
        (1...24 * 60).contains(minutes)
      {
        headways.append((start, end, minutes))
      } else {
        noteUnreadable("a headway of \(service)")
      }
    }
    if headways.isEmpty, !entries.isEmpty { throw RowProblem("None of the headways can be read.") }
    frequencies.append(Frequency(service: service, days: days, headways: headways))
  }

  private mutating func addTrains(_ table: JSONValue, from start: String?) throws(RowProblem) {
    guard let days = table["Days"]?.string.map({ MetroDays($0) }) else {
      throw RowProblem("A timetable has no days.")
    }
    guard let entries = table["Trains"]?.elements else {
      throw RowProblem("A timetable has no trains.")
    }
    for entry in entries {
      let stops = (entry["Schedule"]?.elements ?? []).compactMap { stop in
        stop["StationCode"]?.string.map {
          (code: MetroStation.Code(rawValue: $0), time: stop["DepTime"]?.string ?? "")
        }
      }
      guard let first = stops.first, network.line(of: first.code) != nil else {
        noteUnreadable("a train from \(stops.first?.code.rawValue ?? "nowhere")")
        continue
      }
      trains.append(
        Train(days: days, start: start, destination: entry["Dst"]?.string, stops: stops))
    }
  }

  private mutating func noteUnreadable(_ text: String) {
    unreadable.count += 1
    if unreadable.count == 1 { unreadable.first = text.printable }
  }
}
