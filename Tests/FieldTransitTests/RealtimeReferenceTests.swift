import FieldTransit
import Foundation
import TestSupport
import Testing

@Suite("Messages beside references")
struct RealtimeReferenceTests {
  /// A visit of a trip, in seconds after midnight.
  struct Visit {
    var stop: Int, arrival: Int, departure: Int
    var mayBoard: Bool, mayAlight: Bool
  }

  /// A feed of random trips, a random message about it, and the feed as the message rewrites it.
  struct RandomCase {
    static let stopCount = 9
    private var trips: [String: [Visit]] = [:]
    private var transfers = "from_stop_id,to_stop_id,transfer_type,min_transfer_time\n"
    /// The trips of the day of the message alone.
    private var changed: [String: [Visit]] = [:]
    /// The trips that don't run on that day.
    private var removed: Set<String> = []
    private(set) var message = MessageFixture(RealtimeTests.now)

    init(_ generator: inout SeededGenerator) {
      for trip in 0..<Int.random(in: 5...40, using: &generator) {
        trips["t\(trip)"] = Self.visits(&generator, path: UInt64(trip % 7))
      }
      for from in 0..<Self.stopCount {
        for to in 0..<Self.stopCount
        where from != to && Int.random(in: 0..<6, using: &generator) == 0 {
          let minutes = Int.random(in: 2...12, using: &generator)
          transfers += "S\(from),S\(to),2,\(minutes * 60)\n"
        }
      }
      for trip in trips.keys.sorted() where Bool.random(using: &generator) {
        change(trip, &generator)
      }
      for trip in 0..<Int.random(in: 0...2, using: &generator) {
        add("extra\(trip)", Self.visits(&generator, path: UInt64(trip) + 9), &generator)
      }
    }

    private static func visits(_ generator: inout SeededGenerator, path: UInt64) -> [Visit] {
      var path = SeededGenerator(seed: path)
      var time = Int.random(in: 0...1700, using: &generator) * 60
      return (0..<Int.random(in: 2...7, using: &path)).map { _ in
        let arrival = time
        time += Int.random(in: 0...3, using: &generator) * 60
        let visit = Visit(
          stop: Int.random(in: 0..<stopCount, using: &path), arrival: arrival, departure: time,
          mayBoard: Int.random(in: 0..<9, using: &path) > 0,
          mayAlight: Int.random(in: 0..<9, using: &path) > 0)
        time += Int.random(in: 0...30, using: &generator) * 60
        return visit
      }
    }

    // MARK: Messages

    /// Says something about a trip, and rewrites it by the specification.
    private mutating func change(_ trip: String, _ generator: inout SeededGenerator) {
      let visits = trips[trip] ?? []
      switch Int.random(in: 0..<10, using: &generator) {
      case 0:
        message.trip(trip, relationship: Bool.random(using: &generator) ? 3 : 7)
        removed.insert(trip)
      case 1:
        let new = Self.visits(&generator, path: 77)
        message.trip(trip, relationship: 5, Self.stops(new, &generator))
        removed.insert(trip)
        changed[trip + "r"] = Self.plain(new)
      case 2:
        let shift = Int.random(in: 0...1439, using: &generator) * 60 - visits[0].departure
        let start = visits[0].departure + shift
        message.trip(
          trip, relationship: 6, delay: 240, new: (trip + "d", "20241218", Self.text(start)))
        changed[trip + "d"] = visits.map {
          var visit = $0
          visit.arrival += shift + 240
          visit.departure += shift + 240
          return visit
        }
      default: delay(trip, visits, &generator)
      }
    }

    private mutating func delay(
      _ trip: String, _ visits: [Visit], _ generator: inout SeededGenerator
    ) {
      var stops: [MessageFixture.Stop] = []
      var new = visits
      // The delay, in seconds, and the time before which nothing is.
      var delay: Int?
      var last = Int.min
      // IDs alone are ambiguous where a trip visits a stop twice.
      let isByID =
        Set(visits.map(\.stop)).count == visits.count && Bool.random(using: &generator)
      for place in visits.indices {
        var stop: MessageFixture.Stop?
        if Int.random(in: 0..<3, using: &generator) == 0 {
          stop = .init(
            sequence: isByID ? nil : place + 3, stop: isByID ? "S\(visits[place].stop)" : nil)
          switch Int.random(in: 0..<8, using: &generator) {
          case 0:
            stop?.relationship = 1
            (new[place].mayBoard, new[place].mayAlight) = (false, false)
          case 1:
            stop?.relationship = 2
            delay = nil
          default:
            if Bool.random(using: &generator) {
              stop?.arrival = Int.random(in: -240...1800, using: &generator)
            }
            if Bool.random(using: &generator) {
              stop?.departure = Int.random(in: -240...1800, using: &generator)
            }
            if Bool.random(using: &generator) {
              let given = stop
              stop?.arrivalTime = given?.arrival.map {
                RealtimeTests.midnight + visits[place].arrival + $0
              }
              stop?.departureTime = given?.departure.map {
                RealtimeTests.midnight + visits[place].departure + $0
              }
            }
          }
        }
        if let given = stop?.arrival { delay = given }
        new[place].arrival = max(last, new[place].arrival + (delay ?? 0))
        // The first departure doesn't wait for an arrival.
        if place > 0 || stop?.departure == nil { last = new[place].arrival }
        if let given = stop?.departure { delay = given }
        new[place].departure = max(last, new[place].departure + (delay ?? 0))
        last = new[place].departure
        new[place].arrival = min(new[place].arrival, last)
        if let stop { stops.append(stop) }
      }
      message.trip(trip, stops)
      guard !stops.isEmpty else { return }
      removed.insert(trip)
      let skipped = Set(
        stops.filter { $0.relationship == 1 }.map { $0.stop ?? "\($0.sequence ?? 0)" })
      if visits.count - skipped.count >= 2 { changed[trip + "c"] = new }
    }

    private mutating func add(
      _ trip: String, _ visits: [Visit], _ generator: inout SeededGenerator
    ) {
      message.trip(
        trip, route: "R", relationship: Bool.random(using: &generator) ? 1 : 8,
        Self.stops(visits, &generator))
      changed[trip] = Self.plain(visits)
    }

    private static func stops(
      _ visits: [Visit], _ generator: inout SeededGenerator
    ) -> [MessageFixture.Stop] {
      visits.map {
        .init(
          stop: "S\($0.stop)", arrivalTime: RealtimeTests.midnight + $0.arrival,
          departureTime: RealtimeTests.midnight + $0.departure)
      }
    }

    private static func plain(_ visits: [Visit]) -> [Visit] {
      visits.map {
        Visit(
          stop: $0.stop, arrival: $0.arrival, departure: $0.departure, mayBoard: true,
          mayAlight: true)
      }
    }

    // MARK: Feeds

    /// The feed, and what the message makes of it.
    func feeds() -> (before: FeedFixture, after: FeedFixture) {
      var feed = FeedFixture()
      let names = (0..<Self.stopCount).map { "S\($0)" }
      feed.files["stops.txt"] = "stop_id,stop_name\n" + names.map { "\($0),\($0)\n" }.joined()
      let days = "1,1,1,1,1,1,1,20240101,20241231\n"
      feed.files["calendar.txt"] =
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
        + "W,\(days)N,\(days)"
      // The day before begins the trips of the message that are early on their day.
      feed.files["calendar_dates.txt"] =
        "service_id,date,exception_type\nN,20241218,2\nD,20241218,1\nE,20241217,1\n"
      feed.files["transfers.txt"] = transfers
      feed.files["trips.txt"] = "trip_id,route_id,service_id\n"
      feed.files["stop_times.txt"] =
        "trip_id,stop_id,stop_sequence,arrival_time,departure_time,pickup_type,drop_off_type\n"
      var after = feed
      for (trip, visits) in trips.sorted(by: { $0.key < $1.key }) {
        Self.write(trip, visits, "W", to: &feed)
        Self.write(trip, visits, removed.contains(trip) ? "N" : "W", to: &after)
      }
      for (trip, visits) in changed.sorted(by: { $0.key < $1.key }) {
        let isEarly = visits[0].arrival < 0
        let moved = visits.map {
          Visit(
            stop: $0.stop, arrival: $0.arrival + 86_400, departure: $0.departure + 86_400,
            mayBoard: $0.mayBoard, mayAlight: $0.mayAlight)
        }
        Self.write(trip, isEarly ? moved : visits, isEarly ? "E" : "D", to: &after)
      }
      return (feed, after)
    }

    private static func write(
      _ trip: String, _ visits: [Visit], _ service: String, to feed: inout FeedFixture
    ) {
      feed.files["trips.txt"]? += "\(trip),R,\(service)\n"
      for (place, visit) in visits.enumerated() {
        feed.files["stop_times.txt"]? +=
          "\(trip),S\(visit.stop),\(place + 3),\(text(visit.arrival)),\(text(visit.departure)),\(visit.mayBoard ? 0 : 1),\(visit.mayAlight ? 0 : 1)\n"
      }
    }

    private static func text(_ seconds: Int) -> String {
      [seconds / 3600, seconds / 60 % 60, seconds % 60]
        .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
  }

  @Test(
    "Journeys after random messages are those of a timetable that was compiled from a feed rewritten by the message",
    arguments: 0..<300)
  func rewritten(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let random = RandomCase(&generator)
    let feeds = random.feeds()
    let now = Date(timeIntervalSince1970: Double(RealtimeTests.now))
    let live = try feeds.before.compile().timetable.applying([random.message.message()], at: now)
    let expected = try feeds.after.compile().timetable
    for day in ["2024-12-17", "2024-12-18", "2024-12-19"] {
      for _ in 0..<12 {
        let from = "S\(Int.random(in: 0..<RandomCase.stopCount, using: &generator))"
        let to = "S\(Int.random(in: 0..<RandomCase.stopCount, using: &generator))"
        let time = Int.random(in: 0..<1440, using: &generator)
        for isArriving in [false, true] {
          #expect(
            try live.pairs(from, to, on: day, at: time, isArriving: isArriving)
              == expected.pairs(from, to, on: day, at: time, isArriving: isArriving),
            "\(from) to \(to) \(isArriving ? "by" : "at") \(time) of \(day), seed \(seed)")
        }
      }
      for stop in 0..<RandomCase.stopCount {
        let date = live.date(of: try CalendarDay(day), minutes: 0)
        let boards = try [live, expected].map {
          try $0.departures(at: "S\(stop)", from: date, limit: 200).filter {
            $0.time.minutes < 1440
          }
          .map { "\($0.time.minutes) \($0.leg.destination?.id ?? "")" }
        }
        #expect(boards[0].sorted() == boards[1].sorted(), "S\(stop) on \(day), seed \(seed)")
      }
    }
  }

  // MARK: Other programs

  private struct Answer: Decodable {
    var message: Int, from: String, to: String, departs: Int
    var journeys: [[Int]]
  }

  private static let hasFeeds = FileManager.default.fileExists(
    atPath: SharedData.url("transit").path)
  private static let hasBindings =
    (try? Tool.run("python3", "-c", "from google.transit import gtfs_realtime_pb2")) != nil
  private static let hasNigiri = (try? Tool.run("python3", "-c", "import pynigiri")) != nil

  @Test(
    "Journeys in real feeds after random messages are those of nigiri",
    .enabled(
      if: hasFeeds && hasBindings && hasNigiri,
      "the feeds of ../shared, or PyPI's pynigiri or gtfs-realtime-bindings, aren't here"),
    arguments: [("nyc_subway", "2024-12-18"), ("cairns", "2014-06-03"), ("ber", "2020-11-24")])
  func likeNigiri(feed: String, day: String) throws {
    let folder = try TemporaryFolder()
    defer { extendLifetime(folder) }
    let plain = folder.url.appending(path: "plain.zip")
    try Tool.run(
      "python3", SharedData.url("../peers/journeys.py").path,
      SharedData.url("transit/\(feed)_gtfs.zip").path, day, "--normalize", plain.path)
    let lines = try Tool.run(
      "python3", SharedData.root.appending(path: "Scripts/Checks/realtime_reference.py").path,
      plain.path, day, folder.url.path, "--messages", "20", "--queries", "30", "--seed", "37")
    let answers = try lines.split(separator: 0x0A).map {
      try JSONDecoder().decode(Answer.self, from: $0)
    }
    #expect(answers.count == 600)
    let timetable = try Timetable.compile(ZipArchive(contentsOf: plain)).timetable
    let noon = timetable.date(of: try CalendarDay(day), minutes: 720)
    var (changed, compared) = (0, 0)
    for number in 0..<20 {
      let message = try RealtimeMessage(
        [UInt8](Data(contentsOf: folder.url.appending(path: "\(number).pb"))))
      let live = timetable.applying([message], at: noon)
      let report = try #require(live.realtime)
      #expect(report.predictedTripCount > 10 && report.canceledTripCount > 0)
      #expect(report.unusedTripCount == 0)
      for answer in answers where answer.message == number {
        let planned = try timetable.pairs(answer.from, answer.to, on: day, at: answer.departs)
        let mine = try live.pairs(answer.from, answer.to, on: day, at: answer.departs)
        // nigiri leaves out journeys that a walk along transfers.txt beats; the specification knows no such rule.
        if answer.journeys.isEmpty, timetable.hasWalk(from: answer.from, to: answer.to) { continue }
        compared += 1
        if mine != planned { changed += 1 }
        #expect(
          mine == answer.journeys,
          "\(answer.from) to \(answer.to) at \(answer.departs) after message \(number)")
      }
    }
    #expect(compared > 550 && changed > 50)
  }

  @Test(
    "A message that Google's classes write is read with everything in it",
    .enabled(if: hasBindings, "PyPI's gtfs-realtime-bindings isn't here"))
  func likeGoogle() throws {
    let script = """
      import sys
      from google.transit import gtfs_realtime_pb2 as g
      m = g.FeedMessage()
      m.header.gtfs_realtime_version, m.header.timestamp = "2.0", 1734505200
      m.header.incrementality = g.FeedHeader.FULL_DATASET
      u = m.entity.add(id="1").trip_update
      u.trip.trip_id, u.trip.start_date, u.timestamp, u.vehicle.id = "t1", "20241218", 1734505190, "v"
      s = u.stop_time_update.add(stop_sequence=1, departure_occupancy_status=3)
      s.departure.delay, s.departure.uncertainty = -120, 30
      s = u.stop_time_update.add(stop_id="C")
      s.arrival.time, s.arrival.scheduled_time = 1734510300, 1734510000
      v = m.entity.add(id="2").vehicle
      v.trip.trip_id, v.vehicle.label, v.stop_id, v.timestamp = "t1", "1207 é", "B", 1734505191
      v.position.latitude, v.position.longitude, v.position.odometer = -25.5, 153.0, 1e9
      v.current_status, v.occupancy_percentage = g.VehiclePosition.STOPPED_AT, 40
      v.multi_carriage_details.add(id="c").carriage_sequence = 1
      a = m.entity.add(id="3").alert
      a.active_period.add(start=1734505000)
      a.informed_entity.add(route_id="R").trip.trip_id = "t1"
      a.cause, a.effect, a.severity_level = g.Alert.WEATHER, g.Alert.DETOUR, g.Alert.SEVERE
      a.header_text.translation.add(text="Umleitung", language="de")
      sys.stdout.buffer.write(m.SerializeToString())
      """
    let message = try RealtimeMessage([UInt8](Tool.run("python3", "-c", script)))
    let vehicle = try #require(message.vehicles.first)
    #expect(vehicle.label == "1207 é" && vehicle.stopID == "B" && vehicle.status == .stopped)
    #expect(vehicle.coordinate == (try Coordinate(latitude: -25.5, longitude: 153)))
    #expect(vehicle.date == Date(timeIntervalSince1970: 1_734_505_191))
    let alert = try #require(message.alerts.first)
    #expect(alert.title(in: ["de-CH"]) == "Umleitung" && alert.text(in: ["de"]) == nil)
    #expect((alert.cause, alert.effect) == (8, 4))
    #expect(alert.subjects.map(\.routeID) == ["R"] && alert.subjects.map(\.tripID) == ["t1"])
    #expect(alert.isActive(at: Date(timeIntervalSince1970: 1_734_505_000)))
    let live = try FeedFixture.simple.compile().timetable.applying(
      [message], at: Date(timeIntervalSince1970: Double(RealtimeTests.now)))
    #expect(try live.pairs("A", "B", at: 420) == [[488, 0]])
    #expect(try live.pairs("A", "C", at: 420) == [[505, 0]])
  }
}
