import FieldTransit
import Foundation
import MetroKit
import TestSupport
import Testing

@Suite("The metro's timetable")
struct MetroTimetableTests {
  /// Trains of the Bannan line on workdays, the last of which ends after midnight, and one that can't be used.
  private static let trains = """
    [{"Direction":"南港展覽館","EffectiveFrom":"2025-08-23","Timetables":[{"Days":"1,2,3,4,5","Trains":[
      {"Dst":"昆陽","Schedule":[{"StationCode":"BL11","DepTime":"06:10"},{"StationCode":"BL12","DepTime":"06:12"},{"StationCode":"BL13","DepTime":"06:14"}]},
      {"Dst":"南港展覽館","Schedule":[{"StationCode":"BL11","DepTime":"23:57"},{"StationCode":"BL12","DepTime":"23:59"},{"StationCode":"BL13","DepTime":"00:01"}]},
      {"Dst":"南港展覽館","Schedule":[{"StationCode":"BL11","DepTime":"06:00"},{"StationCode":"BL12","DepTime":"06:02"},{"StationCode":"BL13","DepTime":"06:04"}]},
      {"Dst":"南港展覽館","Schedule":[{"StationCode":"BL12","DepTime":"7h"},{"StationCode":"BL13","DepTime":"07:04"}]},
      {"Dst":"南港展覽館","Schedule":[]}]}]}]
    """
  private static let headways = """
    [{"RouteID":"BR-1","ServiceDay":{"Monday":true,"Wednesday":true},"Headways":[
      {"StartTime":"06:00","EndTime":"07:00","MinHeadwayMins":4,"MaxHeadwayMins":10},
      {"StartTime":"23:00","EndTime":"00:00","MinHeadwayMins":12,"MaxHeadwayMins":12}]},
     {"RouteID":"BL-1","ServiceDay":{"Monday":true},"Headways":[{"StartTime":"06:00","EndTime":"07:00","MaxHeadwayMins":1}]},
     {"RouteID":"X-1","ServiceDay":{},"Headways":[]}]
    """

  private func timetable() throws -> MetroTimetable {
    try MetroTimetable(
      reading: [Array(Self.trains.utf8), Array(Self.headways.utf8)])
  }

  private static func date(_ day: String, _ minutes: Int, _ timetable: MetroTimetable) throws
    -> Date
  {
    timetable.timetable.date(of: try CalendarDay(day), minutes: minutes)
  }

  @Test("The next trains of a station have their times, lines, and destinations")
  func departures() throws {
    let timetable = try timetable()
    let monday = try Self.date("2025-09-01", 6 * 60 + 3, timetable)
    let next = try timetable.departures(at: "台北車站", from: monday, limit: 3)
    #expect(next.map(\.time.description) == ["06:12", "23:59", "06:02"])
    #expect(next.map(\.headsign) == ["昆陽", "南港展覽館", "南港展覽館"])
    #expect(next[0].route?.id == "BL" && next[0].leg.origin?.id == "BL12")
    #expect(!next[0].isFrequency)
    // Friday's last train leaves on Saturday, on which there are no others.
    let saturday = try Self.date("2025-09-06", 0, timetable)
    #expect(try timetable.departures(at: "西門", from: saturday).isEmpty)
    #expect(timetable.report.unusableTripCount == 1)
    #expect(throws: FieldError.self) { try timetable.departures(at: "x", from: monday) }
  }

  @Test("Lines without trains have runs at the longest headway, which are marked, and others don't")
  func headways() throws {
    let timetable = try timetable()
    let monday = try Self.date("2025-09-01", 0, timetable)
    let runs = try timetable.departures(at: "動物園", from: monday, limit: 8)
    #expect(
      runs.map(\.time.description).prefix(7) == [
        "06:00", "06:10", "06:20", "06:30", "06:40", "06:50", "23:00",
      ])
    #expect(runs.allSatisfy { $0.isFrequency && $0.headsign == "南港展覽館" })
    let tuesday = try Self.date("2025-09-02", 0, timetable)
    let next = try timetable.departures(at: "動物園", from: tuesday, limit: 1)
    #expect(next.map(\.time.day) == [try CalendarDay("2025-09-03")])
    let board = try timetable.departures(at: "西門", from: monday, limit: 9)
    #expect(board.map(\.time.description).prefix(3) == ["06:00", "06:10", "23:57"])
  }

  @Test("The first and the last train of a day run to each destination, even after midnight")
  func trainTimes() throws {
    let timetable = try timetable()
    let times = try timetable.trainTimes(at: "台北車站", on: CalendarDay("2025-09-01"))
    #expect(times.map(\.code.rawValue) == ["BL12"])
    #expect(times.map { "\($0.destination) \($0.first) \($0.last)" } == ["善導寺 06:02 23:59"])
    let late = try timetable.trainTimes(at: "動物園", on: CalendarDay("2025-09-01"))
    #expect(late.map { "\($0.destination) \($0.first) \($0.last)" } == ["南港展覽館 06:00 23:48"])
    #expect(try timetable.trainTimes(at: "台北車站", on: CalendarDay("2025-09-07")).isEmpty)
  }

  @Test("Journeys change between a line with trains and one with headways")
  func journeys() throws {
    let timetable = try timetable()
    let monday = try Self.date("2025-09-01", 5 * 60, timetable)
    let answer = try timetable.timetable.journeys(
      from: .stop("西門"), to: .stop("善導寺"), departing: monday)
    #expect(answer.journeys.map(\.arrival.description) == ["06:04"])
    let ride = try timetable.timetable.journeys(
      from: .stop("動物園"), to: .stop("木柵"), departing: monday)
    #expect(ride.journeys.map(\.departure.description) == ["06:00"])
    let run = timetable.network.services.first { $0.id == "BR-1" }?.runSeconds[0] ?? 0
    #expect(ride.journeys[0].arrival.minutes >= 360 + run / 60)
  }

  @Test(
    "Files that aren't a timetable have an error with a code",
    arguments: ["", "{}", "[{}]", "<html>", "[{\"Timetables\":[{\"Days\":1}]}]"])
  func malformed(text: String) {
    #expect {
      try MetroTimetable(reading: [Array(text.utf8)])
    } throws: {
      ($0 as? FieldError)?.code == .malformed
    }
    #expect(throws: FieldError.self) {
      try MetroTimetable(reading: [Array(Self.trains.utf8), Array(text.utf8)])
    }
  }

  private struct Direction: Decodable {
    struct Table: Decodable {
      struct Train: Decodable {
        struct Stop: Decodable { var DepTime: String, StationCode: String }
        var Schedule: [Stop]
      }
      var Days: String
      var Trains: [Train]
    }
    var Timetables: [Table]
  }

  @Test(
    "Every train of the real files is in the timetable, and every departure of a day is one of them",
    .enabled(
      if: FileManager.default.fileExists(atPath: SharedData.url("metro/timetable").path),
      "the metro's timetable of ../shared isn't here"))
  func real() throws {
    let files = try ["R", "BL", "G", "O"].map {
      try SharedData.bytes("metro/timetable/\($0).json")
    }
    let timetable = try MetroTimetable(
      reading: files + [SharedData.bytes("metro/tdx-full/TRTC_Frequency.json")])
    #expect(timetable.report.failureCount == 0)
    #expect(timetable.report.tripCount > 4000)
    // A Monday at 台北車站, beside the file itself.
    for (code, station) in [("R10", "台北車站"), ("G12", "西門"), ("O06", "東門")] {
      var expected: [String] = []
      for file in files {
        for direction in try JSONDecoder().decode([Direction].self, from: Data(file)) {
          for table in direction.Timetables where table.Days.contains("1") {
            for train in table.Trains {
              // Nobody boards where a train ends.
              expected += train.Schedule.dropLast().filter { $0.StationCode == code }.map(\.DepTime)
            }
          }
        }
      }
      let dawn = try Self.date("2025-09-01", 240, timetable)
      let found = try timetable.departures(at: .init(rawValue: station), from: dawn, limit: 3000)
        .filter { $0.leg.origin?.id == code && $0.time.date < dawn.addingTimeInterval(86_400) }
        .map(\.time.description)
      #expect(!found.isEmpty)
      #expect(found.sorted() == expected.sorted())
    }
    let times = try timetable.trainTimes(at: "動物園", on: CalendarDay("2025-09-01"))
    #expect(times.map(\.destination) == ["南港展覽館"])
  }
}
