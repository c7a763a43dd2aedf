import FieldFakes
import Foundation
import MetroKit
import TestSupport
import Testing

@Suite("Results of queries of boards", .timeLimit(.minutes(60)))
struct BoardQueryTests {
  private let clock = ManualClock(now: BoardRows.noon)

  @Test("the trains of a query come again for a new and for a stale one, and for nothing else")
  func results() async throws {
    let here = BoardRows.row("淡水站", "象山站", 0)
    let there = BoardRows.row("士林站", "象山站", 0)
    let next = BoardRows.row("淡水站", "大安站", 0)
    let feed = ScriptedFeed(
      .rows([here]), .rows([here, there]), .failure(FieldError(.offline, "There is no network.")),
      .rows([there, next]))
    let metro = Metro(source: feed, storage: .inMemory, clock: clock)
    try await metro.refresh()
    let (queried, found) = (Lock(0), Lock<[[String]]>([]))
    let task = Task {
      let results = metro.updates { board in
        queried.withLock { $0 += 1 }
        return board.arrivals(at: "淡水", freshOnly: true).names
      }
      for try await names in results { found.withLock { $0.append(names) } }
    }
    try await eventually { found.withLock(\.self) == [[here].names] }

    try await metro.refresh()
    try await eventually { queried.withLock(\.self) == 2 }
    await #expect(throws: FieldError.self) { try await metro.refresh() }
    try await eventually { queried.withLock(\.self) == 3 }
    #expect(found.withLock(\.count) == 1)

    try await metro.refresh()
    try await eventually { found.withLock(\.last) == [next].names }
    try await eventually { clock.sleeperCount == 1 }
    clock.advance(by: .milliseconds(90_001))
    try await eventually { found.withLock(\.last) == [] }
    #expect(found.withLock(\.count) == 3)
    try await metro.close()
    try await task.value
  }

  @Test("the results of queries throw the error of a store that can't be opened, and of a query")
  func errors() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "file")
    try Data().write(to: file)
    let broken = Metro(
      source: ScriptedFeed(.rows([])), storage: .directory(file), clock: clock)
    var counts = broken.updates { $0.arrivals.count }.makeAsyncIterator()
    await #expect(throws: FieldError.self) { try await counts.next() }

    let metro = Metro(
      source: ScriptedFeed(.rows([BoardRows.row("淡水站", "象山站", 0)])), storage: .inMemory,
      clock: clock)
    try await metro.refresh()
    var failing = metro.updates { _ -> Int in
      throw FieldError(.invalidInput, "This isn't a query.")
    }.makeAsyncIterator()
    let error = await #expect(throws: FieldError.self) { try await failing.next() }
    #expect(error?.code == .invalidInput)
    #expect(try await failing.next() == nil)
  }
}
