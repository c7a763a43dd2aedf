internal import FieldCore

/// Writes the metro's timetable as the files of a GTFS feed, which `FieldTransit` compiles.
struct MetroFeedWriter {
  private let network: MetroNetwork
  private var services: [String: String] = [:]
  private var trips = "trip_id,route_id,service_id,trip_headsign\n"
  private var tripCount = 0
  private var visits =
    "trip_id,stop_sequence,stop_id,arrival_time,departure_time,pickup_type\n"
  private var frequencies = "trip_id,start_time,end_time,headway_secs\n"
  /// The number of departures in a week, by line.
  private(set) var departureCounts: [String: Int] = [:]

  /// Writes the rows of a timetable: of each line, trains if they are known, or else the trains behind the departures of its
  /// stations, or else the runs at its headways.
  init(_ rows: MetroTimetableRows, _ network: MetroNetwork) {
    self.network = network
    for train in rows.trains { add(train) }
    let linesWithTrains = Set(departureCounts.keys)
    var groups: [[String]: [MetroTimetableRows.Board]] = [:]
    for board in rows.boards where !linesWithTrains.contains(board.line.rawValue) {
      let key = [
        board.line.rawValue, board.route, board.direction.map(String.init) ?? "",
        board.destination.rawValue,
      ]
      groups[key, default: []].append(board)
    }
    for (_, boards) in groups.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      add(boards)
    }
    let linesWithTimes = Set(departureCounts.keys)
    for row in rows.frequencies { add(row, unless: linesWithTimes) }
  }

  // MARK: Trains

  private mutating func add(_ train: MetroTimetableRows.Train) {
    let code = train.stops[0].code
    guard let line = network.line(of: code) else { return }
    let trip = trip(
      line, service(train.days, from: train.start), headsign: train.destination)
    for (place, stop) in train.stops.enumerated() {
      let time = MetroTrainTimes.Time(stop.time).map { Self.text($0.minutes * 60) } ?? "-"
      visit(trip, place, stop.code, time)
    }
    count(line, train.days.count * (train.stops.count - 1))
  }

  /// Adds the trains behind the departures of stations toward one destination.
  private mutating func add(_ boards: [MetroTimetableRows.Board]) {
    let (line, destination) = (boards[0].line, boards[0].destination)
    let paths = Dictionary(boards.map { ($0.station, $0.path) }) { $1 }
    // Days on which the same rows count have the same trains.
    var days: [[Int]: [Int]] = [:]
    for day in MetroDays.all {
      let rows = boards.indices.filter { boards[$0].days.contains(day) }
      let chosen = Dictionary(grouping: rows) { boards[$0].station }.values.map { rows in
        // Of a row for all of the weekend and one for its Sundays, the latter counts.
        rows.min { boards[$0].days.count < boards[$1].days.count } ?? rows[0]
      }
      if !chosen.isEmpty { days[chosen.sorted(), default: []].append(day) }
    }
    let headsign = network.station(code: destination)?.name
    for (rows, days) in days.sorted(by: { $0.value[0] < $1.value[0] }) {
      var departures: [MetroStation.Code: [Int]] = [:]
      for row in rows {
        departures[boards[row].station] = boards[row].times.map(\.minutes)
      }
      let days = MetroDays(days)
      let service = service(days, from: nil)
      for train in MetroTrainChain.trains(departures, along: paths) {
        guard let path = paths[train[0].code] else { continue }
        write(train, path, trip(line, service, headsign: headsign))
        count(line, days.count * train.count)
      }
    }
  }

  /// Writes a train to the end of its path.
  ///
  /// The source gives no arrivals at the destination; the train gets there by the network's running time. The same holds for a
  /// stop without a departure of this train, where one can't board.
  private mutating func write(_ train: MetroTrainChain.Train, _ path: MetroPath, _ trip: Int) {
    var known = train[...]
    // In seconds of the service day.
    var time = 0
    for (place, stop) in path.stops.enumerated() {
      if let departure = known.first, departure.code == stop {
        known.removeFirst()
        time = departure.minutes * 60
        visit(trip, place, stop, Self.text(time))
      } else {
        time += path.runs[place - 1]
        // Times are whole minutes. One isn't there earlier than the train, and it doesn't leave the next stop before.
        var arrival = (time + 59) / 60 * 60
        if let next = known.first { arrival = min(arrival, next.minutes * 60) }
        visit(trip, place, stop, Self.text(arrival), mayBoard: false)
        time += path.waits[place] ?? 0
      }
    }
  }

  /// Adds the trains of a pattern in both directions, unless its line's trains are known.
  private mutating func add(_ row: MetroTimetableRows.Frequency, unless lines: Set<String>) {
    guard let pattern = network.services.first(where: { $0.id == row.service }),
      !lines.contains(pattern.line.rawValue)
    else { return }
    let service = service(row.days, from: nil)
    for isReversed in [false, true] {
      let stops = isReversed ? pattern.stops.reversed() : pattern.stops
      let runs = isReversed ? pattern.runSeconds.reversed() : pattern.runSeconds
      let waits = isReversed ? pattern.stopSeconds.reversed() : pattern.stopSeconds
      let end = stops.last.flatMap { network.station(code: $0)?.name }
      let trip = trip(pattern.line, service, headsign: end)
      var time = 0
      for (place, code) in stops.enumerated() {
        visit(trip, place, code, Self.text(time))
        if place < runs.count {
          time += runs[place] + (place + 1 < runs.count ? waits[place + 1] : 0)
        }
      }
      for headway in row.headways {
        frequencies +=
          "\(trip),\(Self.text(headway.start * 60)),\(Self.text(headway.end * 60)),\(headway.minutes * 60)\n"
        let runCount = (headway.end - headway.start + headway.minutes - 1) / headway.minutes
        count(pattern.line, row.days.count * runCount * (stops.count - 1))
      }
    }
  }

  private mutating func count(_ line: MetroLine.ID, _ departures: Int) {
    departureCounts[line.rawValue, default: 0] += departures
  }

  /// Returns the ID of a service on days of the week.
  private mutating func service(_ days: MetroDays, from start: String?) -> String {
    let first = start.map { $0.filter { $0 != "-" } } ?? "20000101"
    let flags = MetroDays.all.map { days.contains($0) ? "1" : "0" }
    let id = "\(flags.joined())-\(first)".filter { $0.isASCII && $0 != "," && $0 != "\"" }
    services[id] = flags.joined(separator: ",") + ",\(Self.cell(first)),20991231"
    return id
  }

  private mutating func trip(
    _ line: MetroLine.ID, _ service: String, headsign: String?
  ) -> Int {
    tripCount += 1
    trips += "\(tripCount),\(Self.cell(line.rawValue)),\(service),\(Self.cell(headsign ?? ""))\n"
    return tripCount
  }

  private mutating func visit(
    _ trip: Int, _ place: Int, _ code: MetroStation.Code, _ time: String, mayBoard: Bool = true
  ) {
    visits +=
      "\(trip),\(place + 1),\(Self.cell(code.rawValue)),\(time),\(time),\(mayBoard ? 0 : 1)\n"
  }

  // MARK: Files

  /// Returns the files of the feed.
  func files() -> [String: [UInt8]] {
    var stops =
      "stop_id,stop_name,stop_code,stop_lat,stop_lon,location_type,parent_station\n"
    for station in network.stations {
      let name = Self.cell(station.name)
      let place = station.coordinate
      stops += "\(name),\(name),,\(place.latitude),\(place.longitude),1,\n"
      for stop in station.stops {
        let code = Self.cell(stop.code.rawValue)
        stops +=
          "\(code),\(name),\(code),\(stop.coordinate.latitude),\(stop.coordinate.longitude),0,\(name)\n"
      }
    }
    var routes = "route_id,route_short_name,route_long_name,route_type,route_color\n"
    for line in network.lines {
      let color = line.color.filter { $0 != "#" }
      routes +=
        "\(Self.cell(line.id.rawValue)),\(Self.cell(line.id.rawValue)),\(Self.cell(line.name)),1,\(Self.cell(color))\n"
    }
    var calendar =
      "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
    for (id, row) in services.sorted(by: { $0.key < $1.key }) { calendar += "\(id),\(row)\n" }
    var transfers = "from_stop_id,to_stop_id,transfer_type,min_transfer_time\n"
    let options = MetroRoute.Options()
    for walk in network.walks {
      guard let seconds = options.walkSeconds else { continue }
      for (from, to) in [(walk.from, walk.to), (walk.to, walk.from)] {
        transfers += "\(Self.cell(from.rawValue)),\(Self.cell(to.rawValue)),2,\(seconds)\n"
      }
    }
    let texts = [
      "agency.txt": "agency_name,agency_url,agency_timezone\nTRTC,,Asia/Taipei\n",
      "stops.txt": stops, "routes.txt": routes, "calendar.txt": calendar,
      "transfers.txt": transfers, "trips.txt": trips, "stop_times.txt": visits,
      "frequencies.txt": frequencies,
    ]
    return texts.mapValues { Array($0.utf8) }
  }

  private static func text(_ seconds: Int) -> String {
    [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0.digits(2) }.joined(separator: ":")
  }

  /// Returns a text as a cell of CSV.
  private static func cell(_ text: String) -> String {
    let isPlain = !text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
    return isPlain ? text : "\"\(text.replacing("\"", with: "\"\""))\""
  }
}

extension MetroNetwork {
  /// Returns the line of a stop; `nil` if the network doesn't have the stop.
  func line(of code: MetroStation.Code) -> MetroLine.ID? {
    station(code: code)?.stops.first { $0.code == code }?.line
  }
}
