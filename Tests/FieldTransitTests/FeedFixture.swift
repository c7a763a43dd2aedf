import FieldTransit
import TestSupport

/// A small feed, file by file.
struct FeedFixture {
  var files: [String: String] = [
    "agency.txt":
      "agency_id,agency_name,agency_url,agency_timezone\nx,Field,https://example.org,UTC\n",
    "stops.txt":
      "stop_id,stop_name,stop_lat,stop_lon\nA,Alpha,25.01,121.5\nB,Beta,25.02,121.5\nC,Gamma,25.03,121.5\nD,Delta,25.04,121.5\n",
    "routes.txt": "route_id,route_short_name,route_type\nR,Red,1\nG,Green,3\n",
    "calendar.txt":
      "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nW,1,1,1,1,1,0,0,20240101,20241231\n",
    "trips.txt": "trip_id,route_id,service_id,trip_headsign\n",
    "stop_times.txt": "trip_id,stop_sequence,stop_id,arrival_time,departure_time\n",
  ]

  /// Adds a trip, whose visits are a stop and a time each.
  mutating func add(
    _ trip: String, route: String = "R", service: String = "W", _ visits: [(String, String)]
  ) {
    files["trips.txt", default: ""] += "\(trip),\(route),\(service),to \(visits.last?.0 ?? "")\n"
    for (place, visit) in visits.enumerated() {
      files["stop_times.txt", default: ""] +=
        "\(trip),\(place + 1),\(visit.0),\(visit.1),\(visit.1)\n"
    }
  }

  /// Gives the feed a time zone in place of UTC.
  mutating func setZone(_ zone: String) {
    files["agency.txt"] = files["agency.txt"]?.replacing("UTC", with: zone)
  }

  func compile(in folder: String = "", zone: FixedZone? = nil) throws -> TimetableCompilation {
    let files = files.sorted { $0.key < $1.key }.map { (folder + $0.key, $0.value) }
    return try Timetable.compile(ZipArchive(ZipFixture(files).bytes()), zone: zone)
  }

  /// A feed with a line from A by B to C, one from B to D, and a slow one from A to D.
  static var simple: FeedFixture {
    var feed = FeedFixture()
    feed.add("t1", [("A", "08:00:00"), ("B", "08:10:00"), ("C", "08:20:00")])
    feed.add("t2", [("A", "09:00:00"), ("B", "09:10:00"), ("C", "09:20:00")])
    feed.add("g1", route: "G", [("B", "08:12:00"), ("D", "08:30:00")])
    feed.add("g2", route: "G", [("B", "09:11:00"), ("D", "09:30:00")])
    feed.add("slow", route: "G", [("A", "08:05:00"), ("D", "10:00:00")])
    return feed
  }
}

extension Timetable {
  /// The journeys at a time, each as its minutes and transfers.
  func pairs(
    _ from: String, _ to: String, on day: String = "2024-12-18", at minutes: Int,
    isArriving: Bool = false, options: JourneyOptions = JourneyOptions()
  ) throws -> [[Int]] {
    let date = date(of: try CalendarDay(day), minutes: minutes)
    let answer =
      isArriving
      ? try journeys(from: .stop(from), to: .stop(to), arriving: date, options: options)
      : try journeys(from: .stop(from), to: .stop(to), departing: date, options: options)
    return answer.journeys.map {
      [isArriving ? $0.departure.minutes : $0.arrival.minutes, $0.transfers]
    }
  }
}
