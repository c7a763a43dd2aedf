import FieldFakes
import FieldTesting
import Foundation
import MetroKit
import TestSupport
import Testing

/// What went wrong in the old app (Docs/old-apps.md), as far as boards and refreshes are concerned. Answers
/// that are no board have a suite of their own, and lines 2, 3, 4 and 8 are of reading.
@Suite("What the old metro app got wrong", .timeLimit(.minutes(60)))
struct MetroOldFaultTests {
  private static let rows = [
    BoardRows.row("七張站", "松山站", -3), BoardRows.row("士林站", "象山站", -5),
  ]

  // 2.4-5 of Docs/old-apps.md
  @Test("two concurrent refreshes are one request, and no row is duplicated")
  func twoAtOnce() async throws {
    let gate = ScriptedFeed.Gate()
    let feed = ScriptedFeed(.gate(gate, Self.rows))
    let metro = Metro(
      source: feed, storage: .inMemory, clock: ManualClock(now: BoardRows.noon))
    async let first = metro.refresh()
    try await eventually { feed.count == 1 }
    async let second = metro.refresh(.now)
    try await letOthersRun()
    gate.open()
    let reports = try await [first, second]
    #expect(reports[0] == reports[1])
    #expect(feed.count == 1)
    #expect(try await metro.board().arrivals.count == 2)
  }

  // 2.4-5 of Docs/old-apps.md
  @Test(
    "a reader during a replacement sees the old board or the new one, never a mixture")
  func swappedWhole() async throws {
    let small = [BoardRows.row("淡水站", "象山站", 0)]
    let big = (0..<60).map { BoardRows.row("台北車站", "淡水站", $0 - 60) }
    let feed = AlternatingFeed(small, big)
    let metro = Metro(
      source: feed, storage: .inMemory, clock: ManualClock(now: BoardRows.noon))
    try await metro.refresh()
    let sizes = try await withThrowingTaskGroup(of: Set<Int>.self) { group in
      for _ in 0..<4 {
        group.addTask {
          var sizes: Set<Int> = []
          for _ in 0..<100 {
            let board = try await metro.board()
            sizes.insert(board.arrivals.count)
          }
          return sizes
        }
      }
      for _ in 0..<50 { try await metro.refresh() }
      return try await group.reduce(into: Set<Int>()) { $0.formUnion($1) }
    }
    #expect(sizes.isSubset(of: [1, 60]))
  }

  // 2.4-6 of Docs/old-apps.md
  @Test(
    "a failed refresh keeps the last board and its age; the next success clears the failure")
  func failureKeepsTheBoard() async throws {
    let clock = ManualClock(now: BoardRows.noon)
    let feed = ScriptedFeed(
      .rows(Self.rows), .failure(FieldError(.offline, "no network")), .rows(Self.rows))
    let metro = Metro(source: feed, storage: .inMemory, clock: clock)
    try await metro.refresh()
    clock.advance(by: .seconds(600))
    await #expect(throws: FieldError.self) { try await metro.refresh() }
    let board = try await metro.board()
    #expect(board.arrivals.count == 2)
    #expect(board.age == .seconds(600))
    #expect(board.lastFailure?.code == .offline)
    #expect(board.fresh.isEmpty)
    #expect(try await metro.lastRefresh == BoardRows.noon)
    try await metro.refresh()
    #expect(try await metro.board().lastFailure == nil)
    #expect(try await metro.board().age == .zero)
  }

  // 2.4-6 of Docs/old-apps.md
  @Test("the last board and its age survive a restart")
  func restart() async throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock(now: BoardRows.noon)
    let first = Metro(
      source: ScriptedFeed(.rows(Self.rows)), storage: .directory(folder.url), clock: clock)
    try await first.refresh()
    let kept = try await first.board()
    try await first.close()
    clock.advance(by: .seconds(7200))
    let offline = ScriptedFeed(.failure(FieldError(.offline, "no network")))
    let second = Metro(source: offline, storage: .directory(folder.url), clock: clock)
    #expect(try await second.open().recordCount == 1)
    await #expect(throws: FieldError.self) { try await second.refresh() }
    let board = try await second.board()
    #expect(board.arrivals == kept.arrivals)
    #expect(board.age == .seconds(7200))
    #expect(board.stale.count == 2)
    try await second.close()
  }
}

/// A source that gives two boards in turn.
private final class AlternatingFeed: RecordSource {
  private let boards: [[Arrival]]
  private let count = Lock(0)

  init(_ boards: [Arrival]...) { self.boards = boards }

  var dataSource: DataSource? { .boardRows }

  func fetch(_ request: RecordRequest) async throws -> Batch<Arrival> {
    let turn = count.withLock { count in
      count += 1
      return count
    }
    return BoardRows.rows(boards[turn % boards.count])
  }
}
