import FieldFakes
import FieldTesting
import Foundation
import MetroKit
import TestSupport
import Testing

/// A custom store that keeps the JSON of the board, as an app's own database would.
private actor JSONRepository: RecordStore {
  private var row: Data?
  private var checkpoint: Checkpoint?
  private var revision = Revision.zero
  private(set) var saves = 0
  private(set) var isOpen = true

  func snapshot() async throws -> Snapshot<ArrivalBoard> {
    let boards = try row.map { [try JSONDecoder().decode(ArrivalBoard.self, from: $0)] } ?? []
    return Snapshot(boards, revision: revision, checkpoint: checkpoint)
  }

  func commit(
    _ changes: Changes<ArrivalBoard>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    let before = try await snapshot()
    if let expecting, expecting != revision { throw FieldError(.conflict, "another came first") }
    let after = before.applying(changes, checkpoint: checkpoint)
    row = try after.first.map { try JSONEncoder().encode($0) }
    if row != nil { saves += 1 }
    self.checkpoint = after.checkpoint
    revision = after.revision
    return revision
  }

  nonisolated func updates() -> SnapshotUpdates<ArrivalBoard> {
    SnapshotUpdates { AsyncStream { $0.finish() } }
  }

  func close() async throws { isOpen = false }
}

/// A source of which no row can be read.
private struct FailingRows: RecordSource {
  let failures: [RowFailure]
  var dataSource: DataSource? { .boardRows }
  func fetch(_ request: RecordRequest) async throws -> Batch<Arrival> {
    Batch(records: [], failures: failures)
  }
}

/// A store whose disk is full.
private struct FullRepository: RecordStore {
  struct Full: Error {}
  var failsToLoad = false

  func open() async throws -> OpeningReport {
    if failsToLoad { throw Full() }
    return OpeningReport(recordCount: 0)
  }
  func snapshot() async throws -> Snapshot<ArrivalBoard> {
    if failsToLoad { throw Full() }
    return Snapshot([])
  }
  func commit(
    _ changes: Changes<ArrivalBoard>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision { throw Full() }
  func updates() -> SnapshotUpdates<ArrivalBoard> { SnapshotUpdates { throw Full() } }
}

@Suite("The repository of the last board", .timeLimit(.minutes(60)))
struct RepositoryTests {
  private let clock = ManualClock(now: BoardRows.noon)
  private static let rows = [
    BoardRows.row("七張站", "松山站", -3), BoardRows.row("木柵站", "動物園站", 50),
  ]

  @Test("a custom repository serves a metro as well as the stored one")
  func ownRepository() async throws {
    let own = JSONRepository()
    let stored = InMemoryStore<ArrivalBoard>()
    for repository in [own, stored] as [any ArrivalRepository] {
      let metro = Metro(
        source: ScriptedFeed(.rows(Self.rows)), repository: repository, clock: clock)
      #expect(try await metro.open().recordCount == 0)
      #expect(try await metro.board().isEmpty)
      try await metro.refresh()
      #expect(try await metro.board().arrivals.names == ["七張站→松山站", "木柵站→動物園站"])
      #expect(try await metro.open().recordCount == 1)
      try await metro.eraseAll()
      #expect(try await metro.board().fetchedAt == nil)
      try await metro.close()
    }
    #expect(await own.saves == 1)
    #expect(await own.isOpen == false)
  }

  @Test("a board is replaced in one commit")
  func oneCommit() async throws {
    let store = InMemoryStore<ArrivalBoard>()
    let metro = Metro(
      source: ScriptedFeed(.rows(Self.rows), .rows([Self.rows[1]])),
      repository: store, clock: clock)
    try await metro.refresh()
    #expect(try await store.snapshot().revision.number == 1)
    try await metro.refresh()
    let snapshot = try await store.snapshot()
    #expect(snapshot.revision.number == 2)
    #expect(snapshot.count == 1)
    #expect(snapshot.checkpoint?.lastSuccess == clock.now)
    #expect(snapshot.first?.arrivals.count == 1)
  }

  @Test(
    "a restart keeps order, age, and how long rows have been frozen",
    arguments: [Durability.full, .deferred])
  func restart(durability: Durability) async throws {
    let folder = try TemporaryFolder()
    let storage = Storage.directory(folder.url, durability: durability)
    let first = Metro(source: ScriptedFeed(.rows(Self.rows)), storage: storage, clock: clock)
    try await first.refresh()
    try await first.close()
    clock.advance(by: .seconds(100))
    let second = Metro(
      source: ScriptedFeed(.rows(Self.rows)), storage: .directory(folder.url), clock: clock)
    #expect(try await second.board().age == .seconds(100))
    #expect(try await second.lastRefresh == BoardRows.noon)
    try await second.refresh()
    let board = try await second.board()
    #expect(board.arrivals.names == ["七張站→松山站", "木柵站→動物園站"])
    #expect(board.freshness(of: board.arrivals[1]) == .frozen)
    #expect(board.age == .zero)
    try await second.close()
  }

  @Test(
    "an unchanged source confirms the board: its age is reset, its rows are frozen")
  func notModified() async throws {
    let feed = ScriptedFeed(.rows(Self.rows), .notModified)
    let metro = Metro(source: feed, storage: .inMemory, clock: clock)
    try await metro.refresh()
    clock.advance(by: .seconds(100))
    let report = try await metro.refresh()
    #expect((report.outcome, report.unchanged) == (.notModified, 2))
    let board = try await metro.board()
    #expect(board.age == .zero)
    #expect(board.freshness(of: board.arrivals[1]) == .frozen)
  }

  @Test("a board requested before everything was erased isn't stored")
  func erasedMeanwhile() async throws {
    let repository = InMemoryStore<ArrivalBoard>()
    let gate = ScriptedFeed.Gate()
    let feed = ScriptedFeed(.gate(gate, Self.rows), .rows(Self.rows))
    let metro = Metro(source: feed, repository: repository, clock: clock)
    let refresh = Task { try await metro.refresh() }
    try await eventually { !feed.requests.isEmpty }
    try await metro.eraseAll()
    gate.open()
    let error = await #expect(throws: FieldError.self) { try await refresh.value }
    #expect(error?.code == .conflict)
    #expect(try await repository.snapshot().isEmpty)
    #expect(try await metro.refresh().added == 2)
  }

  @Test("a repository that can't write fails the refresh with its own underlying error")
  func cannotWrite() async throws {
    let metro = Metro(
      source: ScriptedFeed(.rows(Self.rows)), repository: FullRepository(), clock: clock)
    let error = await #expect(throws: FieldError.self) { try await metro.refresh() }
    #expect(error?.underlying is FullRepository.Full)
    #expect(try await metro.board().lastFailure != nil)
    let erasing = await #expect(throws: FieldError.self) { try await metro.eraseAll() }
    #expect(erasing?.underlying is FullRepository.Full)
  }

  @Test(
    "a repository that can't read is an error of board(), and a reported failure when polling")
  func cannotRead() async throws {
    let metro = Metro(
      source: ScriptedFeed(.rows(Self.rows)), repository: FullRepository(failsToLoad: true),
      clock: clock)
    await #expect(throws: FieldError.self) { try await metro.board() }
    var boards = metro.boards(every: .seconds(15)).makeAsyncIterator()
    let board = try #require(await boards.next())
    #expect(board.isEmpty)
    #expect(board.lastFailure != nil)
  }

  @Test(
    "a response without usable rows is rejected, whether there is a board or not",
    arguments: [true, false])
  func noRows(hasBoard: Bool) async throws {
    let feed = ScriptedFeed(.rows(hasBoard ? Self.rows : []), .rows([]))
    let metro = Metro(source: feed, storage: .inMemory, clock: clock)
    if hasBoard { try await metro.refresh() }
    let error = await #expect(throws: FieldError.self) { try await metro.refresh() }
    #expect(error?.code == .emptyFeed)
    let board = try await metro.board()
    #expect(board.arrivals.count == (hasBoard ? 2 : 0))
    #expect((board.fetchedAt == nil) == !hasBoard)
    #expect(board.lastFailure?.code == .emptyFeed)
    #expect(error?.message.contains("last board with 2 rows is kept") == hasBoard)
  }

  @Test("a response without readable rows is malformed, and the last board stays")
  func onlyFailures() async throws {
    let failure = RowFailure(index: 0, excerpt: "{}", reason: "it names no station")
    let feed = FailingRows(failures: [failure])
    let metro = Metro(source: feed, storage: .inMemory, clock: clock)
    let error = await #expect(throws: FieldError.self) { try await metro.refresh() }
    #expect(error?.code == .malformed)
    #expect(error?.message.contains("it names no station") == true)
  }

  @Test("canceling a refresh keeps the last board and isn't a failure")
  func cancelledRefresh() async throws {
    let gate = ScriptedFeed.Gate()
    let feed = ScriptedFeed(.rows(Self.rows), .gate(gate, []))
    let metro = Metro(source: feed, storage: .inMemory, clock: clock)
    try await metro.refresh()
    let task = Task { try await metro.refresh() }
    try await eventually { feed.count == 2 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let board = try await metro.board()
    #expect(board.arrivals.count == 2)
    #expect(board.lastFailure == nil)
    gate.open()
  }
}
