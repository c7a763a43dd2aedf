import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("An observed refresh", .timeLimit(.minutes(60)))
struct RefreshEventTests {
  private let log = EventLog()
  private let clock = ManualClock()
  private let portal = ModelPortal.filled(30, pageSize: 10)

  private func kit(_ policy: RefreshPolicy = .daily) -> KitEngine {
    let store: any RecordStore<PortalStone> = Storage.inMemory.observed(by: log.observer)
      .store("stones")
    let engine = SyncEngine(
      source: portal, store: store, deletion: .never,
      snapshotGuard: SnapshotGuard(pageSize: nil), clock: clock)
    return KitEngine(
      "stones", stores: [store], clock: clock,
      parts: [RefreshPart(engine, policy: policy)])
  }

  @Test("an observed refresh reports the run, its parts, and its pages in order")
  func pages() async throws {
    let report = try await kit().refresh(.now)
    let pages = log.events.filter { $0.name == .refreshPage }
    #expect(pages.count >= 3)
    #expect(
      log.lines(of: "refresh") == ["refresh began", "refresh.part began"]
        + pages.map { _ in "refresh.page occurred" } + ["refresh.part ended", "refresh ended"])
    #expect(pages.compactMap { $0.measures[.rows] }.reduce(0, +) == report.rows)
    let run = try #require(log.events.first)
    let part = try #require(log.events.first { $0.name == .refreshPart })
    #expect(part.part == "rows")
    #expect(part.parent == run.operation)
    #expect(pages.allSatisfy { $0.operation == part.operation })
    let last = try #require(log.events.last)
    #expect(last.operation == run.operation)
    #expect(last.outcome == "updated")
    #expect(last.level == .info)
    #expect(last.measures[.added] == 30)
    #expect(log.lines(of: "kit.open") == ["kit.open began", "kit.open ended"])
    #expect(log.lines(of: "store.open") == ["store.open began", "store.open ended"])
    #expect(log.lines(of: "store.commit").count >= 2 * pages.count)
    #expect(log.isBalanced)
  }

  @Test("an observed refresh reports that it isn't due, and nothing after that")
  func notDue() async throws {
    let kit = kit()
    _ = try await kit.refresh(.now)
    log.removeAll()
    _ = try await kit.refresh(.ifDue)
    _ = try await kit.lastRefresh()
    _ = try await kit.nextRefreshDate()
    #expect(log.lines == ["refresh began", "refresh ended"])
    #expect(log.events.last?.label == "notDue")
    #expect(log.events.last?.level == .debug)
  }

  @Test("an observed refresh reports the code of an error, and neither its message nor a URL")
  func failure() async throws {
    portal.change { state in
      state.beforeAnswer = { request, _ in
        guard request == 2 else { return }
        throw FieldError(.connectionLost, "https://host/rows?token=hush was lost")
      }
    }
    let error = await #expect(throws: FieldError.self) { try await kit().refresh(.now) }
    #expect(error?.message.contains("hush") == true)
    #expect(
      log.lines(of: "refresh") == [
        "refresh began", "refresh.part began", "refresh.page occurred", "refresh.part failed",
        "refresh failed",
      ])
    #expect(log.events.suffix(2).map(\.code) == [.connectionLost, .connectionLost])
    #expect(log.events.last?.level == .warning)
    #expect(!log.events.contains { "\($0) \($0.metadata)".contains("hush") })
    #expect(log.isBalanced)
  }

  @Test("an observed refresh reports that it requests a smaller page")
  func retries() async throws {
    portal.change { state in
      state.beforeAnswer = { request, _ in
        if request == 1 { throw FieldError(.timeout, "slow") }
      }
    }
    _ = try await kit().refresh(.now)
    let retry = try #require(log.events.first { $0.name == .refreshRetry })
    #expect(retry.code == .timeout)
    #expect(retry.measures == [.rows: 5])
    #expect(log.isBalanced)
  }

  @Test("an observed refresh reports callers that join it, and a cancellation")
  func joining() async throws {
    let isOpen = Lock(false)
    let kit = KitEngine(
      "gate", stores: [], clock: ManualClock(),
      parts: [
        RefreshPart("rows", policy: .always) { _ in
          try await eventually { isOpen.withLock { $0 } }
          return RefreshReport(outcome: .unchanged, date: .now)
        }
      ], observer: log.observer)
    async let first = kit.refresh(.now)
    try await eventually { log.lines.contains("refresh.part began") }
    async let second = kit.refresh(.now)
    try await eventually { log.lines.contains("refresh.join occurred") }
    isOpen.withLock { $0 = true }
    _ = try await (first, second)
    #expect(
      log.lines(of: "refresh") == [
        "refresh began", "refresh.part began", "refresh.join occurred", "refresh.part ended",
        "refresh ended",
      ])
    isOpen.withLock { $0 = false }
    log.removeAll()
    let task = Task { try await kit.refresh(.now) }
    try await eventually { log.lines.contains("refresh.part began") }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await eventually { log.lines.contains("refresh cancelled") }
    #expect(
      log.lines == [
        "refresh began", "refresh.part began", "refresh.part cancelled", "refresh cancelled",
      ])
    #expect(log.isBalanced)
  }

  @Test("an observed refresh reports each part that fails although the others don't")
  func parts() async throws {
    let kit = KitEngine(
      "city", stores: [], clock: ManualClock(),
      parts: [
        RefreshPart("units", policy: .always) { _ in
          RefreshReport(outcome: .updated, added: 2, date: .now)
        },
        RefreshPart("feeds", policy: .always, isMain: false) { _ in
          throw FieldError(.notFound, "gone")
        },
      ], observer: log.observer)
    let report = try await kit.refresh(.now)
    #expect(report.notices.map(\.code) == [.partFailed])
    let failed = try #require(log.events.first { $0.step == .failed })
    #expect(failed.part == "feeds")
    #expect(failed.code == .notFound)
    #expect(log.events.last?.measures[.notices] == 1)
    #expect(log.isBalanced)
  }

  @Test("an observed refresh reports the opening and the erasure of a kit, and why they fail")
  func kits() async throws {
    var hooks = KitEngine.Hooks()
    hooks.opened = { throw FieldError(.diskFull, "full") }
    let kit = KitEngine(
      "kit", stores: [], clock: ManualClock(), parts: [], hooks: hooks, observer: log.observer)
    await #expect(throws: FieldError.self) { try await kit.refresh(.now) }
    try await kit.eraseAll()
    #expect(
      log.lines == [
        "refresh began", "kit.open began", "kit.open failed", "refresh failed", "kit.erase began",
        "kit.erase ended",
      ])
    #expect(log.events.compactMap(\.code) == [.diskFull, .diskFull])
    #expect(log.isBalanced)
  }
}
