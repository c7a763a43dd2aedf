import FieldFakes
import FieldTesting
import Foundation
import MetroKit
import Testing

/// What went wrong in the old app (Docs/old-apps.md) when the answer was no board, over today's feed.
@Suite("Invalid responses", .timeLimit(.minutes(60)))
struct BadAnswerTests {
  private static let rows = [
    BoardRows.row("七張站", "松山站", -3), BoardRows.row("士林站", "象山站", -5),
  ]

  /// A metro of today's feed whose answers the test gives; retries are over at once.
  private static func metro(
    _ responses: StubTransport.Response, storage: Storage = .inMemory
  ) -> (Metro, StubTransport) {
    let transport = StubTransport { $0.on("metro.arrivals", respond: responses) }
    let clock = ImmediateClock(now: BoardRows.noon)
    return (Metro(storage: storage, transport: transport, clock: clock), transport)
  }

  private static let good = StubTransport.Response.json(text: BoardRows.json(rows))

  // 2.4-1 of Docs/old-apps.md
  @Test(
    "an invalid response is a typed error, and the last board is unchanged",
    arguments: [
      ("a web page", "<!DOCTYPE html><title>系統暫時無法提供服務</title>", FieldError.Code.notData),
      ("half an array", "[{\"Station\":\"七張站\",\"Destin", .cut),
      ("nothing", "", .emptyBody),
      ("an empty array", "[]", .emptyFeed),
    ])
  func noBoard(name: String, body: String, code: FieldError.Code) async throws {
    let (metro, _) = Self.metro(.sequence(Self.good, .json(text: body), repeatingLast: true))
    try await metro.refresh()
    let before = try await metro.board()
    let error = await #expect(throws: FieldError.self) { try await metro.refresh() }
    #expect(error?.code == code, "\(name): \(error.map(String.init(describing:)) ?? "")")
    let after = try await metro.board()
    #expect(after.arrivals == before.arrivals)
    #expect(after.fetchedAt == before.fetchedAt)
    #expect(after.lastFailure?.code == code)
  }

  // 2.4-1 of Docs/old-apps.md
  @Test("being offline at the first start yields an empty board that reports it")
  func offlineAtFirst() async throws {
    let (metro, _) = Self.metro(.error(.offline))
    let error = await #expect(throws: FieldError.self) { try await metro.refresh() }
    #expect(error?.code == .offline)
    let board = try await metro.board()
    #expect(board.isEmpty)
    #expect(board.fetchedAt == nil)
    #expect(board.age == nil)
    #expect(board.lastFailure?.code == .offline)
    #expect(try await metro.lastRefresh == nil)
  }

  // 2.4-2 of Docs/old-apps.md
  @Test("an invalid time only affects its own row's freshness")
  func badTime() async throws {
    let rows = Self.rows + [BoardRows.row("大安站", "淡水站", "")]
    let (metro, _) = Self.metro(.json(text: BoardRows.json(rows)))
    try await metro.refresh()
    let board = try await metro.board()
    #expect((board.arrivals.count, board.undated.count) == (3, 1))
  }

  // 2.4-7 of Docs/old-apps.md
  @Test("a row without a destination causes no crash and no empty name")
  func noDestination() async throws {
    let bare = "{\"Station\":\"七張站\",\"UpdateTime\":\"\(BoardRows.time(0))\"}"
    let rows = BoardRows.json(Self.rows).dropLast() + ",\(bare)]"
    let (metro, _) = Self.metro(.json(text: String(rows)))
    let report = try await metro.refresh()
    let board = try await metro.board()
    #expect(board.arrivals.map(\.destinationName) == ["松山站", "象山站"])
    #expect(board.failures.map(\.index) == [2])
    #expect(board.failures == report.failures)
  }

  // 2.4-7 of Docs/old-apps.md
  @Test(
    "an unknown destination keeps its own name, and a blank one is nil")
  func unknownDestination() async throws {
    let (metro, _) = Self.metro(
      .json(text: BoardRows.json(Self.rows + [BoardRows.row("七張站", "月球站", 0)])))
    try await metro.refresh()
    var arrival = try #require(try await metro.board().arrivals.last)
    #expect(metro.destination(of: arrival) == "月球站")
    #expect(metro.check(guess: "月球站", for: arrival).isRight)
    for guess in ["", " ", "站", "火星站"] {
      #expect(!metro.check(guess: guess, for: arrival).isRight, "\(guess)")
    }
    arrival.destinationName = ""
    #expect(metro.destination(of: arrival) == nil)
    for guess in ["", " ", "站", "月球站"] {
      #expect(!metro.check(guess: guess, for: arrival).isRight, "\(guess)")
    }
  }

  @Test("unknown stations are kept with their names and distinguished")
  func unknownStations() async throws {
    let (metro, _) = Self.metro(
      .json(text: BoardRows.json(Self.rows + [BoardRows.row("火星站", "月球站", 0)])))
    try await metro.refresh()
    let board = try await metro.board()
    #expect(board.arrivals.count == 3)
    #expect(board.unresolvedNames == ["火星站", "月球站"])
  }
}
