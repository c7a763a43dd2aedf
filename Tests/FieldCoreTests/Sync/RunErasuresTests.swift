import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("A refresh of several parts, whose store is erased", .timeLimit(.minutes(60)))
struct RunErasuresTests {
  private struct Leaf: StoredRecord, Hashable { let id: String }

  private let clock = ManualClock()
  private let store: any RecordStore<Leaf> = InMemoryStore()
  private let calls = Lock<[String]>([])

  /// A part that reads the store, fetches, and stores one record.
  private func part(
    _ name: String, before: @escaping @Sendable () async throws -> Void = {},
    during: @escaping @Sendable () async throws -> Void = {}
  ) -> RefreshPart {
    RefreshPart(name, policy: .always) { [store, clock, calls] _ in
      calls.withLock { $0.append(name) }
      try await before()
      let base = try await store.snapshot().checkpoint
      try await during()
      try await store.update(inRunFrom: base) { _, changes, checkpoint in
        changes.upsert(Leaf(id: name))
        checkpoint = checkpoint ?? Checkpoint()
        checkpoint?.lastSuccess = clock.now
      }
      return RefreshReport(outcome: .updated, added: 1, date: clock.now)
    }
  }

  private func refresh(_ parts: RefreshPart...) async throws -> RefreshReport {
    try await KitEngine("leaves", stores: [store], clock: clock, parts: parts).refresh(.now)
  }

  private func requireErased(_ parts: RefreshPart...) async throws {
    let engine = KitEngine("leaves", stores: [store], clock: clock, parts: parts)
    let error = await #expect(throws: FieldError.self) { try await engine.refresh(.now) }
    #expect(error?.code == .conflict)
    #expect(try await store.snapshot().isEmpty)
  }

  @Test("a refresh doesn't begin its next part after a kit has erased the store during the first")
  func nextPart() async throws {
    _ = try await refresh(part("old"))
    try await requireErased(
      part("first", during: { [store] in try await store.eraseAll() }), part("second"))
    #expect(calls.withLock(\.self) == ["old", "first"])
  }

  @Test("a refresh doesn't begin its next part after a kit has erased what the first stored")
  func storedPart() async throws {
    let last = part("last")
    let erasing = RefreshPart("erasing", policy: .always) { [store, clock] _ in
      try await store.eraseAll()
      return RefreshReport(outcome: .unchanged, date: clock.now)
    }
    try await requireErased(part("first"), erasing, last)
    #expect(calls.withLock(\.self) == ["first"])
  }

  @Test(
    "a refresh stores nothing in a part that began before an erasure and read the store after it")
  func lateReading() async throws {
    try await requireErased(part("only", before: { [store] in try await store.eraseAll() }))
  }

  @Test("a refresh of several parts stores everything if the erasure was before it")
  func earlier() async throws {
    _ = try await refresh(part("old"))
    try await store.eraseAll()
    #expect(try await refresh(part("first"), part("second")).added == 2)
    #expect(try await store.snapshot().map(\.id) == ["first", "second"])
  }
}
