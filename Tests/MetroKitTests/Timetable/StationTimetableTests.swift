import FieldTransit
import Foundation
import MetroKit
import TestSupport
import Testing

@Suite("Departures of stations")
struct StationTimetableTests {
  private typealias Fixture = TimetableFixture

  private static func date(_ day: String, _ hour: Int, _ minute: Int = 0) throws -> Date {
    try MetroTimetable(reading: []).timetable.date(
      of: CalendarDay(day), minutes: hour * 60 + minute)
  }

  private static func times(
    _ timetable: MetroTimetable, _ station: MetroStation.ID, _ date: Date, limit: Int = 4
  ) throws -> [String] {
    try timetable.departures(at: station, from: date, limit: limit).map {
      "\($0.time) \($0.leg.destination?.id ?? "")"
    }
  }

  @Test(
    "Departures of stations are those of trains, which reach their destination by the running times"
  )
  func chained() throws {
    let timetable = try Fixture.timetable()
    let monday = try Self.date("2025-09-01", 6)
    #expect(try Self.times(timetable, "台北車站", monday, limit: 2) == ["06:03 BL14", "06:13 BL14"])
    let train = try #require(try timetable.departures(at: "西門", from: monday, limit: 1).first)
    #expect(train.headsign == "忠孝新生" && !train.isFrequency)
    #expect(train.leg.visits.map(\.stop.id) == ["BL11", "BL12", "BL13", "BL14"])
    #expect(
      train.leg.visits.dropLast().map(\.departure.description) == ["06:01", "06:03", "06:05"])
    let run = try #require(
      timetable.network.services.first { $0.id == "BL-1" }.flatMap { service in
        service.stops.firstIndex(of: "BL13").map { service.runSeconds[$0] }
      })
    #expect(train.leg.arrival.minutes == 6 * 60 + 5 + (run + 59) / 60)
    #expect(timetable.failures.isEmpty && timetable.report.unusableTripCount == 0)
  }

  @Test("Trains after midnight belong to the service day before")
  func afterMidnight() throws {
    let timetable = try MetroTimetable(
      reading: [
        Fixture.file(
          Fixture.row("BL12", to: "BL14", ["06:00", "23:50", "00:03"], on: ["Friday"]),
          Fixture.row("BL12", to: "BL14", ["07:00"], on: ["Saturday"]))
      ])
    let midnight = try Self.date("2025-09-06", 0)
    #expect(
      try Self.times(timetable, "台北車站", midnight, limit: 2) == ["00:03 BL14", "07:00 BL14"])
    let friday = try timetable.trainTimes(at: "台北車站", on: CalendarDay("2025-09-05"))
    #expect(friday.map { "\($0.destination) \($0.first) \($0.last)" } == ["忠孝新生 06:00 00:03"])
    #expect(friday[0].last.isAfterMidnight)
    let saturday = try timetable.trainTimes(at: "台北車站", on: CalendarDay("2025-09-06"))
    #expect(saturday.map { "\($0.first) \($0.last)" } == ["07:00 07:00"])
    #expect(try timetable.trainTimes(at: "台北車站", on: CalendarDay("2025-09-07")).isEmpty)
  }

  @Test("Of two rows for a day, the one for fewer days counts, and repeated times count once")
  func specific() throws {
    let timetable = try MetroTimetable(
      reading: [
        Fixture.file(
          Fixture.row(
            "BL12", to: "BL14", ["08:00", "08:00", "08:10", "08:10"], on: Fixture.weekend),
          Fixture.row("BL12", to: "BL14", ["09:00"], on: ["Sunday"]))
      ])
    let saturday = try Self.date("2025-09-06", 5)
    #expect(
      try Self.times(timetable, "台北車站", saturday) == ["08:00 BL14", "08:10 BL14", "09:00 BL14"])
  }

  @Test("A train whose departure from a station is missing runs on, and can't be boarded there")
  func missing() throws {
    let rows = [
      Fixture.row("BL11", to: "BL14", ["10:01", "10:31"]),
      Fixture.row("BL12", to: "BL14", ["10:33"]),
      Fixture.row("BL13", to: "BL14", ["10:05", "10:35", "11:05"]),
    ]
    let timetable = try MetroTimetable(reading: [Array("[\(rows.joined(separator: ","))]".utf8)])
    let morning = try Self.date("2025-09-01", 10)
    let monday = try timetable.departures(at: "西門", from: morning, limit: 2)
    #expect(monday.map(\.leg.visits.count) == [4, 4])
    #expect(monday.map { "\($0.leg.visits[1].departure)" }[1] == "10:33")
    // Nothing says that the first train of 西門 is the one at 善導寺, because it isn't at the station between.
    #expect(try Self.times(timetable, "台北車站", morning, limit: 1) == ["10:33 BL14"])
    #expect(
      try Self.times(timetable, "善導寺", morning, limit: 3)
        == ["10:05 BL14", "10:35 BL14", "11:05 BL14"])
    // Without any row of a station, the trains of its neighbors are still found.
    let gap = try MetroTimetable(reading: [Fixture.file(rows[0], rows[2])])
    let train = try #require(try gap.departures(at: "西門", from: morning, limit: 1).first)
    #expect(train.leg.visits.map(\.stop.id) == ["BL11", "BL12", "BL13", "BL14"])
    #expect("\(train.leg.visits[2].departure)" == "10:05")
    #expect(try Self.times(gap, "台北車站", morning).isEmpty)
  }

  @Test("Trains of two branches are one direction where the branches have joined")
  func branches() throws {
    let timetable = try MetroTimetable(
      reading: [
        Fixture.file(
          Fixture.row("O13", to: "O10", ["10:00", "10:12"]),
          Fixture.row("O50", to: "O10", ["10:05"]),
          Fixture.row("O12", to: "O10", ["10:02", "10:07", "10:14"]))
      ])
    let morning = try Self.date("2025-09-01", 10)
    let train = try #require(
      try timetable.departures(at: "三重國小", from: morning, limit: 1).first)
    #expect(train.leg.visits.map(\.stop.id) == ["O50", "O12", "O11", "O10"])
    #expect("\(train.leg.visits[1].departure)" == "10:07")
    #expect(
      try Self.times(timetable, "大橋頭", morning, limit: 3)
        == ["10:02 O10", "10:07 O10", "10:14 O10"])
    #expect(timetable.report.tripCount == 3)
  }

  @Test(
    "A row that can't be used is reported, and the others are there",
    arguments: [
      (Fixture.row("X9", to: "BL14", ["06:00"]), "no trains from X9"),
      (Fixture.row("BL12", to: "R28", ["06:00"]), "no trains from BL12 to R28"),
      (Fixture.row("BL12", to: "BL12", ["06:00"]), "no trains from BL12 to BL12"),
      (Fixture.row("BL12", to: "BL14", ["soon", "25:00", "6:3", ""]), "None of the times"),
      (Fixture.row("BL12", to: "BL14", ["06:00"], on: []), "no days"),
      (#"{"StationID":"BL12","LineID":"BL","ServiceDay":{"Monday":true}}"#, "no destination"),
      (
        #"{"StationID":"BL12","LineID":"BL","DestinationStationID":"BL14","Timetables":"no","ServiceDay":{"Monday":true}}"#,
        "no departures"
      ),
      (#"{"StationID":"BL12"}"#, "no line"),
      (#"{"RouteID":"X-1","Headways":[],"ServiceDay":{}}"#, "no trains of the pattern X-1"),
      (
        #"{"RouteID":"BR-1","Headways":[{"StartTime":"06:00"}],"ServiceDay":{}}"#,
        "None of the headways"
      ),
      (#"{"Name":"?"}"#, "neither"),
    ])
  func dirty(row: String, reason: String) throws {
    let rows = Fixture.bannan() + [row]
    let timetable = try MetroTimetable(reading: [Array("[\(rows.joined(separator: ","))]".utf8)])
    #expect(timetable.failures.map(\.index) == [3])
    #expect(timetable.failures[0].reason.contains(reason))
    #expect(
      try Self.times(timetable, "台北車站", Self.date("2025-09-01", 6), limit: 1) == ["06:03 BL14"])
    // Alone, it's no timetable.
    #expect {
      try MetroTimetable(reading: [Fixture.file(row)])
    } throws: {
      ($0 as? FieldError)?.code == .malformed
    }
  }

  @Test("A time that can't be read is missing, and the others of its row are there")
  func unreadableTimes() throws {
    let timetable = try MetroTimetable(
      reading: [
        Fixture.file(Fixture.row("BL12", to: "BL14", ["06:00", "soon", "", "06:20", "24:00"]))
      ])
    #expect(timetable.failures.isEmpty)
    #expect(
      try Self.times(timetable, "台北車站", Self.date("2025-09-01", 6), limit: 2)
        == ["06:00 BL14", "06:20 BL14"])
  }

  @Test("A truncated timetable is refused wherever it ends")
  func truncated() throws {
    let file = Fixture.file(
      Fixture.row("BL12", to: "BL14", ["06:00"]), Fixture.row("BL13", to: "BL14", ["06:02"]))
    for count in 0..<file.count {
      #expect(throws: FieldError.self, "\(count)") {
        try MetroTimetable(reading: [Array(file.prefix(count))])
      }
    }
  }

  @Test("Random bytes in a timetable end in an error or in a timetable", arguments: 0..<60)
  func random(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var file = Fixture.file(
      Fixture.row("BL11", to: "BL14", ["06:00"]), Fixture.row("BL12", to: "BL14", ["06:02"]),
      Fixture.wenhu)
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      file[Int.random(in: file.indices, using: &generator)] = UInt8.random(
        in: 0...255, using: &generator)
    }
    do {
      let timetable = try MetroTimetable(reading: [file])
      _ = try timetable.departures(at: "台北車站", from: Self.date("2025-09-01", 6))
    } catch {
      #expect(error is FieldError, "seed \(seed)")
    }
  }

  // MARK: Captures

  private static let hasCaptures = FileManager.default.fileExists(
    atPath: SharedData.url("metro/timetable").path)
  private static let script = SharedData.root.appending(
    path: "Scripts/Checks/metro_timetable_reference.py"
  ).path

  /// The captures, which have all trains.
  private static let trains = Result {
    try MetroTimetable(
      reading: ["R", "BL", "G", "O"].map { try SharedData.bytes("metro/timetable/\($0).json") })
  }
  /// The departures of the same trains, as TDX has them.
  private static let boards = Result {
    try MetroTimetable(reading: [[UInt8](Tool.run("python3", script, "boards"))])
  }

  @Test(
    "The first and last trains are those that another program counts in the captures, in both forms",
    .enabled(
      if: hasCaptures && Tool.isThere("python3"),
      "the metro's timetable of ../shared, or Python, isn't here"),
    arguments: [("2025-09-01", "1"), ("2025-09-06", "6"), ("2025-09-07", "7")])
  func firstAndLast(day: String, number: String) throws {
    let lines = String(
      decoding: try Tool.run("python3", Self.script, "times", number), as: UTF8.self)
    let expected = Set(lines.split(separator: "\n").map(String.init))
    #expect(expected.count > 150)
    for timetable in [try Self.trains.get(), try Self.boards.get()] {
      #expect(timetable.failures.isEmpty)
      let found = try timetable.network.stations.flatMap { station in
        try timetable.trainTimes(at: station.id, on: CalendarDay(day)).map {
          "\($0.code)\t\($0.destination)\t\($0.first)\t\($0.last)"
        }
      }
      #expect(Set(found) == expected)
      #expect(found.count == expected.count)
    }
  }

  @Test(
    "The trains of the captures are found again behind the departures of stations",
    .enabled(
      if: hasCaptures && Tool.isThere("python3"),
      "the metro's timetable of ../shared, or Python, isn't here"))
  func foundAgain() throws {
    let (known, boards) = (try Self.trains.get(), try Self.boards.get())
    var (same, all) = (0, 0)
    for day in ["2025-09-01", "2025-09-06"] {
      let dawn = known.timetable.date(of: try CalendarDay(day), minutes: 240)
      for station in known.network.stations {
        let trains = try [known, boards].map { timetable in
          try timetable.departures(at: station.id, from: dawn, limit: 3000)
            .filter { $0.time.date < dawn.addingTimeInterval(86_400) }
            .map { train in
              // The captures have arrivals at the destination, which TDX doesn't.
              train.leg.visits.dropLast().map { "\($0.stop.id) \($0.departure)" }
                .joined(separator: " ") + " \(train.leg.destination?.id ?? "")"
            }
        }
        #expect(trains[0].count == trains[1].count)
        all += trains[0].count
        var left: [String: Int] = [:]
        for train in trains[0] { left[train, default: 0] += 1 }
        for train in trains[1] where left[train, default: 0] > 0 {
          left[train]? -= 1
          same += 1
        }
      }
    }
    #expect(all > 30_000)
    #expect(Double(same) > 0.99 * Double(all), "\(same) of \(all)")
  }
}
