import FieldTransit
import Foundation
import TestSupport
import Testing

@Suite("Journeys beside references")
struct JourneyReferenceTests {
  // MARK: A scan of this file

  /// A feed of random trips, and what the scan needs of it.
  struct RandomFeed {
    struct Connection {
      var departure: Int, arrival: Int, from: Int, to: Int, run: Int
      var mayBoard: Bool, mayAlight: Bool
    }
    static let stopCount = 9
    var feed = FeedFixture()
    var connections: [Connection] = []
    var walks: [Int: [(to: Int, minutes: Int)]] = [:]

    init(_ generator: inout SeededGenerator) {
      let names = (0..<Self.stopCount).map { "S\($0)" }
      feed.files["stops.txt"] = "stop_id,stop_name\n" + names.map { "\($0),\($0)\n" }.joined()
      feed.files["calendar.txt"] = feed.files["calendar.txt"]?.replacing(
        "1,1,1,1,1,0,0", with: "1,1,1,1,1,1,1")
      feed.files["trips.txt"] = "trip_id,route_id,service_id\n"
      var rows =
        "trip_id,stop_id,stop_sequence,arrival_time,departure_time,pickup_type,drop_off_type\n"
      for trip in 0..<Int.random(in: 5...40, using: &generator) {
        feed.files["trips.txt"]? += "t\(trip),\(trip % 2 == 0 ? "R" : "G"),W\n"
        var time = Int.random(in: 0...1700, using: &generator)
        // Many trips share their stops, so that some patterns have several runs.
        var path = SeededGenerator(seed: UInt64(trip % 7))
        var stops = [Int.random(in: 0..<Self.stopCount, using: &path)]
        for _ in 0..<Int.random(in: 1...6, using: &path) {
          stops.append(Int.random(in: 0..<Self.stopCount, using: &path))
        }
        var last: (stop: Int, departure: Int, mayBoard: Bool)?
        for (place, stop) in stops.enumerated() {
          let arrival = time
          time += Int.random(in: 0...3, using: &generator)
          let mayBoard = Int.random(in: 0..<9, using: &path) > 0
          let mayAlight = Int.random(in: 0..<9, using: &path) > 0
          rows +=
            "t\(trip),S\(stop),\(place),\(Self.text(arrival)),\(Self.text(time)),\(mayBoard ? 0 : 1),\(mayAlight ? 0 : 1)\n"
          if let last {
            for day in [-1440, 0, 1440] {
              connections.append(
                Connection(
                  departure: last.departure + day, arrival: arrival + day, from: last.stop,
                  to: stop,
                  run: trip * 3 + day / 1440 + 1, mayBoard: last.mayBoard, mayAlight: mayAlight))
            }
          }
          last = (stop, time, mayBoard)
          time += Int.random(in: 0...30, using: &generator)
        }
      }
      feed.files["stop_times.txt"] = rows
      var transfers = "from_stop_id,to_stop_id,transfer_type,min_transfer_time\n"
      for from in 0..<Self.stopCount {
        for to in 0..<Self.stopCount
        where from != to && Int.random(in: 0..<6, using: &generator) == 0 {
          let minutes = Int.random(in: 2...12, using: &generator)
          walks[from, default: []].append((to, minutes))
          transfers += "S\(from),S\(to),2,\(minutes * 60)\n"
        }
      }
      feed.files["transfers.txt"] = transfers
    }

    private static func text(_ minutes: Int) -> String {
      "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60):00"
    }

    /// The earliest arrival with each number of rides, from all connections of all runs, as often as one becomes better.
    func arrivals(from origin: Int, to target: Int, at time: Int) -> [Int: Int] {
      var found: [Int: Int] = [:]
      var ready = [origin: time]
      for walk in walks[origin] ?? [] { ready[walk.to] = time + walk.minutes }
      for rides in 1...8 {
        var reached: [Int: Int] = [:]
        for run in Dictionary(grouping: connections, by: \.run).values {
          var isAboard = false
          for connection in run {
            if !isAboard {
              guard connection.mayBoard, let at = ready[connection.from], at <= connection.departure
              else { continue }
              isAboard = true
            }
            if connection.mayAlight {
              reached[connection.to] = min(reached[connection.to] ?? .max, connection.arrival)
            }
          }
        }
        ready = [:]
        for (stop, time) in reached {
          ready[stop] = min(ready[stop] ?? .max, time + 2)
          for walk in walks[stop] ?? [] {
            ready[walk.to] = min(ready[walk.to] ?? .max, time + walk.minutes)
          }
        }
        var goal = reached[target] ?? .max
        for (stop, time) in reached {
          for walk in walks[stop] ?? [] where walk.to == target {
            goal = min(goal, time + walk.minutes)
          }
        }
        if goal <= time + 1440 { found[rides - 1] = goal }
      }
      return found
    }

    /// The journeys that arrive earliest.
    func forward(from origin: Int, to target: Int, at time: Int) -> [[Int]] {
      var best = Int.max
      return arrivals(from: origin, to: target, at: time).sorted { $0.key < $1.key }.compactMap {
        guard $0.value < best else { return nil }
        best = $0.value
        return [$0.value, $0.key]
      }
    }

    /// The journeys that depart latest, by asking forward for every minute.
    func backward(from origin: Int, to target: Int, at time: Int) -> [[Int]] {
      var latest: [Int: Int] = [:]
      for departure in time - 1440...time {
        for (transfers, arrival) in arrivals(from: origin, to: target, at: departure)
        where arrival <= time {
          latest[transfers] = departure
        }
      }
      var best = Int.min
      return latest.sorted { $0.key < $1.key }.compactMap {
        guard $0.value > best else { return nil }
        best = $0.value
        return [$0.value, $0.key]
      }
    }
  }

  @Test("Journeys in random feeds are those of a scan of all connections", arguments: 0..<60)
  func forward(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let random = RandomFeed(&generator)
    let timetable = try random.feed.compile().timetable
    for _ in 0..<25 {
      let from = Int.random(in: 0..<RandomFeed.stopCount, using: &generator)
      let to = Int.random(in: 0..<RandomFeed.stopCount, using: &generator)
      let time = Int.random(in: 0..<1440, using: &generator)
      guard from != to else { continue }
      #expect(
        try timetable.pairs("S\(from)", "S\(to)", at: time)
          == random.forward(from: from, to: to, at: time),
        "S\(from) to S\(to) at \(time), seed \(seed)")
    }
  }

  @Test(
    "Journeys backward in random feeds are those of a scan forward from every minute",
    arguments: 0..<6)
  func backward(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed) + 1000)
    let random = RandomFeed(&generator)
    let timetable = try random.feed.compile().timetable
    for _ in 0..<2 {
      let from = Int.random(in: 0..<RandomFeed.stopCount, using: &generator)
      let to =
        (from + Int.random(in: 1..<RandomFeed.stopCount, using: &generator)) % RandomFeed.stopCount
      let time = Int.random(in: 0..<1440, using: &generator)
      #expect(
        try timetable.pairs("S\(from)", "S\(to)", at: time, isArriving: true)
          == random.backward(from: from, to: to, at: time),
        "S\(from) to S\(to) by \(time), seed \(seed)")
    }
  }

  // MARK: Real feeds

  private struct Answer: Decodable {
    var from: String, to: String, departs: String
    var journeys: [[Int]]
  }

  /// What `journeys.py` answers to random queries on the plain form of a feed, and the timetable of that form.
  private static func answers(
    _ feed: String, _ day: String, _ options: String...
  ) throws -> (Timetable, [Answer]) {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "plain-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let plain = folder.appending(path: "plain.zip")
    let script = SharedData.url("../peers/journeys.py").path
    try Tool.run(
      "python3", script, SharedData.url("transit/\(feed)_gtfs.zip").path, day, "--normalize",
      plain.path)
    let call = "exec python3 \"$0\" \"$1\" \(day) \(options.joined(separator: " "))"
    let lines = try Tool.run("sh", "-c", call, script, plain.path).split(separator: 0x0A)
    let timetable = try Timetable.compile(ZipArchive(contentsOf: plain)).timetable
    return (timetable, try lines.map { try JSONDecoder().decode(Answer.self, from: $0) })
  }

  private static func minutes(_ text: String) -> Int {
    let parts = text.split(separator: ":").compactMap { Int($0) }
    return parts[0] * 60 + parts[1]
  }

  private static let hasFeeds = FileManager.default.fileExists(
    atPath: SharedData.url("transit").path)
  private static let hasNigiri = (try? Tool.run("python3", "-c", "import pynigiri")) != nil

  @Test(
    "Journeys in real feeds are those of nigiri, except where walking alone is faster",
    .enabled(if: hasFeeds && hasNigiri, "the feeds of ../shared or PyPI's pynigiri aren't here"),
    arguments: [("nyc_subway", "2024-12-18"), ("cairns", "2014-06-03"), ("ber", "2020-11-24")])
  func likeNigiri(feed: String, day: String) throws {
    let (timetable, answers) = try Self.answers(feed, day, "--count", "400", "--seed", "37")
    #expect(answers.count > 390)
    for answer in answers {
      let time = Self.minutes(answer.departs)
      let mine = try timetable.pairs(answer.from, answer.to, on: day, at: time)
      // nigiri leaves out journeys that a walk along transfers.txt beats; the specification knows no such rule.
      if answer.journeys.isEmpty, !mine.isEmpty, timetable.hasWalk(from: answer.from, to: answer.to)
      {
        continue
      }
      #expect(mine == answer.journeys, "\(answer.from) to \(answer.to) at \(answer.departs)")
    }
  }

  @Test(
    "Journeys in real feeds with frequencies are those of the scan of the specification",
    .enabled(
      if: hasFeeds && Tool.isThere("python3"), "the feeds of ../shared or python3 aren't here"),
    arguments: [("spo", "2019-06-05"), ("sample", "2007-06-06")])
  func likeScan(feed: String, day: String) throws {
    let (timetable, answers) = try Self.answers(
      feed, day, "--count", "100", "--seed", "37", "--scan")
    #expect(answers.count > 80)
    for answer in answers {
      let mine = try timetable.pairs(
        answer.from, answer.to, on: day, at: Self.minutes(answer.departs))
      #expect(mine == answer.journeys, "\(answer.from) to \(answer.to) at \(answer.departs)")
    }
  }

  @Test(
    "Every real feed compiles, and only Porto Alegre's has trips that can't be used",
    .enabled(if: hasFeeds, "the feeds of ../shared aren't here"),
    arguments: [
      ("nyc_subway", 0), ("cairns", 0), ("ber", 0), ("spo", 0), ("sample", 0), ("poa", 10),
    ])
  func compiled(feed: String, unusable: Int) throws {
    let archive = try ZipArchive(contentsOf: SharedData.url("transit/\(feed)_gtfs.zip"))
    let compiled = try Timetable.compile(archive)
    #expect(compiled.report.unusableTripCount == unusable)
    #expect(compiled.report.failureCount == unusable)
    // Its times begin again at 00:00 after midnight, where the specification wants 24:00.
    #expect(
      compiled.report.failures.allSatisfy { $0.row.reason.hasPrefix("its times go backward") })
  }
}

extension Timetable {
  /// Whether `transfers.txt` leads from one stop to another.
  func hasWalk(from: String, to: String) -> Bool {
    guard let start = stop(from)?.coordinate, let end = stop(to)?.coordinate else { return false }
    return start.distance(to: end) < .kilometers(3)
  }
}
