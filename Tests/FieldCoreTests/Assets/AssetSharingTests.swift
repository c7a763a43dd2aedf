import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("Callers of a cache of assets", .timeLimit(.minutes(60)))
struct AssetSharingTests {
  private let folder: TemporaryFolder
  private let source = PictureSource()
  private let gate = GatedTransport()

  init() throws { folder = try TemporaryFolder() }

  private func cache(_ transport: any Transport, transfers: Int = 6) -> AssetCache {
    AssetCache(
      storage: .directory(folder.url), transport: transport,
      limits: AssetLimits(transfers: transfers))
  }

  private func answer(_ path: String = "/a") -> Result<TransportResponse, any Error> {
    .success(TransportResponse(status: 200, body: .data(source.picture(path))))
  }

  @Test("callers of an asset cache make one request when 100 of them ask for one key")
  func hundred() async throws {
    let cache = cache(gate)
    let assets = try await withThrowingTaskGroup(of: Asset.self) { group in
      for _ in 0..<100 { group.addTask { try await cache.asset(for: .picture("a")) } }
      try await eventually { gate.openCount == 1 }
      try await letOthersRun()
      gate.end(answer())
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(assets.count == 100)
    #expect(assets.allSatisfy { $0.data == source.picture("/a") })
    #expect(gate.count == 1)
  }

  @Test("callers of an asset cache share a failure, which is not kept")
  func failure() async throws {
    let cache = cache(gate)
    let tasks = (0..<10).map { _ in Task { try await cache.asset(for: .picture("a")) } }
    try await eventually { gate.openCount == 1 }
    try await letOthersRun()
    gate.end(.failure(FieldError(.offline, "as told")))
    for task in tasks {
      let error = await #expect(throws: FieldError.self) { try await task.value }
      #expect(error?.code == .offline)
    }
    let again = Task { try await cache.asset(for: .picture("a")) }
    try await eventually { gate.openCount == 1 }
    gate.end(answer())
    #expect(try await again.value.data == source.picture("/a"))
  }

  @Test(
    "canceled callers of an asset cache return at once, others wait on, the last ends the request"
  )
  func cancellation() async throws {
    let cache = cache(gate)
    let tasks = (0..<3).map { _ in Task { try await cache.asset(for: .picture("a")) } }
    try await eventually { gate.openCount == 1 }
    try await letOthersRun()
    tasks[0].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[0].value }
    #expect(gate.openCount == 1 && gate.cancelledCount == 0)
    tasks[1].cancel()
    tasks[2].cancel()
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    try await eventually { gate.cancelledCount == 1 }
    #expect(gate.openCount == 0)
    let again = Task { try await cache.asset(for: .picture("a")) }
    try await eventually { gate.openCount == 1 }
    gate.end(answer())
    #expect(try await again.value.origin == .network)
  }

  @Test("callers of an asset cache that are already canceled get an error from every call")
  func cancelledBefore() async throws {
    let cache = cache(source)
    let calls: [@Sendable () async throws -> Void] = [
      { _ = try await cache.asset(for: .picture("a")) },
      { _ = try await cache.cached(.picture("a")) },
      { _ = try await cache.prefetch([.picture("a")]) },
      { _ = try await cache.open() }, { _ = try await cache.report() },
      { try await cache.remove(.picture("a")) }, { try await cache.removeAll() },
    ]
    for (number, call) in calls.enumerated() {
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        try await call()
      }
      task.cancel()
      await #expect(throws: CancellationError.self, "call \(number)") { try await task.value }
    }
    #expect(source.count == 0)
  }

  @Test("callers of an asset cache make a limited number of concurrent requests")
  func width() async throws {
    let cache = cache(source, transfers: 3)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        group.addTask { _ = try await cache.asset(for: .picture("\(number)")) }
      }
      try await group.waitForAll()
    }
    #expect(source.count == 60)
    #expect(source.mostRunning == 3)
  }

  @Test("callers of an asset cache are served in order of arrival, before prefetching")
  func order() async throws {
    let order = Lock<[String]>([])
    let gate = gate
    let transport = ScriptedTransport { request in
      order.withLock { $0.append(request.url.lastPathComponent) }
      return try await gate.send(request)
    }
    let cache = cache(transport, transfers: 1)
    var tasks: [Task<Void, any Error>] = []
    func ask(_ name: String) async throws {
      tasks.append(Task { _ = try await cache.asset(for: .picture(name)) })
      try await eventually { cache.waiting == max(tasks.count - 1, 0) + prefetching }
    }
    var prefetching = 0
    try await ask("first")
    try await eventually { gate.openCount == 1 }
    let prefetch = Task { try await cache.prefetch([.picture("early"), .picture("later")]) }
    prefetching = 2
    try await eventually { cache.waiting == 2 }
    try await ask("second")
    try await ask("third")
    // Who asks for what is being fetched in advance makes it urgent.
    tasks.append(Task { _ = try await cache.asset(for: .picture("later")) })
    try await eventually { cache.urgent == 3 }
    let body = answer()
    for count in 1...5 {
      try await eventually { gate.openCount == 1 && order.withLock(\.count) == count }
      gate.end(body)
    }
    for task in tasks { try await task.value }
    #expect(try await prefetch.value.fetched == 2)
    #expect(order.withLock { $0 } == ["first", "second", "third", "later", "early"])
  }

  @Test("callers of an asset cache that wait for their turn can be canceled")
  func leavingTheQueue() async throws {
    let cache = cache(gate, transfers: 1)
    let first = Task { try await cache.asset(for: .picture("a")) }
    try await eventually { gate.openCount == 1 }
    let second = Task { try await cache.asset(for: .picture("b")) }
    try await eventually { cache.waiting == 1 }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    try await eventually { cache.waiting == 0 }
    gate.end(answer())
    _ = try await first.value
    let third = Task { try await cache.asset(for: .picture("c")) }
    try await eventually { gate.openCount == 1 }
    gate.end(answer("/c"))
    #expect(try await third.value.data == source.picture("/c"))
    #expect(gate.count == 2)
  }

  @Test("callers of an asset cache prefetch what is missing or old, and learn what failed")
  func prefetch() async throws {
    let clock = ManualClock()
    let cache = AssetCache(storage: .directory(folder.url), transport: source, clock: clock)
    source.remove("/7")
    source.remove("/3")
    _ = try await cache.asset(for: .picture("0"))
    let requests = (0..<40).map { AssetRequest.picture("\($0)") }
    let report = try await cache.prefetch(requests + [AssetRequest(folder.url), .picture("1")])
    #expect(report.present + report.fetched == 40)
    #expect((2...3).contains(report.present))
    #expect(report.failures.map(\.request) == [.picture("3"), .picture("7")])
    #expect(report.failures.allSatisfy { $0.error.code == .notFound })
    #expect(source.count == 40)
    let held = try await cache.report()
    #expect(held.diskCount == 38)
    #expect(held.memoryCount == 1, "what nobody looks at is not in memory")
    #expect(try await cache.prefetch(requests).failures.count == 2)
    #expect(source.count == 42)
    clock.advance(by: .seconds(30 * 86_400))
    #expect(try await cache.prefetch([.picture("5")]).fetched == 1)
    #expect(source.requests.last?.fields["If-None-Match"] == "\"0\"")
    // Neither what was in the file nor what is in memory hides the newer version.
    #expect(try await cache.report().memoryCount == 1)
    #expect(try await cache.prefetch([.picture("0")]).fetched == 1)
    #expect(try await cache.prefetch([.picture("0"), .picture("5")]).present == 2)

    let alone = AssetCache(storage: .inMemory, transport: source, clock: clock)
    #expect(try await alone.prefetch([.picture("5")]).fetched == 1)
    #expect(try await alone.prefetch([.picture("5")]).present == 1)
  }

  @Test("callers of an asset cache can be canceled while prefetching")
  func prefetchCancelled() async throws {
    let cache = cache(gate)
    let task = Task { try await cache.prefetch((0..<100).map { .picture("\($0)") }) }
    try await eventually { gate.openCount == 6 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await eventually { gate.openCount == 0 }
    #expect(gate.count <= 12)
  }
}
