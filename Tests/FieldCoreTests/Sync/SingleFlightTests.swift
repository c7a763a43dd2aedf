import FieldCore
import TestSupport
import Testing

@Suite("A single flight", .timeLimit(.minutes(60)))
struct SingleFlightTests {
  /// Opens when told to, so that a test decides when a run goes on.
  private final class Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    init() { (stream, continuation) = AsyncStream.makeStream() }
    func open() { continuation.finish() }
    func wait() async throws {
      for await _ in stream {}
      try Task.checkCancellation()
    }
  }

  @Test("a single flight runs once for concurrent callers, and again for later ones")
  func sharing() async throws {
    let flight = SingleFlight<Int>()
    let runs = Lock(0)
    let gate = Gate()
    let body: @Sendable () async throws -> Int = {
      let run = runs.withLock { runs in
        runs += 1
        return runs
      }
      try await gate.wait()
      return run
    }
    let results = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 { group.addTask { try await flight.run(body) } }
      try await eventually { runs.withLock { $0 } > 0 }
      try await letOthersRun()
      gate.open()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results == Array(repeating: 1, count: 50))
    #expect(try await flight.run(body) == 2)
  }

  @Test("a single flight continues if one waiter is canceled, and is canceled with the last")
  func cancellation() async throws {
    let flight = SingleFlight<Int>()
    let gate = Gate()
    let ended = Lock<Bool?>(nil)
    let body: @Sendable () async throws -> Int = {
      do {
        try await gate.wait()
      } catch {
        ended.withLock { $0 = true }
        throw error
      }
      return 7
    }
    let first = Task { try await flight.run(body) }
    let second = Task { try await flight.run(body) }
    try await letOthersRun()
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(ended.withLock { $0 } == nil)
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    try await eventually { ended.withLock { $0 } != nil }
    gate.open()
    #expect(try await flight.run { 8 } == 8)
  }

  @Test("a single flight throws its error to all, and runs again for a forced caller")
  func forced() async throws {
    struct Weak: Error {}
    let flight = SingleFlight<Int>()
    let gate = Gate()
    let weaker = Task {
      try await flight.run(level: 0) {
        try await gate.wait()
        throw Weak()
      }
    }
    try await letOthersRun()
    let stronger = Task { try await flight.run(level: 1) { 9 } }
    try await letOthersRun()
    gate.open()
    await #expect(throws: Weak.self) { try await weaker.value }
    #expect(try await stronger.value == 9)
  }

  @Test("a single flight survives a storm of callers and cancellations", arguments: [1, 2, 3, 4])
  func storm(seed: UInt64) async throws {
    let flight = SingleFlight<Int>()
    var generator = SeededGenerator(seed: seed)
    var tasks: [Task<Int, any Error>] = []
    for number in 0..<2_000 {
      let level = Int.random(in: 0...2, using: &generator)
      let isSlow = Bool.random(using: &generator)
      let task = Task {
        try await flight.run(level: level) {
          if isSlow { try await Task.sleep(for: .microseconds(50)) } else { await Task.yield() }
          return number
        }
      }
      if Int.random(in: 0..<3, using: &generator) == 0 { task.cancel() }
      if Int.random(in: 0..<8, using: &generator) == 0 { await Task.yield() }
      tasks.append(task)
    }
    var (ended, cancelled) = (0, 0)
    for task in tasks {
      switch await task.result {
      case .success: ended += 1
      case .failure: cancelled += 1
      }
    }
    #expect(ended + cancelled == 2_000, "seed \(seed)")
    #expect(ended > 0)
  }
}
