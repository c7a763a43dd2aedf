import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("A refresh by schedule", .timeLimit(.minutes(60)))
struct RefreshTriggerTests {
  private let clock = ManualClock()
  private let calls = Lock<[String]>([])
  private let gate = AsyncStream<Void>.makeStream()

  /// An engine with a daily part that waits for the gate, and one that is fetched on every visit.
  private func engine(_ policies: [(String, RefreshPolicy)], isGated: Bool = false) -> KitEngine {
    let parts = policies.map { name, policy in
      let lastSuccess = Lock<Date?>(nil)
      return RefreshPart(name, policy: policy) {
        RefreshPart.Status(lastSuccess: lastSuccess.withLock { $0 })
      } work: { [calls, clock, gate] _ in
        calls.withLock { $0.append(name) }
        if isGated {
          for await _ in gate.stream { break }
          try Task.checkCancellation()
        }
        lastSuccess.withLock { $0 = clock.now }
        return RefreshReport(outcome: .updated, date: clock.now)
      }
    }
    return KitEngine("kit", stores: [], clock: clock, parts: parts)
  }

  @Test(
    "a refresh by schedule runs only the parts that are due, none that is fetched on every visit")
  func parts() async throws {
    let engine = engine([("table", .daily), ("board", .always)])
    #expect(try await engine.nextRefreshDate() == clock.now)
    #expect(try await engine.refresh(.scheduled).outcome == .updated)
    #expect(try await engine.refresh(.scheduled).outcome == .notDue)
    #expect(calls.withLock { $0 } == ["table"])
    _ = try await engine.refresh(.ifDue)
    #expect(calls.withLock { $0 } == ["table", "board"])
    _ = try await engine.refresh(.now)
    #expect(calls.withLock { $0 } == ["table", "board", "table", "board"])
    let board = self.engine([("board", .always)])
    #expect(try await board.nextRefreshDate() == nil)
    #expect(try await board.refresh(.scheduled).outcome == .notDue)
  }

  @Test("a refresh by schedule isn't shared by a visit, which has to fetch more")
  func joining() async throws {
    let engine = engine([("table", .daily), ("board", .always)], isGated: true)
    let scheduled = Task { try await engine.refresh(.scheduled) }
    while calls.withLock(\.count) < 1 { await Task.yield() }
    let visit = Task { try await engine.refresh(.ifDue) }
    gate.continuation.yield()
    gate.continuation.yield()
    _ = try await (scheduled.value, visit.value)
    #expect(calls.withLock { $0 } == ["table", "board"])
  }

  @Test("a refresh of a closed kit says that it was closed, not that the task was canceled")
  func closing() async throws {
    let engine = engine([("table", .daily)], isGated: true)
    let refreshes = [RefreshTrigger.scheduled, .ifDue, .now].map { when in
      Task { try await engine.refresh(when) }
    }
    while calls.withLock(\.count) < 1 { await Task.yield() }
    let canceled = Task { try await engine.refresh(.scheduled) }
    canceled.cancel()
    await #expect(throws: CancellationError.self) { try await canceled.value }
    try await engine.close()
    for refresh in refreshes.prefix(1) {
      let error = await #expect(throws: FieldError.self) { try await refresh.value }
      #expect(error?.code == .closed)
      #expect(error?.message.contains("closed during the refresh") == true)
    }
    gate.continuation.finish()
    for refresh in refreshes { _ = await refresh.result }
  }
}
