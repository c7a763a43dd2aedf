import FieldFakes
import Foundation
import MetroKit
import TestSupport
import Testing

@Suite("Repeated boards", .timeLimit(.minutes(60)))
struct PollingTests {
  private let clock = ManualClock(now: BoardRows.noon)

  private func metro(
    _ feed: any RecordSource<Arrival>, storage: Storage = .inMemory,
    staleness: StalenessPolicy = StalenessPolicy(), polling: PollingPolicy = PollingPolicy(),
    random: @escaping @Sendable () -> Double = { 0 }
  ) -> Metro {
    Metro(
      source: feed, storage: storage, clock: clock, staleness: staleness, polling: polling,
      random: random)
  }

  private static func rows(_ seconds: Int) -> [Arrival] { [BoardRows.row("淡水站", "象山站", seconds)] }
  private static let offline = ScriptedFeed.Step.failure(FieldError(.offline, "no network"))

  @Test("the stored board arrives immediately, and the source is queried immediately")
  func storedFirst() async throws {
    let feed = ScriptedFeed(.rows(Self.rows(0)), .rows(Self.rows(5)))
    let metro = metro(feed)
    try await metro.refresh()
    var boards: [ArrivalBoard] = []
    for await board in metro.boards(every: .seconds(15)).prefix(2) { boards.append(board) }
    #expect(
      boards.map { $0.arrivals[0].updatedAt?.rawText } == [BoardRows.time(0), BoardRows.time(5)])
    #expect(feed.count == 2)
    #expect(boards[0].changes == nil)
    #expect(boards[1].changes?.arrived.count == 1)
  }

  @Test("the first board arrives with the source's response if none is stored")
  func nothingStored() async throws {
    let feed = ScriptedFeed(.rows(Self.rows(0)))
    var boards = metro(feed).boards(every: .seconds(15)).makeAsyncIterator()
    let first = try #require(await boards.next())
    #expect(first.arrivals.count == 1)
    #expect(first.changes == nil)
  }

  @Test("a failed poll returns the last board and reports it; delays grow until a success")
  func failures() async throws {
    let feed = ScriptedFeed(
      .rows(Self.rows(0)), Self.offline, Self.offline, Self.offline, .rows(Self.rows(5)))
    // No row ages meanwhile, so each board is one of a poll.
    let staleness = StalenessPolicy(maximumAge: .seconds(3600))
    var boards = metro(feed, staleness: staleness).boards(every: .seconds(15)).makeAsyncIterator()
    #expect(await boards.next()?.lastFailure == nil)
    for expected in [15, 15, 30] {
      let wait = try await clock.nextPoll()
      #expect(wait == .seconds(expected))
      clock.advance(by: wait)
      let board = try #require(await boards.next())
      #expect(board.lastFailure?.code == .offline)
      #expect(board.arrivals.count == 1)
      #expect(board.changes?.isEmpty == true)
    }
    let wait = try await clock.nextPoll()
    #expect(wait == .seconds(60))
    clock.advance(by: wait)
    let board = try #require(await boards.next())
    #expect(board.lastFailure == nil)
    #expect(board.changes?.arrived.count == 1)
    #expect(board.age == .zero)
    #expect(try await clock.nextPoll() == .seconds(15))
  }

  @Test("a board's freshness is evaluated when it is delivered")
  func evaluatedAtDelivery() async throws {
    let feed = ScriptedFeed(.rows(Self.rows(0)), Self.offline)
    var boards = metro(feed).boards(every: .seconds(120)).makeAsyncIterator()
    #expect(await boards.next()?.fresh.count == 1)
    clock.advance(by: try await clock.nextPoll())
    let board = try #require(await boards.next())
    #expect(board.fresh.isEmpty)
    #expect(board.age == .seconds(120))
  }

  @Test("delays of polls are lengthened by the injected random number, drawn each time")
  func jitter() async throws {
    let draws = Lock([0.0, 0.5, 1.0])
    let metro = metro(ScriptedFeed(.rows(Self.rows(0)))) {
      draws.withLock { $0.isEmpty ? 0 : $0.removeFirst() }
    }
    var boards = metro.boards(every: .seconds(20)).makeAsyncIterator()
    var waits: [Duration] = []
    for _ in 0..<2 {
      _ = await boards.next()
      let wait = try await clock.nextPoll()
      waits.append(wait)
      clock.advance(by: wait)
    }
    // The first draw was for the poll on opening, which does not wait.
    #expect(waits == [.seconds(21), .seconds(22)])
  }

  @Test("an invalid interval of polls counts as the minimum", arguments: [0, -10, 1])
  func shortestInterval(seconds: Int) async throws {
    let feed = ScriptedFeed(.rows(Self.rows(0)))
    var boards = metro(feed).boards(every: .seconds(seconds)).makeAsyncIterator()
    _ = await boards.next()
    #expect(try await clock.nextPoll() == .seconds(5))
    #expect(feed.count == 1)
  }

  @Test("a hundred listeners share the polls, and each gets every board")
  func hundredListeners() async throws {
    let gate = ScriptedFeed.Gate()
    let feed = ScriptedFeed(
      .gate(gate, Self.rows(0)), .rows(Self.rows(1)), .rows(Self.rows(2)), .rows(Self.rows(3)))
    let metro = metro(feed)
    let heard = Lock(0)
    let times: [[String]] = await withTaskGroup(of: [String].self) { group in
      for _ in 0..<100 {
        group.addTask {
          var times: [String] = []
          for await board in metro.boards(every: .seconds(15)).prefix(4) {
            times.append(board.arrivals[0].updatedAt?.rawText ?? "")
            heard.withLock { $0 += 1 }
          }
          return times
        }
      }
      group.addTask { [clock] in
        // All listen before the first answer comes, and all have heard before time goes on.
        try? await letOthersRun()
        gate.open()
        for turn in 1...3 {
          try? await eventually { heard.withLock { $0 } == 100 * turn }
          guard let wait = try? await clock.nextPoll() else { break }
          clock.advance(by: wait)
        }
        return []
      }
      return await group.reduce(into: []) { if !$1.isEmpty { $0.append($1) } }
    }
    #expect(times.count == 100)
    let expected = (0...3).map { BoardRows.time($0) }
    #expect(times.allSatisfy { $0 == expected })
    #expect(feed.count == 4)
  }

  @Test("a listener with a shorter interval speeds up the polls until it leaves")
  func shortestOfAll() async throws {
    let feed = ScriptedFeed(.rows(Self.rows(0)))
    let metro = metro(feed)
    var slow = metro.boards(every: .seconds(60)).makeAsyncIterator()
    _ = await slow.next()
    #expect(try await clock.nextPoll() == .seconds(60))
    clock.advance(by: .seconds(12))
    let quick = Task {
      var boards = metro.boards(every: .seconds(20)).makeAsyncIterator()
      _ = await boards.next()  // the stored one
      _ = await boards.next()  // never comes: the task is cancelled before
    }
    // 12 of the 20 seconds have passed since the last poll.
    #expect(try await clock.nextPoll() == .seconds(8))
    #expect(feed.count == 1)
    quick.cancel()
    await quick.value
    #expect(try await clock.nextPoll() == .seconds(48))
    clock.advance(by: .seconds(48))
    _ = await slow.next()
    #expect(feed.count == 2)
  }

  @Test("a requested refresh also reaches the listeners of boards")
  func refreshIsHeard() async throws {
    let feed = ScriptedFeed(.rows(Self.rows(0)), .rows(Self.rows(7)))
    let metro = metro(feed)
    var boards = metro.boards(every: .seconds(60)).makeAsyncIterator()
    _ = await boards.next()
    _ = try await clock.nextPoll()
    try await metro.refresh()
    let board = try #require(await boards.next())
    #expect(board.arrivals[0].updatedAt?.rawText == BoardRows.time(7))
    #expect(feed.count == 2)
  }

  @Test("polling stops when the last listener has left, and restarts when one arrives")
  func stops() async throws {
    let feed = ScriptedFeed(.rows(Self.rows(0)))
    let metro = metro(feed)
    do {
      var boards = metro.boards(every: .seconds(15)).makeAsyncIterator()
      _ = await boards.next()
      _ = try await clock.nextPoll()
    }
    try await eventually { clock.sleeperCount == 0 }
    clock.advance(by: .seconds(3600))
    #expect(feed.count == 1)
    var again = metro.boards(every: .seconds(15)).makeAsyncIterator()
    _ = await again.next()
    _ = await again.next()
    #expect(feed.count == 2)
  }

  @Test("a listener that arrives and leaves doesn't cause a request each time")
  func flapping() async throws {
    let feed = ScriptedFeed(.rows(Self.rows(0)))
    let metro = metro(feed)
    for _ in 0..<20 {
      for await _ in metro.boards(every: .seconds(15)).prefix(1) {}
      try await eventually { clock.sleeperCount == 0 }
    }
    #expect(feed.count <= 2)
  }

  @Test("canceling ends a sequence of boards immediately, during a delay and during a request")
  func cancellation() async throws {
    let gate = ScriptedFeed.Gate()
    let feed = ScriptedFeed(.rows(Self.rows(0)), .gate(gate, Self.rows(1)))
    let metro = metro(feed)
    let count = Lock(0)
    let listener = Task {
      for await _ in metro.boards(every: .seconds(15)) { count.withLock { $0 += 1 } }
    }
    _ = try await clock.nextPoll()
    try await eventually { count.withLock { $0 } == 1 }
    listener.cancel()
    await listener.value
    try await eventually { clock.sleeperCount == 0 }

    clock.advance(by: .seconds(60))
    let second = Task {
      for await _ in metro.boards(every: .seconds(15)) { count.withLock { $0 += 1 } }
    }
    try await eventually { feed.count == 2 }
    second.cancel()
    await second.value
    try await eventually { feed.cancelled == 1 }
    gate.open()
    #expect(try await metro.board().arrivals[0].updatedAt?.rawText == BoardRows.time(0))
  }

  @Test("canceling one listener doesn't affect the others")
  func oneOfTwo() async throws {
    let feed = ScriptedFeed(.rows(Self.rows(0)), .rows(Self.rows(1)))
    let metro = metro(feed)
    var staying = metro.boards(every: .seconds(15)).makeAsyncIterator()
    _ = await staying.next()
    _ = try await clock.nextPoll()
    let leaving = Task {
      for await _ in metro.boards(every: .seconds(15)) {}
    }
    try await letOthersRun()
    leaving.cancel()
    await leaving.value
    clock.advance(by: .seconds(15))
    #expect(await staying.next()?.arrivals[0].updatedAt?.rawText == BoardRows.time(1))
  }

  @Test("an already canceled listener gets nothing and starts nothing")
  func cancelledBefore() async throws {
    let feed = ScriptedFeed(.rows(Self.rows(0)))
    let metro = metro(feed)
    let gate = ScriptedFeed.Gate()
    let listener = Task {
      try? await gate.pass()
      var boards = metro.boards(every: .seconds(15)).makeAsyncIterator()
      return await boards.next()
    }
    listener.cancel()
    #expect(await listener.value == nil)
    #expect(feed.count == 0)
  }

  @Test("closing the metro ends all sequences, and later ones end immediately")
  func closing() async throws {
    let metro = metro(ScriptedFeed(.rows(Self.rows(0))))
    let (boards, board) = AsyncStream<Void>.makeStream()
    let listeners = (0..<5).map { _ in
      Task {
        var count = 0
        for await _ in metro.boards(every: .seconds(15)) {
          count += 1
          if count == 1 { board.yield() }
        }
        return count
      }
    }
    for await _ in boards.prefix(5) {}
    _ = try await clock.nextPoll()
    try await metro.close()
    for listener in listeners { #expect(await listener.value >= 1) }
    #expect(clock.sleeperCount == 0)
    var late = metro.boards(every: .seconds(15)).makeAsyncIterator()
    #expect(await late.next() == nil)
    await #expect(throws: FieldError.self) { try await metro.board() }
  }

  @Test("a slow listener misses intermediate boards, never the newest")
  func slowListener() async throws {
    let feed = ScriptedFeed(
      .rows(Self.rows(0)), .rows(Self.rows(1)), .rows(Self.rows(2)), .rows(Self.rows(3)))
    let metro = metro(feed)
    var slow = metro.boards(every: .seconds(15)).makeAsyncIterator()
    _ = await slow.next()
    for _ in 0..<3 { clock.advance(by: try await clock.nextPoll()) }
    _ = try await clock.nextPoll()
    let board = try #require(await slow.next())
    #expect(board.arrivals[0].updatedAt?.rawText == BoardRows.time(3))
    #expect(board.changes?.arrived.count == 1)
  }

  @Test("a storm of listeners that arrive and leave leaves no poll behind", arguments: [1, 2, 3])
  func storm(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let metro = Metro(
      source: ScriptedFeed(.rows(Self.rows(0))), storage: .inMemory, clock: clock,
      polling: PollingPolicy(shortestInterval: .milliseconds(1)), random: { 0.5 })
    var tasks: [Task<Void, Never>] = []
    for _ in 0..<300 {
      let interval = Duration.milliseconds(Int.random(in: 1...50, using: &generator))
      let length = Int.random(in: 1...3, using: &generator)
      tasks.append(
        Task {
          for await _ in metro.boards(every: interval).prefix(length) {}
        })
      clock.advance(by: .milliseconds(Int.random(in: 0...20, using: &generator)))
      await Task.yield()
      if Bool.random(using: &generator), let task = tasks.randomElement(using: &generator) {
        task.cancel()
      }
    }
    let ticker = Task { [clock] in
      while !Task.isCancelled {
        clock.advance(by: .milliseconds(50))
        await Task.yield()
      }
    }
    for task in tasks { await task.value }
    ticker.cancel()
    await ticker.value
    try await eventually { clock.sleeperCount == 0 }
    try await metro.close()
  }
}
