import FieldCore
import TestSupport
import Testing

@Suite("An async lock", .timeLimit(.minutes(60)))
struct AsyncLockTests {
  @Test("an async lock admits one task at a time, and a canceled task not at all")
  func storm() async throws {
    let asyncLock = AsyncLock()
    let inside = Lock(0)
    let passed = Lock(0)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<500 {
        group.addTask {
          let task = Task {
            try await asyncLock.withLock {
              let count = inside.withLock { inside in
                inside += 1
                return inside
              }
              #expect(count == 1)
              await Task.yield()
              inside.withLock { $0 -= 1 }
              passed.withLock { $0 += 1 }
            }
          }
          if number % 3 == 0 { task.cancel() }
          _ = await task.result
        }
      }
    }
    #expect(passed.withLock { $0 } > 300)
    #expect(asyncLock.waitingCount == 0)
    try await asyncLock.withLock {}
  }

  /// Calls from an actor enter the queue while another thread gives the lock back.
  @MainActor
  @Test("an async lock is held in the order in which an actor's tasks asked for it")
  func order() async throws {
    let lock = AsyncLock()
    let order = Lock<[Int]>([])
    let count = Sample.rounds(5_000, 5_000, inDebug: 2_000)
    let tasks = (0..<count).map { number in
      Task { @MainActor in
        try await lock.withLock { await Self.elsewhere { order.withLock { $0.append(number) } } }
      }
    }
    for task in tasks { try await task.value }
    #expect(order.withLock(\.self) == Array(0..<count))
  }

  @Test("an async lock is given to the next task if one is canceled while it waits")
  func cancellation() async throws {
    let lock = AsyncLock()
    let (entered, enter) = AsyncStream<Void>.makeStream()
    let (opened, open) = AsyncStream<Void>.makeStream()
    let first = Task {
      try await lock.withLock {
        enter.yield()
        for await _ in opened {}
      }
    }
    for await _ in entered.prefix(1) {}
    let second = Task { try await lock.withLock {} }
    let third = Task { try await lock.withLock { 3 } }
    try await eventually { lock.waitingCount == 2 }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    open.finish()
    try await first.value
    #expect(try await third.value == 3)
    #expect(lock.waitingCount == 0)
  }

  @concurrent
  private static func elsewhere(_ body: @Sendable () -> Void) async { body() }
}
