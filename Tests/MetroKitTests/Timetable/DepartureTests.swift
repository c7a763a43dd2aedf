import FieldFakes
import FieldTransit
import Foundation
import MetroKit
import TestSupport
import Testing

@Suite("Live trains beside the timetable's, and predictions")
struct DepartureTests {
  private typealias Fixture = TimetableFixture
  private static let noon = BoardRows.noon

  /// A board at 11:39:30 with the timetable of the fixture, confirmed an hour before.
  private static func board(_ rows: Arrival..., later seconds: Double = 0) async throws
    -> ArrivalBoard
  {
    let clock = ManualClock(now: noon.addingTimeInterval(-3600))
    let feed = ScriptedFeed(.rows([BoardRows.row("淡水", "象山", -3600)]), .rows(rows))
    let files = "[\((Fixture.bannan() + [Fixture.wenhu]).joined(separator: ","))]"
    let metro = Metro(
      source: feed, timetable: ScriptedTimetables(.success(Array(files.utf8))), storage: .inMemory,
      clock: clock)
    try await metro.refresh()
    clock.advance(by: .seconds(3600))
    try await metro.refresh()
    return try await metro.board().evaluatingFreshness(at: noon.addingTimeInterval(seconds))
  }

  private static func texts(_ departures: [MetroDeparture]) -> [String] {
    departures.map {
      let seconds = Int($0.date.timeIntervalSince(noon).rounded())
      return "\($0.code?.rawValue ?? "?") \($0.destinationName) \(seconds) \($0.basis.rawValue)"
    }
  }

  @Test(
    "A direction with fresh rows has these, and another one has the timetable's trains, with their ages"
  )
  func composed() async throws {
    let board = try await Self.board(BoardRows.row("台北車站", "淡水站", -20))
    let departures = board.departures(at: "台北車站", limit: 2)
    // The timetable's trains leave at 11:43 and 11:53.
    #expect(
      Self.texts(departures) == [
        "R10 淡水站 -20 live", "BL12 忠孝新生 210 timetable", "BL12 忠孝新生 810 timetable",
      ])
    #expect(departures.map(\.age) == [.seconds(20), .seconds(3600), .seconds(3600)])
    #expect(departures[0].arrival?.stationName == "台北車站" && departures[1].arrival == nil)
    #expect(departures[1].destination == "忠孝新生" && departures[1].line == .bannan)
    // Any spelling, and no station.
    #expect(board.departures(at: "Taipei Main Station", limit: 2) == departures)
    #expect(board.departures(at: "月球").isEmpty && board.departures(at: "台北車站", limit: 0).isEmpty)
    #expect(board.departures(at: "台北車站", limit: .max).starts(with: departures.prefix(2)))
  }

  @Test("When the board is frozen, the next train is the timetable's, in minutes")
  func frozen() async throws {
    let row = BoardRows.row("台北車站", "忠孝新生", -20)
    let live = try await Self.board(row)
    #expect(Self.texts(live.departures(at: "台北車站")) == ["BL12 忠孝新生 -20 live"])
    let frozen = live.evaluatingFreshness(at: Self.noon.addingTimeInterval(300))
    #expect(frozen.fresh.isEmpty)
    let next = try #require(frozen.departures(at: "台北車站").first)
    // 11:44:30, and the next train is that of 11:53.
    #expect(next.basis == .timetable && Self.texts([next]) == ["BL12 忠孝新生 810 timetable"])
    #expect(next.age == .seconds(3900))
    #expect(
      MetroTexts.departure(next, asOf: frozen.asOf).string() == "by the timetable in 8 minutes")
    #expect(
      MetroTexts.departure(next, asOf: frozen.asOf).string(in: .traditionalChinese) == "依時刻表 8 分鐘後")
    #expect(
      MetroTexts.departure(next, asOf: next.date.addingTimeInterval(-61)).string()
        == "by the timetable in 1 minute")
    #expect("\(next)".contains("BL12 > 忠孝新生"))
  }

  @Test("A line without departures has the runs at its headways, which are marked")
  func headways() async throws {
    let board = try await Self.board(BoardRows.row("台北車站", "淡水站", -20))
    let departures = board.departures(at: "動物園", limit: 1)
    #expect(departures.map(\.basis) == [.headway])
    #expect(Self.texts(departures) == ["BR01 南港展覽館 30 headway"])
    #expect(
      MetroTexts.departure(departures[0], asOf: Self.noon).string()
        == "by the usual interval in about 0 minutes")
  }

  @Test(
    "Without a timetable there are only live trains, and trains that end at the station aren't among them"
  )
  func withoutTimetable() {
    let board = BoardRows.board(
      BoardRows.row("台北車站", "淡水站", -20), BoardRows.row("淡水站", "淡水站", -5),
      BoardRows.row("月球站", "淡水站", -5))
    #expect(Self.texts(board.departures(at: "台北車站")) == ["R10 淡水站 -20 live"])
    #expect(board.departures(at: "淡水").isEmpty)
    #expect(Self.texts(board.departures(at: "月球")) == ["? 淡水站 -5 live"])
    #expect(
      board.evaluatingFreshness(at: Self.noon.addingTimeInterval(300)).departures(at: "台北車站")
        .isEmpty)
  }

  @Test("A board with a timetable changes at every full minute, when its trains leave")
  func minutes() async throws {
    let board = try await Self.board(BoardRows.row("台北車站", "淡水站", -3000))
    #expect(board.fresh.isEmpty)
    #expect(board.nextChange == Self.noon.addingTimeInterval(30))
    let next = board.evaluatingFreshness(at: Self.noon.addingTimeInterval(30))
    #expect(next.nextChange == Self.noon.addingTimeInterval(90))
  }

  // MARK: Predictions

  /// The running and dwell times of the Bannan line from one code to the next ones.
  private static func seconds(_ from: MetroStation.Code, _ count: Int) throws -> [Int] {
    let service = try #require(MetroNetwork.taipei.services.first { $0.id == "BL-1" })
    let start = try #require(service.stops.firstIndex(of: from))
    var total = 0
    return (start..<start + count).map {
      total += service.stopSeconds[$0] + service.runSeconds[$0]
      return total
    }
  }

  @Test("A fresh row predicts when its train is at the next stations, up to its destination")
  func predicted() throws {
    let board = BoardRows.board(BoardRows.row("台北車站", "昆陽", -20))
    let stops = try #require(board.predictions(for: board.arrivals[0]))
    #expect(stops.map(\.station).first == "善導寺" && stops.map(\.station).last == "昆陽")
    #expect(stops.map(\.code.rawValue) == (13...21).map { "BL\($0)" })
    let expected = try Self.seconds("BL12", 9).map { Double($0 - 20) }
    #expect(stops.map { $0.date.timeIntervalSince(Self.noon) } == expected)
    #expect(stops.allSatisfy { $0.age == .seconds(20) && $0.train == board.arrivals[0] })
    #expect(board.predictions(on: .bannan) == stops)
    #expect(board.predictions(on: .wenhu).isEmpty)
    #expect(board.predictions(at: "昆陽").map(\.date) == [stops[8].date])
    #expect("\(stops[0])".hasPrefix("善導寺 > 昆陽"))
    // A minute later, the instants are the same and the age isn't.
    let later = board.evaluatingFreshness(at: Self.noon.addingTimeInterval(60))
    let same = try #require(later.predictions(for: board.arrivals[0]))
    #expect(same.map(\.date) == stops.map(\.date) && same[0].age == .seconds(80))
  }

  @Test(
    "There is no prediction without a basis for it",
    arguments: [
      // Too old, frozen, without a time, ahead.
      BoardRows.row("台北車站", "昆陽", -91), BoardRows.row("台北車站", "昆陽", "?"),
      BoardRows.row("台北車站", "昆陽", 3000),
      // Unknown names, several lines, and a line that doesn't go there.
      BoardRows.row("月球站", "昆陽", 0), BoardRows.row("台北車站", "月球", 0),
      BoardRows.row("忠孝復興", "南港展覽館", 0), BoardRows.row("台北車站", "動物園", 0),
      // Nobody knows how long a train waits where it begins.
      BoardRows.row("頂埔", "南港展覽館", 0), BoardRows.row("動物園", "南港展覽館", 0),
    ])
  func none(row: Arrival) {
    let board = BoardRows.board(row)
    #expect(board.predictions(for: row) == nil)
    #expect(board.predictions(at: "昆陽").isEmpty)
    #expect(MetroNetwork.taipei.lines.allSatisfy { board.predictions(on: $0.id).isEmpty })
  }

  @Test(
    "There is no prediction in a network without running times, and none for a train that has arrived"
  )
  func unknownTimes() throws {
    let there = BoardRows.board(BoardRows.row("昆陽", "昆陽", 0))
    var row = there.arrivals[0]
    row.line = .bannan
    #expect(BoardRows.board(row).predictions(for: row) == [])
    var content =
      try JSONSerialization.jsonObject(
        with: JSONEncoder().encode(MetroNetwork.taipei)) as? [String: Any]
    var services = try #require(content?["services"] as? [[String: Any]])
    for place in services.indices {
      let runs = services[place]["runSeconds"] as? [Int]
      services[place]["runSeconds"] = runs?.map { _ in 0 }
    }
    content?["services"] = services
    guard
      let network = try? JSONDecoder().decode(
        MetroNetwork.self, from: JSONSerialization.data(withJSONObject: content as Any))
    else { return }  // A network without running times isn't accepted at all.
    var board = BoardRows.board(BoardRows.row("台北車站", "昆陽", 0))
    board.network = network
    #expect(board.predictions(for: board.arrivals[0]) == nil)
  }

  @Test("A train that two rows have seen counts once, where it was seen last")
  func seenTwice() throws {
    let ride = try Self.seconds("BL12", 1)[0]
    let board = BoardRows.board(
      BoardRows.row("台北車站", "昆陽", 20 - ride), BoardRows.row("善導寺", "昆陽", 0),
      BoardRows.row("台北車站", "南港展覽館", 20 - ride))
    let stops = board.predictions(at: "昆陽")
    #expect(stops.map(\.train.stationName) == ["善導寺", "台北車站"])
    #expect(stops.map(\.train.destinationName) == ["昆陽", "南港展覽館"])
    // 善導寺 has the row itself, and the other train is expected there.
    #expect(
      Self.texts(board.departures(at: "善導寺")) == [
        "BL13 昆陽 0 live", "BL13 南港展覽館 20 predicted",
      ])
  }

  @Test("A row with a countdown predicts from the end of the countdown")
  func countdown() throws {
    var row = BoardRows.row("台北車站", "昆陽", 0)
    row.countdown = Arrival.Countdown(seconds: 45)
    let board = BoardRows.board(row)
    let stops = try #require(board.predictions(for: row))
    let first = try Self.seconds("BL12", 1)[0]
    #expect(stops[0].date == Self.noon.addingTimeInterval(Double(45 + first)))
    row.countdown = .waitingForData
    #expect(BoardRows.board(row).predictions(for: row) == nil)
  }

  @Test(
    "Predictions come before the timetable's trains of their direction, and after them in doubt")
  func predictedInstead() async throws {
    let board = try await Self.board(BoardRows.row("西門", "忠孝新生", -10))
    let here = board.departures(at: "善導寺", limit: 2)
    #expect(here.map(\.basis) == [.predicted] && here[0].age == .seconds(10))
    // Where trains end, none leaves.
    #expect(board.departures(at: "忠孝新生").allSatisfy { $0.destinationName != "忠孝新生" })
    let stale = board.evaluatingFreshness(at: Self.noon.addingTimeInterval(200))
    #expect(stale.departures(at: "善導寺", limit: 2).map(\.basis) == [.timetable, .timetable])
  }
}
