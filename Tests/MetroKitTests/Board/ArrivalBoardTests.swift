import Foundation
import MetroKit
import Testing

@Suite("A board")
struct ArrivalBoardTests {
  private static func mixed() -> ArrivalBoard {
    BoardRows.board(
      BoardRows.row("台北車站", "淡水站", -5), BoardRows.row("忠孝復興站", "動物園站", -7),
      BoardRows.row("台北車站", "頂埔站", -600), BoardRows.row("火星站", "淡水", -9),
      BoardRows.row("大安站", "月球站", -3))
  }

  @Test(
    "a board finds the rows of a station by any spelling",
    arguments: [
      "台北車站", "臺北車站", "Taipei Main Station", "TAIPEI MAIN STATION", "TaipeiMainStation", "R10",
      "BL12", "bl12", "ＢＬ１２", "TRTC-R10", " 台北車站 ", "捷運台北車站",
    ])
  func spellings(text: String) throws {
    let board = Self.mixed()
    #expect(board.arrivals(at: text).names == ["台北車站→淡水站", "台北車站→頂埔站"])
    #expect(board.arrivals(at: text, freshOnly: true).names == ["台北車站→淡水站"])
  }

  @Test("a board never drops a 站 that is part of the name", arguments: ["台北車", "台北", "", "站"])
  func notAName(text: String) throws {
    #expect(Self.mixed().arrivals(at: text).isEmpty)
  }

  @Test("a board finds rows of a station that isn't in the network, by its own name")
  func unknownStation() throws {
    let board = Self.mixed()
    #expect(board.arrivals(at: "火星").count == 1)
    #expect(board.arrivals(at: "火星站").count == 1)
    #expect(board.arrivals(to: "月球").names == ["大安站→月球站"])
    #expect(board.unresolvedNames == ["火星站", "月球站"])
  }

  @Test("a board finds the rows of a destination and of a line")
  func destinationsAndLines() throws {
    let board = Self.mixed()
    #expect(board.arrivals(to: "Tamsui").names == ["台北車站→淡水站", "火星站→淡水"])
    #expect(board.arrivals(on: .wenhu).names == ["忠孝復興站→動物園站"])
    #expect(board.arrivals(on: "BL", freshOnly: true).isEmpty)
  }

  @Test("a board groups rows by station, destination and line, in the source's order")
  func groups() throws {
    let board = Self.mixed()
    #expect(board.byStation.map(\.name) == ["台北車站", "忠孝復興", "火星站", "大安"])
    #expect(board.byStation.map(\.arrivals.count) == [2, 1, 1, 1])
    #expect(
      board.byStation.map(\.id) == [
        .key("台北車站"), .key("忠孝復興"), .name("火星站"), .key("大安"),
      ])
    #expect(board.byStation[2].key == nil)
    #expect(board.byDestination.map(\.name) == ["淡水", "動物園", "頂埔", "月球站"])
    #expect(board.byDestination[0].arrivals.count == 2)
    #expect(board.byLine.map(\.name) == ["R", "BR", "BL", ""])
    #expect(board.byLine.flatMap(\.arrivals).count == board.arrivals.count)
  }

  @Test("a board groups unknown names apart from each other, and from a station of that key")
  func unknownNameGroups() {
    var mars = BoardRows.row("火星站", "月球站", -5)
    let rows = [
      BoardRows.row("淡水", "金星站", -6), BoardRows.row("金星站", "月球站", -7),
      BoardRows.row("火星站", "淡水站", -8),
    ]
    let board = ArrivalBoard([mars] + rows, fetchedAt: BoardRows.noon)
    #expect(board.byStation.map(\.id) == [.name("火星站"), .key("淡水"), .name("金星站")])
    #expect(board.byStation.map(\.arrivals.count) == [2, 1, 1])
    #expect(board.byDestination.map(\.id) == [.name("月球站"), .name("金星站"), .key("淡水")])
    // A name that only the feed knows may be spelt as the key of a station.
    mars.stationName = "淡水"
    #expect(
      ArrivalBoard([mars] + rows, fetchedAt: BoardRows.noon).byStation.map(\.id)
        == [.name("淡水"), .key("淡水"), .name("金星站"), .name("火星站")])
  }

  @Test("a board has the newest of the fresh rows, or of all rows if none is fresh")
  func newest() throws {
    let nonsense = BoardRows.row("松山站", "新店站", "20990101000000")
    let board = BoardRows.board(
      nonsense, BoardRows.row("淡水站", "象山站", -20), BoardRows.row("北投站", "大安站", -5),
      BoardRows.row("石牌站", "大安站", -5))
    #expect(board.newest?.stationName == "北投站")
    let later = board.evaluatingFreshness(at: BoardRows.noon.addingTimeInterval(3600))
    #expect(later.newest?.stationName == "松山站")
    #expect(ArrivalBoard.empty(asOf: BoardRows.noon).newest == nil)
  }

  @Test("a board reports the changes since an earlier board: the next train is another row")
  func changes() throws {
    let earlier = BoardRows.board(
      BoardRows.row("淡水站", "象山站", -30), BoardRows.row("北投站", "大安站", -30),
      BoardRows.row("松山站", "新店站", -30))
    let later = BoardRows.board(
      BoardRows.row("蘆洲站", "南勢角站", 0), BoardRows.row("松山站", "新店站", -30),
      BoardRows.row("淡水站", "象山站", 0))
    let changes = later.changes(since: earlier)
    #expect(changes.arrived.names == ["蘆洲站→南勢角站", "淡水站→象山站"])
    #expect(changes.left.names == ["淡水站→象山站", "北投站→大安站"])
    #expect(changes.updated.isEmpty)
    #expect(changes.unchangedCount == 1)
    #expect(!changes.isEmpty)
    #expect(later.changes(since: later).isEmpty)
  }

  @Test("a board reports a running countdown as the same row, updated")
  func countdowns() {
    func board(_ countdown: Int, _ time: Int) -> ArrivalBoard {
      let row = Arrival(
        stationName: "台北車站", destinationName: "淡水站", updatedAt: FeedTime(BoardRows.time(time)),
        countdown: .init(seconds: countdown), trainNumber: "104")
      return ArrivalBoard([row], fetchedAt: BoardRows.noon)
    }
    let changes = board(26, 15).changes(since: board(41, 0))
    #expect(changes.updated.map { $0.countdown?.seconds } == [26])
    #expect(changes.arrived.isEmpty && changes.left.isEmpty)
  }

  @Test("a board with equal rows counts them correctly, in any order")
  func equalRows() throws {
    let row = BoardRows.row("淡水站", "象山站", 0)
    let other = BoardRows.row("北投站", "大安站", 0)
    let two = BoardRows.board(row, row, other)
    let one = BoardRows.board(other, row)
    #expect(Set(two.arrivals.map(\.id)).count == 3)
    #expect(one.changes(since: two).left.count == 1)
    #expect(two.changes(since: one).arrived.count == 1)
    #expect(two.changes(since: one).unchangedCount == 2)
  }

  @Test("a board is unchanged after coding, and knows how long its rows have been frozen")
  func coding() throws {
    let row = BoardRows.row("淡水站", "象山站", 40)
    let first = BoardRows.board(row)
    let later = BoardRows.noon.addingTimeInterval(100)
    let board = first.followed(by: BoardRows.board(row, at: later, serverDate: later))
    let coded = try JSONEncoder().encode(board)
    let read = try JSONDecoder().decode(ArrivalBoard.self, from: coded)
    #expect(read == board)
    #expect(read.freshness(of: read.arrivals[0]) == .frozen)
    #expect(Set([read, board]).count == 1)
  }

  @Test("a board can't be decoded if its rows and times don't match")
  func badCoding() throws {
    let coded = Data(#"{"arrivals":[],"standingSince":[0]}"#.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(ArrivalBoard.self, from: coded) }
  }
}
