import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("Coalescing", .timeLimit(.minutes(60)))
struct CoalescingTransportTests {
  let base = GatedTransport()
  let transport: CoalescingTransport
  let answer = TransportResponse(status: 200, body: .text("rows"))

  init() { transport = base.coalescing() }

  /// Starts so many equal requests and waits until all of them wait.
  func start(_ count: Int, _ request: TransportRequest = .test()) async throws
    -> [Task<TransportResponse, any Error>]
  {
    let before = transport.waiterCount
    let tasks = (0..<count).map { _ in Task { [transport] in try await transport.send(request) } }
    try await eventually { transport.waiterCount == before + count && base.openCount > 0 }
    return tasks
  }

  @Test("coalescing makes one request of equal requests, and all get its response")
  func oneFlight() async throws {
    let tasks = try await start(20)
    base.end(.success(answer))
    for task in tasks { #expect(try await task.value == answer) }
    #expect(base.count == 1)
    #expect(transport.waiterCount == 0)
  }

  @Test("coalescing throws the error of a request to all who wait")
  func error() async throws {
    let tasks = try await start(5)
    base.end(.failure(FieldError(.timeout, "too slow")))
    for task in tasks {
      let error = await #expect(throws: FieldError.self) { try await task.value }
      #expect(error?.code == .timeout)
    }
    #expect(base.count == 1)
  }

  @Test("coalescing keeps nothing after the request")
  func noCache() async throws {
    for round in 1...3 {
      let task = try await start(1)[0]
      base.end(.success(answer))
      _ = try await task.value
      #expect(base.count == round)
    }
  }

  @Test(
    "coalescing keeps the others waiting if one is canceled, even the first", arguments: [0, 1, 2])
  func oneCancelled(index: Int) async throws {
    let tasks = try await start(3)
    tasks[index].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[index].value }
    #expect(base.cancelledCount == 0)
    base.end(.success(answer))
    for (number, task) in tasks.enumerated() where number != index {
      #expect(try await task.value == answer)
    }
    #expect(base.count == 1)
  }

  @Test("coalescing cancels the request after the last caller, and starts again for the next")
  func allCancelled() async throws {
    let tasks = try await start(3)
    for task in tasks { task.cancel() }
    for task in tasks {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    try await eventually { base.cancelledCount == 1 && base.openCount == 0 }
    let next = try await start(1)[0]
    base.end(.success(answer))
    #expect(try await next.value == answer)
    #expect(base.count == 2)
  }

  @Test("coalescing doesn't take the end of an abandoned request for that of the next one")
  func lateEnd() async throws {
    let base = StubbornTransport()
    let transport = base.coalescing()
    let first = Task { try await transport.send(.test()) }
    try await eventually { base.openCount == 1 }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    let second = Task { try await transport.send(.test()) }
    try await eventually { base.openCount == 2 }
    base.endFirst(TransportResponse(status: 200, body: .text("late")))
    try await letOthersRun()
    #expect(transport.waiterCount == 1)
    base.endFirst(answer)
    #expect(try await second.value == answer)
  }

  @Test("coalescing sends nothing for an already canceled task")
  func cancelledBefore() async {
    let task = Task { [transport] in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await transport.send(.test())
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(base.count == 0)
  }

  @Test("coalescing keeps requests separate that differ in any part")
  func different() async throws {
    var timeout = TransportRequest.test()
    timeout.timeout = .seconds(1)
    var limit = TransportRequest.test()
    limit.responseLimit = 10
    var operation = TransportRequest.test()
    operation.operation = "other"
    let requests = [
      .test(), .test(.head), .test(.get, "http://field.test/rows?x"),
      .test(fields: ["Authorization": "Bearer a"]), .test(fields: ["Authorization": "Bearer b"]),
      timeout, limit, operation,
    ]
    let tasks = requests.map { request in Task { [transport] in try await transport.send(request) }
    }
    try await eventually { base.openCount == requests.count }
    base.end(.success(answer))
    for task in tasks { _ = try await task.value }
    #expect(base.count == requests.count)
  }

  @Test(
    "coalescing doesn't change requests that can't be shared",
    arguments: [
      .test(.post), .test(.get, body: .text("x")), .test(.get, isIdempotent: false),
      .test(destination: .file(URL(filePath: "/tmp/never-written"))),
      .test(.post, isIdempotent: true),
    ] as [TransportRequest])
  func notShared(request: TransportRequest) async throws {
    let tasks = (0..<3).map { _ in Task { [transport] in try await transport.send(request) } }
    try await eventually { base.openCount == 3 }
    #expect(transport.waiterCount == 0)
    base.end(.success(answer))
    for task in tasks { _ = try await task.value }
    #expect(base.count == 3)
  }

  @Test(
    "coalescing lets nobody wait forever in a storm of cancellations",
    arguments: Sample.of(1...6 as ClosedRange<UInt64>, inDebug: 3))
  func storm(seed: UInt64) async throws {
    let base = StormTransport(seed: seed)
    let transport = base.coalescing()
    var random = SeededGenerator(seed: seed)
    let plans = (0..<3_000).map { _ in
      (
        key: Int.random(in: 0..<5, using: &random),
        cancelAfter: Int.random(in: 0..<12, using: &random)
      )
    }
    let answered = try await withThrowingTaskGroup(of: Bool.self) { group in
      for plan in plans {
        group.addTask {
          let request = TransportRequest.test(.get, "http://field.test/\(plan.key)")
          let task = Task { try await transport.send(request) }
          if plan.cancelAfter < 8 {
            for _ in 0..<plan.cancelAfter { await Task.yield() }
            task.cancel()
          }
          do {
            let answer = try await task.value
            #expect(answer.body == .text("/\(plan.key)"), "seed \(seed)")
            return true
          } catch is CancellationError {
            #expect(plan.cancelAfter < 8, "one who was not cancelled got it, seed \(seed)")
          } catch let error as FieldError {
            #expect(error.code == .connectionLost, "seed \(seed)")
          }
          return false
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(answered > 300, "seed \(seed)")
    #expect(base.count < plans.count, "nothing was shared, seed \(seed)")
    #expect(base.mostAtOnce == 1, "equal requests ran side by side, seed \(seed)")
    #expect(transport.waiterCount == 0, "seed \(seed)")
  }
}

/// A transport whose exchanges last until the test ends them, even if they are canceled.
private final class StubbornTransport: Transport {
  private let waiting = Lock<[CheckedContinuation<TransportResponse, any Error>]>([])

  var openCount: Int { waiting.withLock(\.count) }

  /// Ends the exchange that has lasted longest.
  func endFirst(_ response: TransportResponse) {
    waiting.withLock { $0.removeFirst() }.resume(returning: response)
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await withCheckedThrowingContinuation { continuation in
      waiting.withLock { $0.append(continuation) }
    }
  }
}

/// Answers with its path after a while that the seed decides, or fails; counts the exchanges of one
/// address that run at once and are still wanted.
private final class StormTransport: Transport {
  private struct State {
    var random: SeededGenerator
    var count = 0
    var running: [String: Int] = [:]
    var mostAtOnce = 0
  }

  private let state: Lock<State>

  init(seed: UInt64) { state = Lock(State(random: SeededGenerator(seed: seed &+ 99))) }

  var count: Int { state.withLock(\.count) }
  var mostAtOnce: Int { state.withLock(\.mostAtOnce) }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let path = request.url.path()
    let (turns, fails) = state.withLock { state in
      state.count += 1
      state.running[path, default: 0] += 1
      return (
        Int.random(in: 0..<30, using: &state.random),
        Int.random(in: 0..<10, using: &state.random) == 0
      )
    }
    // Yields between finding out that it is wanted and counting would make the count wrong.
    for turn in 0..<turns {
      if Task.isCancelled { break }
      if turn == turns / 2 {
        state.withLock { $0.mostAtOnce = max($0.mostAtOnce, $0.running[path, default: 0]) }
      }
      await Task.yield()
    }
    state.withLock { $0.running[path, default: 0] -= 1 }
    try Task.checkCancellation()
    if fails { throw FieldError(.connectionLost, "by chance") }
    return TransportResponse(status: 200, body: .text(path))
  }
}
