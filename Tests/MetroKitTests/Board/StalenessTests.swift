import Foundation
import MetroKit
import TestSupport
import Testing

@Suite("Fresh, stale, and undated rows")
struct StalenessTests {
  private static let policy = StalenessPolicy()

  @Test(
    "a row is fresh up to 90 seconds in the past and a minute in the future, inclusive",
    arguments: [
      (0, ArrivalFreshness.fresh), (-90, .fresh), (-91, .old), (60, .fresh), (61, .ahead),
      (-3600, .old), (28, .fresh),
    ])
  func limits(seconds: Int, verdict: ArrivalFreshness) throws {
    let board = BoardRows.board(BoardRows.row("淡水站", "象山站", seconds))
    #expect(board.freshness(of: board.arrivals[0]) == verdict)
    #expect(board.fresh.count == (verdict == .fresh ? 1 : 0))
    #expect(board.stale.count == (verdict.isStale ? 1 : 0))
  }

  @Test(
    "the limits of freshness are inclusive to the millisecond, whatever the fraction",
    arguments: Sample.of(0..<1000, 60))
  func fractions(millisecond: Int) throws {
    let digits = String(String(1000 + millisecond).dropFirst())
    let board = BoardRows.board(
      BoardRows.row("淡水站", "象山站", "2024-10-18T11:39:30.\(digits)"),
      BoardRows.row("淡水站", "北投站", "2024-10-18T11:42:00.\(digits)"))
    // Half past eleven and 90 seconds, as a clock that counts from 1970 has it.
    let moment = Date(timeIntervalSince1970: 1_729_222_860 + Double(millisecond) / 1000)
    #expect(board.evaluatingFreshness(at: moment).fresh.count == 2)
    #expect(
      board.evaluatingFreshness(at: moment.addingTimeInterval(0.001)).stale.names == ["淡水站→象山站"])
    #expect(
      board.evaluatingFreshness(at: moment.addingTimeInterval(-0.001)).stale.names == ["淡水站→北投站"])
  }

  @Test(
    "a row without a valid time is kept, neither fresh nor stale",
    arguments: ["", "soon", "99999999999999"])
  func undated(time: String) throws {
    let board = BoardRows.board(
      BoardRows.row("淡水站", "象山站", time), BoardRows.row("北投站", "大安站", -5))
    #expect(board.arrivals.count == 2)
    #expect(board.undated.names == ["淡水站→象山站"])
    #expect(board.fresh.names == ["北投站→大安站"])
    #expect(board.stale.isEmpty)
    #expect(board.age(of: board.arrivals[0]) == nil)
  }

  @Test("every row is exactly one of fresh, stale, and undated, at any moment")
  func partition() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let times = (0..<12).map { _ in
        Int.random(in: 0..<10, using: &generator) == 0
          ? "?" : BoardRows.time(Int.random(in: -300...300, using: &generator))
      }
      let rows = BoardRows.rows(times.map { BoardRows.row("淡水站", "象山站", $0) })
      let board = ArrivalBoard(rows.records, fetchedAt: BoardRows.noon)
        .evaluatingFreshness(
          at: BoardRows.noon.addingTimeInterval(.random(in: -200...200, using: &generator)))
      #expect(
        board.fresh.count + board.stale.count + board.undated.count == board.arrivals.count,
        "seed 7")
    }
  }

  @Test("a board with wrong times becomes stale by itself")
  func growsStale() throws {
    let board = BoardRows.board(BoardRows.row("淡水站", "象山站", 0))
    #expect(board.fresh.count == 1)
    let later = board.evaluatingFreshness(at: BoardRows.noon.addingTimeInterval(91))
    #expect(later.fresh.isEmpty)
    #expect(later.stale.count == 1)
    #expect(later.age == .seconds(91))
    #expect(later.age(of: later.arrivals[0]) == .seconds(91))
  }

  @Test(
    "ages use the server's clock, so a phone that is ten minutes slow shows no ghosts")
  func serverClock() throws {
    let slow = BoardRows.noon.addingTimeInterval(-600)
    let rows = [BoardRows.row("淡水站", "象山站", -5), BoardRows.row("木柵站", "動物園站", -590)]
    let read = BoardRows.rows(rows)
    let board = ArrivalBoard(read.records, fetchedAt: slow, serverDate: BoardRows.noon)
    #expect(board.fresh.names == ["淡水站→象山站"])
    #expect(board.stale.names == ["木柵站→動物園站"])
    #expect(board.age(of: board.arrivals[0]) == .seconds(5))
    var device = board
    device.policy.usesServerClock = false
    #expect(device.freshness(of: device.arrivals[0]) == .ahead)
  }

  @Test("a row whose time doesn't change between boards is frozen, even if it is in the future")
  func frozen() throws {
    let ghost = BoardRows.row("木柵站", "動物園站", 50)
    let moving = { (seconds: Int) in BoardRows.row("淡水站", "象山站", seconds) }
    var board = BoardRows.board(ghost, moving(0))
    #expect(board.stale.isEmpty)
    for seconds in stride(from: 30, through: 120, by: 30) {
      let next = BoardRows.board(
        ghost, moving(seconds), at: BoardRows.noon.addingTimeInterval(Double(seconds)))
      board = board.followed(by: next)
      let verdict = board.freshness(of: board.arrivals[0])
      #expect(verdict == (seconds > 90 ? .frozen : .fresh), "\(seconds)")
      #expect(board.freshness(of: board.arrivals[1]) == .fresh)
    }
    // Its time moves: it is news again.
    let woken = BoardRows.board(
      BoardRows.row("木柵站", "動物園站", 150), at: BoardRows.noon.addingTimeInterval(150))
    #expect(board.followed(by: woken).fresh.count == 1)
  }

  @Test("frozen rows are found if the device's clock is far behind and no server reports the time")
  func frozenWithAWrongClock() throws {
    let ghost = BoardRows.row("木柵站", "動物園站", -60)
    let slow = BoardRows.noon.addingTimeInterval(-100)
    let first = BoardRows.board(ghost, at: slow)
    #expect(first.fresh.count == 1)
    let second = BoardRows.board(ghost, at: slow.addingTimeInterval(95))
    #expect(first.followed(by: second).stale.count == 1)
  }

  @Test("a clock that was set back between boards freezes no row")
  func clockSetBack() throws {
    let row = BoardRows.row("淡水站", "象山站", 0)
    let first = BoardRows.board(row)
    let second = BoardRows.board(row, at: BoardRows.noon.addingTimeInterval(-50))
    let board = first.followed(by: second)
    #expect(board.freshness(of: board.arrivals[0]) == .fresh)
  }

  @Test("the limits of fresh and stale rows are configurable")
  func policy() throws {
    let rows = BoardRows.rows([
      BoardRows.row("淡水站", "象山站", -600), BoardRows.row("北投站", "大安站", 90),
    ])
    let lenient = StalenessPolicy(maximumAge: .seconds(900), maximumLead: .seconds(120))
    let board = ArrivalBoard(rows.records, fetchedAt: BoardRows.noon, policy: lenient)
    #expect(board.fresh.count == 2)
  }
}
