import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("Manual clock", .timeLimit(.minutes(60)))
struct ManualClockTests {
  let clock = ManualClock()

  /// Starts a sleep and waits until it is under way.
  func startSleep(_ duration: Duration) async throws -> Task<Void, any Error> {
    let task = Task { [clock] in try await clock.sleep(for: duration) }
    #expect(try await clock.nextSleep() == duration)
    return task
  }

  @Test("a manual clock advances both of its times by hand, and only the date if it is set")
  func times() {
    let start = clock.now
    #expect(clock.uptime == .zero)
    clock.advance(by: .milliseconds(1_500))
    #expect(clock.now == start.addingTimeInterval(1.5))
    #expect(clock.uptime == .milliseconds(1_500))
    clock.set(now: start.addingTimeInterval(-86_400))
    #expect(clock.now == start.addingTimeInterval(-86_400))
    #expect(clock.uptime == .milliseconds(1_500))
    clock.advance(by: .seconds(1))
    #expect(clock.now == start.addingTimeInterval(-86_399))
  }

  @Test("a manual clock wakes a sleeper when its time has come, and not before")
  func wakes() async throws {
    let task = try await startSleep(.seconds(10))
    clock.advance(by: .milliseconds(9_999))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .milliseconds(1))
    #expect(clock.sleeperCount == 0)
    try await task.value
  }

  @Test("a manual clock wakes nobody if the date is set")
  func settingTheDate() async throws {
    let task = try await startSleep(.seconds(10))
    clock.set(now: clock.now.addingTimeInterval(1_000_000))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .seconds(10))
    try await task.value
  }

  @Test("a manual clock wakes all of many sleepers that are due, and leaves the others")
  func manySleepers() async throws {
    let woken = Lock<Set<Int>>([])
    let tasks = (1...1_000).map { second in
      Task { [clock] in
        try await clock.sleep(for: .seconds(second))
        woken.withLock { _ = $0.insert(second) }
      }
    }
    for _ in tasks { _ = try await clock.nextSleep() }
    clock.advance(by: .seconds(400))
    for task in tasks.prefix(400) { try await task.value }
    #expect(woken.withLock { $0 } == Set(1...400))
    #expect(clock.sleeperCount == 600)
    clock.advance(by: .seconds(600))
    for task in tasks { try await task.value }
  }

  @Test(
    "a manual clock ends sleeps of zero or less immediately",
    arguments: [Duration.zero, .seconds(-1)])
  func noSleep(duration: Duration) async throws {
    try await clock.sleep(for: duration)
    #expect(clock.sleeperCount == 0)
  }

  @Test("a manual clock throws CancellationError to a sleeper that is canceled")
  func cancelledSleep() async throws {
    let task = try await startSleep(.seconds(10))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test(
    "a manual clock throws CancellationError if the sleeper is already canceled",
    arguments: [0, 10])
  func cancelledBefore(seconds: Int) async {
    let task = Task { [clock] in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await clock.sleep(for: .seconds(seconds))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("a manual clock reports every sleep once, in the order in which they began")
  func order() async throws {
    var tasks: [Task<Void, any Error>] = []
    for second in [5, 3, 4] {
      tasks.append(Task { [clock] in try await clock.sleep(for: .seconds(second)) })
      try await eventually { clock.sleeperCount >= tasks.count }
    }
    #expect(try await clock.nextSleep() == .seconds(5))
    #expect(try await clock.nextSleep() == .seconds(3))
    #expect(try await clock.nextSleep() == .seconds(4))
    let waiting = Task { [clock] in try await clock.nextSleep() }
    clock.advance(by: .seconds(5))
    for task in tasks { try await task.value }
    let last = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
    #expect(try await waiting.value == .seconds(1))
    clock.advance(by: .seconds(1))
    try await last.value
  }

  @Test("a manual clock doesn't report a sleep that has ended")
  func overSleeps() async throws {
    let cancelled = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
    try await eventually { clock.sleeperCount >= 1 }
    cancelled.cancel()
    _ = await cancelled.result
    let woken = Task { [clock] in try await clock.sleep(for: .seconds(2)) }
    try await eventually { clock.sleeperCount >= 1 }
    clock.advance(by: .seconds(2))
    try await woken.value
    let task = try await startSleep(.seconds(3))
    task.cancel()
  }

  @Test("a manual clock throws CancellationError to a canceled task that waits for a sleep")
  func cancelledWatch() async throws {
    let task = Task { [clock] in try await clock.nextSleep() }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    // The cancelled one takes no sleep away from the next.
    _ = try await startSleep(.seconds(1))
  }

  @Test("a manual clock steps a loop through its sleeps without real waiting")
  func loop() async throws {
    let turns = Lock(0)
    let task = Task { [clock] in
      for turn in 1...500 {
        try await clock.sleep(for: .seconds(turn))
        turns.withLock { $0 = turn }
      }
    }
    for turn in 1...500 {
      let sleep = try await clock.nextSleep()
      #expect(sleep == .seconds(turn))
      #expect(turns.withLock { $0 } == turn - 1)
      clock.advance(by: sleep)
    }
    try await task.value
    #expect(clock.uptime == .seconds(500 * 501 / 2))
  }

  @Test(
    "a manual clock wakes every sleeper in a storm of sleeps, advances, and cancellations",
    arguments: 1...5 as ClosedRange<UInt64>)
  func storm(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let plans = (0..<2_000).map { _ in
      (
        sleep: Int.random(in: 0...50, using: &random),
        cancelAfter: Int.random(in: 0...8, using: &random)
      )
    }
    let left = Lock(plans.count)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for plan in plans {
        group.addTask { [clock] in
          let start = clock.uptime
          let task = Task { try await clock.sleep(for: .seconds(plan.sleep)) }
          if plan.cancelAfter < 4 {
            for _ in 0..<plan.cancelAfter { await Task.yield() }
            task.cancel()
          }
          do {
            try await task.value
            #expect(clock.uptime - start >= .seconds(plan.sleep), "seed \(seed)")
          } catch is CancellationError {
            #expect(plan.cancelAfter < 4, "seed \(seed)")
          }
          left.withLock { $0 -= 1 }
        }
      }
      group.addTask { [clock] in
        while left.withLock({ $0 > 0 }) {
          clock.advance(by: .seconds(1))
          await Task.yield()
          try Task.checkCancellation()
        }
      }
      try await group.waitForAll()
    }
    #expect(clock.sleeperCount == 0)
  }
}

@Suite("Immediate clock")
struct ImmediateClockTests {
  @Test("an immediate clock starts at the current date, or at the given one")
  func start() {
    #expect(abs(ImmediateClock().now.timeIntervalSinceNow) < 600)
    let date = Date(timeIntervalSince1970: 5)
    #expect(ImmediateClock(now: date).now == date)
  }

  @Test("an immediate clock sleeps without waiting, advances its time, and reports the sleeps")
  func sleeps() async throws {
    let clock = ImmediateClock()
    let start = clock.now
    try await clock.sleep(for: .seconds(90))
    try await clock.sleep(for: .seconds(-5))
    #expect(clock.now == start.addingTimeInterval(90))
    #expect(clock.uptime == .seconds(90))
    #expect(clock.slept == [.seconds(90), .seconds(-5)])
  }

  @Test("an immediate clock throws CancellationError if the task is canceled")
  func cancelled() async {
    let clock = ImmediateClock()
    let task = Task {
      while true { try await clock.sleep(for: .seconds(1)) }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
