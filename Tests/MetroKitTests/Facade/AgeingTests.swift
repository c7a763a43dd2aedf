import FieldFakes
import Foundation
import MetroKit
import TestSupport
import Testing

@Suite("Boards as time passes", .timeLimit(.minutes(60)))
struct AgeingTests {
  private let clock = ManualClock(now: BoardRows.noon)

  private func metro(_ rows: Arrival...) -> Metro {
    Metro(source: ScriptedFeed(.rows(rows)), storage: .inMemory, clock: clock)
  }

  /// A train with a countdown of so many seconds as of noon.
  private static func train(_ seconds: Int) -> Arrival {
    Arrival(
      stationName: "淡水站", destinationName: "象山站", updatedAt: FeedTime(BoardRows.time(0)),
      countdown: Arrival.Countdown(seconds: seconds))
  }

  @Test(
    "board updates come to the millisecond when a row becomes stale or fresh, and sleep in between")
  func verdicts() async throws {
    // One is 10 seconds old, one 70 seconds ahead, and one stays undated.
    let metro = metro(
      BoardRows.row("淡水站", "象山站", -10), BoardRows.row("士林站", "淡水站", 70),
      BoardRows.row("士林站", "象山站", "?"))
    try await metro.refresh()
    var boards = metro.updates().makeAsyncIterator()
    let first = try #require(await boards.next())
    #expect((first.fresh.count, first.stale.count, first.undated.count) == (1, 1, 1))

    let expected: [(wait: Duration, fresh: Int, stale: Int)] = [
      (.seconds(10), 2, 0), (.milliseconds(70_001), 1, 1), (.seconds(80), 0, 2),
    ]
    for (wait, fresh, stale) in expected {
      #expect(try await clock.nextSleep() == wait)
      clock.advance(by: wait)
      let board = try #require(await boards.next())
      #expect((board.fresh.count, board.stale.count) == (fresh, stale))
      #expect(board.changes?.isEmpty == true)
    }
    // Nothing can change anymore, so nothing sleeps.
    try await eventually { clock.sleeperCount == 0 }
    #expect(try await metro.board().nextChange == nil)
  }

  @Test("board updates come when a countdown is down to another full minute, and to zero")
  func countdowns() async throws {
    let metro = Metro(
      source: ScriptedFeed(.rows([Self.train(150)])), storage: .inMemory, clock: clock,
      staleness: StalenessPolicy(maximumAge: .seconds(200)))
    try await metro.refresh()
    var boards = metro.updates().makeAsyncIterator()
    let first = try #require(await boards.next())
    #expect(first.remaining(of: first.arrivals[0]) == .seconds(150))
    for (wait, left) in [(30, 120), (60, 60), (60, 0)] {
      #expect(try await clock.nextSleep() == .seconds(wait))
      clock.advance(by: .seconds(wait))
      let board = try #require(await boards.next())
      #expect(board.remaining(of: board.arrivals[0]) == .seconds(left))
    }
    #expect(try await clock.nextSleep() == .milliseconds(50_001))
    clock.advance(by: .milliseconds(50_001))
    #expect(await boards.next()?.stale.count == 1)
  }

  @Test("a new board replaces the timer of the last one")
  func newBoard() async throws {
    let feed = ScriptedFeed(
      .rows([BoardRows.row("淡水站", "象山站", 0)]), .rows([BoardRows.row("淡水站", "象山站", 20)]))
    let metro = Metro(source: feed, storage: .inMemory, clock: clock)
    try await metro.refresh()
    var boards = metro.updates().makeAsyncIterator()
    _ = await boards.next()
    #expect(try await clock.nextSleep() == .milliseconds(90_001))
    clock.advance(by: .seconds(30))
    try await metro.refresh()
    #expect(await boards.next()?.changes?.arrived.count == 1)
    #expect(try await clock.nextSleep() == .milliseconds(80_001))
    try await eventually { clock.sleeperCount == 1 }
  }

  @Test("polling also ages the rows between polls, and while the source doesn't answer")
  func betweenPolls() async throws {
    let gate = ScriptedFeed.Gate()
    let row = BoardRows.row("淡水站", "象山站", -60)
    let feed = ScriptedFeed(
      .rows([row, BoardRows.row("士林站", "象山站", 0)]), .gate(gate, [row]))
    let metro = Metro(source: feed, storage: .inMemory, clock: clock, random: { 0 })
    var boards = metro.boards(every: .seconds(60)).makeAsyncIterator()
    #expect(await boards.next()?.fresh.count == 2)
    let sleeps: Set = [try await clock.nextSleep(), try await clock.nextSleep()]
    #expect(sleeps == [.milliseconds(30_001), .seconds(60)])

    clock.advance(by: .milliseconds(30_001))
    let between = try #require(await boards.next())
    #expect((between.fresh.count, between.stale.count, feed.count) == (1, 1, 1))
    #expect(between.changes?.isEmpty == true)
    #expect(try await clock.nextSleep() == .seconds(60))

    // The poll is due, and gets no answer.
    clock.advance(by: .milliseconds(29_999))
    try await eventually { feed.count == 2 }
    clock.advance(by: .milliseconds(30_001))
    let hanging = try #require(await boards.next())
    #expect((hanging.fresh.count, hanging.stale.count, feed.count) == (0, 2, 2))
    #expect(hanging.lastFailure == nil)
    // Nothing can change anymore, so nothing sleeps.
    try await eventually { clock.sleeperCount == 0 }
    gate.open()
    #expect(await boards.next()?.arrivals.count == 1)
  }

  @Test("canceling, leaving, and closing end the timer, and updates send no request")
  func ends() async throws {
    let feed = ScriptedFeed(.rows([BoardRows.row("淡水站", "象山站", 0)]))
    let metro = Metro(source: feed, storage: .inMemory, clock: clock)
    try await metro.refresh()
    let listener = Task {
      for await _ in metro.updates() {}
    }
    _ = try await clock.nextSleep()
    listener.cancel()
    await listener.value
    try await eventually { clock.sleeperCount == 0 }

    for await _ in metro.updates().prefix(1) {}
    try await eventually { clock.sleeperCount == 0 }

    let last = Task {
      for await _ in metro.updates() {}
    }
    _ = try await clock.nextSleep()
    try await metro.close()
    await last.value
    try await eventually { clock.sleeperCount == 0 }
    #expect(feed.count == 1)
  }
}
