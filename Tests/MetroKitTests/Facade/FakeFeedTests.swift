import FieldFakes
import Foundation
import MetroKit
import TestSupport
import Testing

/// The whole metro over the fake feed, as an app has it: today's form, server dates, validators.
@Suite("A metro with today's feed", .timeLimit(.minutes(60)))
struct FakeFeedTests {
  private let clock = ManualClock(now: BoardRows.noon)

  /// Two lines whose trains do not all enter at once, so that some are entering at any time.
  private static let lines = [("R", 107), ("BR", 83)].map { line, seconds in
    FakeMetroFeed.Line(
      id: line,
      stations: MetroNetwork.taipei.stations(of: MetroLine.ID(rawValue: line)).map {
        .init($0.name, $0.englishName, $0.codes[0].rawValue)
      },
      runTime: .seconds(seconds), headway: .seconds(251))
  }

  @Test("a metro has fresh trains, detects ghosts, and advances with the time")
  func movesOn() async throws {
    let ghost = FakeMetroFeed.FrozenTrain(
      station: "木柵站", destination: "動物園站", date: BoardRows.noon.addingTimeInterval(-24_087))
    let fake = FakeMetroFeed(clock: clock, lines: Self.lines, frozen: [ghost])
    let metro = Metro(storage: .inMemory, transport: fake, clock: clock)
    var seen: Set<Arrival.ID> = []
    for _ in 0..<10 {
      let report = try await metro.refresh()
      #expect(report.failures.isEmpty)
      let board = try await metro.board()
      #expect(board.stale.names == ["木柵站→動物園站"])
      #expect(board.fresh.count == board.arrivals.count - 1)
      #expect(board.unresolvedNames.isEmpty)
      seen.formUnion(board.arrivals.map(\.id))
      clock.advance(by: .seconds(30))
    }
    #expect(seen.count > 10)
  }

  @Test("a metro learns from the server that nothing has changed, and confirms the board")
  func notModified() async throws {
    let fake = FakeMetroFeed(clock: clock, lines: Self.lines, interval: .seconds(3600))
    let metro = Metro(storage: .inMemory, transport: fake, clock: clock)
    try await metro.refresh()
    let before = try await metro.board()
    clock.advance(by: .seconds(10))
    #expect(try await metro.refresh().outcome == .notModified)
    let after = try await metro.board()
    #expect(after.arrivals == before.arrivals)
    #expect(after.age == .zero)
    #expect(fake.requests.last?.fields["If-None-Match"] != nil)
  }

  @Test("a metro sends validators after a restart, and none after the board has been erased")
  func validators() async throws {
    let folder = try TemporaryFolder()
    let fake = FakeMetroFeed(clock: clock, lines: Self.lines, interval: .seconds(3600))
    let first = Metro(storage: .directory(folder.url), transport: fake, clock: clock)
    try await first.refresh()
    try await first.close()
    let again = Metro(storage: .directory(folder.url), transport: fake, clock: clock)
    try await again.refresh()
    #expect(fake.requests.last?.fields["If-None-Match"] != nil)
    try await again.eraseAll()
    try await again.refresh()
    #expect(fake.requests.last?.fields["If-None-Match"] == nil)
    try await again.close()
  }

  @Test("a metro measures ages by the server's date if the device's clock is wrong")
  func wrongClock() async throws {
    let device = ManualClock(now: BoardRows.noon.addingTimeInterval(-1800))
    let fake = FakeMetroFeed(clock: clock, lines: Self.lines)
    let metro = Metro(storage: .inMemory, transport: fake, clock: device)
    try await metro.refresh()
    let board = try await metro.board()
    #expect(!board.arrivals.isEmpty)
    #expect(board.fresh == board.arrivals)
  }

  @Test(
    "a metro keeps its board on every bad day of the feed, and continues afterward",
    arguments: [
      FakeMetroFeed.Failure.webPage, .cut(after: 100), .noRows, .noBody, .serverError,
    ])
  func badDays(failure: FakeMetroFeed.Failure) async throws {
    let immediate = ImmediateClock(now: BoardRows.noon)
    let fake = FakeMetroFeed(clock: immediate, lines: Self.lines)
    let metro = Metro(storage: .inMemory, transport: fake, clock: immediate)
    try await metro.refresh()
    let before = try await metro.board()
    fake.fail(failure)
    try await immediate.sleep(for: .seconds(60))
    await #expect(throws: FieldError.self) { try await metro.refresh() }
    let board = try await metro.board()
    #expect(board.arrivals == before.arrivals)
    #expect(board.fetchedAt == before.fetchedAt)
    #expect(board.lastFailure != nil)
    fake.fail(nil)
    try await metro.refresh()
    #expect(try await metro.board().lastFailure == nil)
  }
}
