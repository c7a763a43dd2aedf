import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("A sync engine run that stops", .heavy)
struct SyncEngineStopTests {
  /// How many seeds are tried; `FIELDKIT_LONG=1 FIELDKIT_SEEDS=500` is the longest
  /// form, which `Scripts/Checks/soak-sync.sh` runs.
  static let seeds = Int(ProcessInfo.processInfo.environment["FIELDKIT_SEEDS"] ?? "") ?? 50

  static func engine(
    _ portal: ModelPortal, _ store: InMemoryStore<PortalStone>, _ deletion: DeletionPolicy,
    stopping stopper: Stopper = Stopper()
  ) -> SyncEngine<PortalStone> {
    SyncEngine(
      source: StoppingSource(base: portal, stopper: stopper),
      store: StoppingStore(base: store, stopper: stopper), deletion: deletion,
      snapshotGuard: SnapshotGuard(
        maximumRemovedFraction: 1, maximumFailedFraction: 1, pageSize: nil),
      clock: ImmediateClock())
  }

  static func filled(_ count: Int, pageSize: Int) -> ModelPortal {
    let portal = ModelPortal(pageSize: pageSize)
    portal.change { state in
      for number in 0..<count {
        // Many rows of one time, so that pages end within them.
        state.put(
          PortalStone(id: "s\(number)", value: number), after: number.isMultiple(of: 7) ? 1_000 : 0)
      }
    }
    return portal
  }

  static func check(
    _ store: InMemoryStore<PortalStone>, matches portal: ModelPortal, _ deletion: DeletionPolicy,
    _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let stored = Set(try await store.snapshot())
    if deletion == .never {
      #expect(portal.stones.isSubset(of: stored), comment, sourceLocation: sourceLocation)
    } else {
      #expect(stored == portal.stones, comment, sourceLocation: sourceLocation)
    }
  }

  // S19 of Docs/old-apps.md
  @Test(
    "a sync engine run that stops after any single step resumes to the same end",
    arguments: [DeletionPolicy.never, .bySnapshot, .byKeys])
  func everyStep(deletion: DeletionPolicy) async throws {
    var last = 0
    for step in Sample.steps(from: 0, apart: 3, inDebug: 6) {
      let portal = Self.filled(53, pageSize: 7)
      let store = InMemoryStore<PortalStone>()
      // What is stored before: an older state, so that rows change, come and go.
      _ = try await Self.engine(portal, store, deletion).run()
      portal.change { state in
        for number in [3, 20, 52] { state.put(PortalStone(id: "s\(number)", value: -number)) }
        for number in [0, 33] { state.delete("s\(number)") }
        for number in 60..<75 { state.put(PortalStone(id: "s\(number)", value: number)) }
      }
      var isDone = false
      do {
        _ = try await Self.engine(portal, store, deletion, stopping: Stopper(after: step)).run()
        isDone = true
      } catch is Stopped {}
      _ = try await Self.engine(portal, store, deletion).run()
      try await Self.check(store, matches: portal, deletion, "stopped after step \(step)")
      last = step
      if isDone { break }
    }
    #expect(last > 10)
  }

  // S19 of Docs/old-apps.md
  @Test("a sync engine run that stops at random steps while the portal changes loses nothing")
  func randomSteps() async throws {
    for seed in Sample.of(0..<UInt64(Self.seeds), 8) {
      try await Self.play(seed)
    }
  }

  /// One story: a portal that changes and lags, runs that stop, and at last one that does not.
  private static func play(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let deletion =
      [DeletionPolicy.never, .bySnapshot, .byKeys].randomElement(using: &random) ?? .never
    let portal = ModelPortal(
      pageSize: Int.random(in: 1...12, using: &random), reportsVersion: .random(using: &random))
    let store = InMemoryStore<PortalStone>()
    portal.change { state in
      state.cap = Bool.random(using: &random) ? Int.max : Int.random(in: 1...9, using: &random)
      // Rows become visible up to half the overlap late.
      state.lag = Bool.random(using: &random) ? 0 : Int.random(in: 0...30_000, using: &random)
      for _ in 0..<Int.random(in: 0...60, using: &random) { mutate(&state, &random) }
    }
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let stopper = Stopper(after: Int.random(in: 0...60, using: &random))
      let changes = Lock(random)
      portal.change { state in
        state.beforeAnswer = { _, state in
          changes.withLock { random in
            if Int.random(in: 0..<3, using: &random) == 0 { mutate(&state, &random) }
          }
        }
      }
      do {
        _ = try await engine(portal, store, deletion, stopping: stopper).run()
      } catch is Stopped {
      } catch let error as FieldError where error.code == .snapshotRefused {
        // A portal that has become empty is not believed.
      }
      random = changes.withLock { $0 }
      portal.change { state in
        state.now += Int.random(in: 0...100_000, using: &random)
        for _ in 0..<Int.random(in: 0...20, using: &random) { mutate(&state, &random) }
        if Int.random(in: 0..<6, using: &random) == 0 { state.replaceAll() }
      }
    }
    portal.change { state in
      state.beforeAnswer = nil
      if state.rows.isEmpty { state.put(PortalStone(id: "last", value: 1)) }
      state.now += 120_000
    }
    // The first of the two may have to end a full run that began before rows were deleted.
    _ = try await engine(portal, store, deletion).run()
    _ = try await engine(portal, store, deletion).run()
    try await check(store, matches: portal, deletion, "seed \(seed)")
  }

  private static func mutate(_ state: inout ModelPortal.State, _ random: inout SeededGenerator) {
    let id = "s\(Int.random(in: 0..<80, using: &random))"
    switch Int.random(in: 0..<5, using: &random) {
    case 0: state.delete(id)
    default:
      state.put(
        PortalStone(id: id, value: Int.random(in: 0..<1_000_000, using: &random)),
        after: Bool.random(using: &random) ? 0 : Int.random(in: 1...5_000, using: &random))
    }
  }
}
