internal import FieldCore
internal import FieldFoundation

/// All trains of a line in a direction.
struct MetroDirectionFile: Decodable {
  struct Timetable: Decodable {
    /// The days of the week, such as `1,2,3,4,5`, from Monday on.
    var days: String
    var trains: [Train]

    enum CodingKeys: String, CodingKey { case days = "Days", trains = "Trains" }
  }

  struct Train: Decodable {
    var destination: String?
    var stops: [Stop]

    enum CodingKeys: String, CodingKey { case destination = "Dst", stops = "Schedule" }
  }

  struct Stop: Decodable {
    var time: String, code: String

    enum CodingKeys: String, CodingKey { case time = "DepTime", code = "StationCode" }
  }

  /// The first day, such as `2025-08-23`.
  var start: String?
  var timetables: [Timetable]

  enum CodingKeys: String, CodingKey { case start = "EffectiveFrom", timetables = "Timetables" }
}

/// How often trains of a service run on some days.
struct MetroFrequencyFile: Decodable {
  struct Days: Decodable {
    var monday: Bool?, tuesday: Bool?, wednesday: Bool?, thursday: Bool?, friday: Bool?
    var saturday: Bool?, sunday: Bool?

    enum CodingKeys: String, CodingKey {
      case monday = "Monday", tuesday = "Tuesday", wednesday = "Wednesday", thursday = "Thursday"
      case friday = "Friday", saturday = "Saturday", sunday = "Sunday"
    }

    var list: [Bool] {
      [monday, tuesday, wednesday, thursday, friday, saturday, sunday].map { $0 ?? false }
    }
  }

  struct Headway: Decodable {
    var start: String, end: String
    var minutes: Int

    enum CodingKeys: String, CodingKey {
      case start = "StartTime", end = "EndTime", minutes = "MaxHeadwayMins"
    }
  }

  var service: String
  var days: Days
  var headways: [Headway]

  enum CodingKeys: String, CodingKey {
    case service = "RouteID", days = "ServiceDay", headways = "Headways"
  }
}

/// Writes the metro's timetable as the files of a GTFS feed, which `FieldTransit` compiles.
struct MetroFeedWriter {
  private let network: MetroNetwork
  private var services: [String: String] = [:]
  private var linesWithTrains: Set<MetroLine.ID> = []
  private var trips = "trip_id,route_id,service_id,trip_headsign\n"
  private var tripCount = 0
  private var visits = "trip_id,stop_sequence,stop_id,arrival_time,departure_time\n"
  private var frequencies = "trip_id,start_time,end_time,headway_secs\n"

  init(_ network: MetroNetwork) { self.network = network }

  static func decode<Row: Decodable>(
    _ bytes: [UInt8], _ subject: String
  ) throws(FieldError) -> [Row] {
    do {
      return try JSONDecoder().decode([Row].self, from: Data(bytes))
    } catch {
      throw FieldError(
        .malformed, "\(subject) of the metro can't be read as JSON. Check the file.",
        underlying: error)
    }
  }

  // MARK: Trains

  mutating func add(_ direction: MetroDirectionFile) {
    for timetable in direction.timetables {
      let days = (1...7).map { timetable.days.contains(bytesOf: "\($0)") }
      let service = service(days, from: direction.start)
      for train in timetable.trains {
        guard let code = train.stops.first?.code,
          let line = network.station(code: .init(rawValue: code))?.stops
            .first(where: { $0.code.rawValue == code })?.line
        else { continue }
        linesWithTrains.insert(line)
        let trip = trip(line, service, headsign: train.destination)
        for (place, stop) in train.stops.enumerated() {
          let time = MetroTrainTimes.Time(stop.time).map { Self.text($0.minutes * 60) } ?? "-"
          visit(trip, place, stop.code, time)
        }
      }
    }
  }

  /// Adds the trains of a service in both directions, unless its line's trains are known.
  mutating func add(_ row: MetroFrequencyFile) {
    guard let pattern = network.services.first(where: { $0.id == row.service }),
      !linesWithTrains.contains(pattern.line)
    else { return }
    let service = service(row.days.list, from: nil)
    for isReversed in [false, true] {
      let stops = isReversed ? pattern.stops.reversed() : pattern.stops
      let runs = isReversed ? pattern.runSeconds.reversed() : pattern.runSeconds
      let waits = isReversed ? pattern.stopSeconds.reversed() : pattern.stopSeconds
      let end = stops.last.flatMap { network.station(code: $0)?.name }
      let trip = trip(pattern.line, service, headsign: end)
      var time = 0
      for (place, code) in stops.enumerated() {
        visit(trip, place, code.rawValue, Self.text(time))
        if place < runs.count {
          time += runs[place] + (place + 1 < runs.count ? waits[place + 1] : 0)
        }
      }
      for headway in row.headways {
        guard let start = MetroTrainTimes.Time(headway.start), headway.minutes > 0,
          let end = MetroTrainTimes.Time(headway.end), start < end
        else { continue }
        frequencies +=
          "\(trip),\(Self.text(start.minutes * 60)),\(Self.text(end.minutes * 60)),\(headway.minutes * 60)\n"
      }
    }
  }

  /// Returns the ID of a service on days of the week, from Monday on.
  private mutating func service(_ days: [Bool], from start: String?) -> String {
    let first = start.map { $0.filter { $0 != "-" } } ?? "20000101"
    let flags = days.map { $0 ? "1" : "0" }
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

  private mutating func visit(_ trip: Int, _ place: Int, _ code: String, _ time: String) {
    visits += "\(trip),\(place + 1),\(Self.cell(code)),\(time),\(time)\n"
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
