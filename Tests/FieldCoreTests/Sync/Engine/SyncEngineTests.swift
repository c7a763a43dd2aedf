@testable import FieldCore
import FieldFakes
import Foundation
import Testing

@Suite("The sync engine")
struct SyncEngineTests {
  let target: any SyncTarget<PortalStone>

  init() throws { target = try freshTarget() }

  func engine(
    _ source: some PagedSource<PortalStone>, _ deletion: DeletionPolicy = .never,
    guardedBy snapshotGuard: SnapshotGuard = SnapshotGuard(
      maximumRemovedFraction: 0.3, pageSize: nil),
    merging merge: (@Sendable (_ stored: PortalStone, _ given: PortalStone) -> PortalStone)? = nil
  ) -> SyncEngine<PortalStone> {
    SyncEngine(
      source: source, store: target, deletion: deletion, snapshotGuard: snapshotGuard,
      clock: ImmediateClock(), merging: merge)
  }

  func stored() async throws -> Set<PortalStone> { Set(try await target.records()) }

  @Test("the sync engine keeps the user's data through changes and a full replacement")
  func localFields() async throws {
    let portal = ModelPortal.filled(30, pageSize: 7)
    let engine = engine(
      portal, .byKeys,
      merging: { stored, given in
        var merged = given
        merged.note = stored.note
        return merged
      })
    _ = try await engine.run()
    try await target.put([PortalStone(id: "s4", value: 4, note: "mine")])
    portal.change { state in
      state.put(PortalStone(id: "s4", value: 44))
      state.replaceAll()
    }
    let report = try await engine.run()
    #expect(report.updated == 1)
    #expect(report.unchanged == 29)
    #expect(try await target.record("s4") == PortalStone(id: "s4", value: 44, note: "mine"))
  }

  @Test(
    "the sync engine undoes a run if the source turns out to be endless, keeping the user's notes")
  func unboundedPagination() async throws {
    let portal = ModelPortal(pageSize: 5, pageLimit: 40)
    portal.change { state in
      for number in 0..<20 { state.put(PortalStone(id: "s\(number)", value: number)) }
    }
    let engine = engine(
      portal, .never,
      merging: { stored, given in
        var merged = given
        merged.note = stored.note ?? given.note
        return merged
      })
    _ = try await engine.run()
    let before = try await stored()
    let checkpoint = try await target.content().checkpoint
    portal.change { state in
      state.beforeAnswer = { request, state in
        for row in 0..<5 { state.put(PortalStone(id: "new \(request) \(row)", value: 0)) }
        state.put(PortalStone(id: "s1", value: 1_000 + request))
      }
    }
    let error = await #expect(throws: FieldError.self) { try await engine.run() }
    #expect(error?.code == .unboundedPagination)
    #expect(try await stored() == before)
    #expect(try await target.content().checkpoint == checkpoint)
  }

  @Test("the sync engine checks the page count against the source's row count, and ends early")
  func unboundedByCount() async throws {
    let portal = CountedPortal()
    let error = await #expect(throws: FieldError.self) { try await engine(portal).run() }
    #expect(error?.code == .unboundedPagination)
    #expect(error?.message.contains("it has 100 rows") == true)
    #expect(portal.pages.withLock { $0 } == 64)
    #expect(try await stored().isEmpty)
  }

  @Test("the sync engine doesn't overflow if the source claims to have more rows than fit")
  func countTooLarge() async throws {
    let portal = CountedPortal(counted: .max, pageLimit: 65)
    let error = await #expect(throws: FieldError.self) { try await engine(portal).run() }
    #expect(error?.code == .unboundedPagination)
    #expect(portal.pages.withLock { $0 } == 65)
  }

  @Test("the sync engine gives up reading IDs if the smallest page fails", arguments: [0, 1])
  func slowIDs(smallestPage: Int) async throws {
    let portal = ModelPortal(smallestPage: smallestPage)
    portal.change { state in
      for number in 0..<20 { state.put(PortalStone(id: "s\(number)", value: number)) }
    }
    let engine = engine(portal, .byKeys)
    _ = try await engine.run()
    let known = portal.change { state in
      state.delete("s1")
      return state.keyRequests
    }
    portal.change { state in
      state.beforeAnswer = { _, state in
        if state.keyRequests > known { throw FieldError(.timeout, "slow") }
      }
    }
    _ = try? await engine.run()
    // With 10 rows, 5, 2, and 1.
    #expect(portal.change { $0.keyRequests } == known + 4)
  }

  @Test("the sync engine reports a source that doesn't move on at its second page")
  func noProgress() async throws {
    let portal = CountedPortal(isStuck: true)
    let error = await #expect(throws: FieldError.self) { try await engine(portal).run() }
    #expect(error?.code == .noProgress)
    #expect(portal.pages.withLock { $0 } == 2)
    #expect(try await stored().isEmpty)
  }

  @Test("the sync engine leaves an erased store alone if it has to undo its run")
  func erasedBeforeUndo() async throws {
    try await target.put(
      [PortalStone(id: "old", value: 1)], checkpoint: Checkpoint(fingerprint: "before"))
    let portal = CountedPortal(isStuck: true)
    let source = InterferingSource(base: portal) { [target] in
      guard portal.pages.withLock({ $0 }) == 1 else { return }
      try await SyncedTable("stones", source: portal, target: target).eraseAll()
    }
    let error = await #expect(throws: FieldError.self) { try await engine(source).run() }
    #expect(error?.code == .noProgress)
    let left = try await target.content()
    #expect(left.count == 0)
    #expect(left.checkpoint?.erasure != nil)
    #expect(left.checkpoint?.fingerprint == nil)
  }

  @Test("the sync engine stops if another source has filled the store in the meantime")
  func filledByAnother() async throws {
    let portal = ModelPortal.filled(30, pageSize: 10)
    let source = InterferingSource(base: portal) { [target] in
      guard portal.requestCount == 1 else { return }
      try await target.put(
        [PortalStone(id: "other", value: 7)], checkpoint: Checkpoint(fingerprint: "other"))
    }
    let error = await #expect(throws: FieldError.self) { try await engine(source).run() }
    #expect(error?.code == .conflict)
    #expect(try await target.content().checkpoint == Checkpoint(fingerprint: "other"))
  }

  @Test("the sync engine never resumes a source whose positions expire with a run")
  func offsets() async throws {
    let portal = ModelPortal(pageSize: 10, isIncremental: false)
    portal.change { state in
      for number in 0..<35 { state.put(PortalStone(id: "s\(number)", value: number)) }
      state.beforeAnswer = { request, _ in
        if request == 3 { throw FieldError(.connectionLost, "gone") }
      }
    }
    await #expect(throws: FieldError.self) { try await engine(portal, .bySnapshot).run() }
    portal.change { $0.beforeAnswer = nil }
    let report = try await engine(portal, .bySnapshot).run()
    #expect(report.rows == 35)
    #expect(try await stored() == portal.stones)
    let last = portal.change { $0.requests.suffix(4).first?.position }
    #expect(last == nil)
  }

  @Test("the sync engine reports its steps, never going back")
  func progress() async throws {
    let portal = ModelPortal.filled(100, pageSize: 9)
    let engine = engine(portal)
    let kit = KitEngine(
      "stones", stores: [], clock: ManualClock(),
      parts: [RefreshPart(engine, policy: .always)])
    let steps = kit.refreshProgress()
    _ = try await kit.refresh(.now)
    try await kit.close()
    var last = 0.0
    var rows = 0
    for await step in steps {
      #expect(step.fractionCompleted >= last)
      last = step.fractionCompleted
      rows = max(rows, step.rows ?? 0)
    }
    #expect(last > 0.9)
    #expect(rows == 100)
  }

  @Test("the sync engine undoes nothing that others have changed in the meantime")
  func otherWriters() async throws {
    let portal = ModelPortal.filled(30, pageSize: 10)
    let source = InterferingSource(base: portal) { [target] in
      try await target.put([PortalStone(id: "own", value: 7)])
    }
    _ = try await engine(source).run()
    #expect(try await stored() == portal.stones.union([PortalStone(id: "own", value: 7)]))
  }
}

/// A source that claims 100 rows and gives new ones for ever, or its first page again and again.
private final class CountedPortal: PagedSource {
  let pages = Lock(0)
  let options: SyncOptions
  private let isStuck: Bool
  private let counted: Int

  init(isStuck: Bool = false, counted: Int = 100, pageLimit: Int = 1_000) {
    self.isStuck = isStuck
    self.counted = counted
    options = SyncOptions(pageSize: 10, overlap: .zero, pageLimit: pageLimit)
  }

  var fingerprint: String { "counted" }

  func page(_ request: PageRequest) async throws -> Batch<PortalStone> {
    let page = pages.withLock { pages in
      pages += 1
      return isStuck ? 1 : pages
    }
    let stones = (0..<10).map { PortalStone(id: "\(page).\($0)", value: 0) }
    return Batch(
      records: stones,
      facts: PageMetadata(
        rowCount: 10, rowHashes: isStuck ? [] : (0..<10).map { UInt64(page * 10 + $0) },
        end: SyncPosition(stamp: ModelPortal.stamp(page), key: "\(page)")))
  }

  func count() async throws -> Int? { counted }
}

/// A source during whose answers somebody else writes to the store.
struct InterferingSource: PagedSource {
  let base: any PagedSource<PortalStone>
  let interfere: @Sendable () async throws -> Void
  var fingerprint: String { base.fingerprint }
  var options: SyncOptions { base.options }

  func page(_ request: PageRequest) async throws -> Batch<PortalStone> {
    try await interfere()
    return try await base.page(request)
  }
}
