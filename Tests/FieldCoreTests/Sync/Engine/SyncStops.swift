@testable import FieldCore
import FieldFakes
import Foundation
import Testing

/// The runs of a sync engine that stop, on any target.
enum SyncStops {
  static func engine(
    _ portal: ModelPortal, _ target: any SyncTarget<PortalStone>, _ deletion: DeletionPolicy,
    stopping stopper: Stopper = Stopper()
  ) -> SyncEngine<PortalStone> {
    SyncEngine(
      source: StoppingSource(base: portal, stopper: stopper),
      store: StoppingTarget(base: target, stopper: stopper), deletion: deletion,
      snapshotGuard: SnapshotGuard(
        maximumRemovedFraction: 1, maximumFailedFraction: 1, pageSize: nil),
      clock: ImmediateClock())
  }

  static func check(
    _ target: any SyncTarget<PortalStone>, matches portal: ModelPortal, _ deletion: DeletionPolicy,
    _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let stored = Set(try await target.records())
    if deletion == .never {
      #expect(portal.stones.isSubset(of: stored), comment, sourceLocation: sourceLocation)
    } else {
      #expect(stored == portal.stones, comment, sourceLocation: sourceLocation)
    }
  }

  /// Stops a run after a step, and ends another one.
  ///
  /// - Returns: Whether the first one ended before the step.
  static func stop(
    after step: Int, _ deletion: DeletionPolicy, on target: any SyncTarget<PortalStone>
  ) async throws -> Bool {
    let portal = ModelPortal.filled(53, pageSize: 7)
    // What is stored before: an older state, so that rows change, come and go.
    _ = try await engine(portal, target, deletion).run()
    portal.change { state in
      for number in [3, 20, 52] { state.put(PortalStone(id: "s\(number)", value: -number)) }
      for number in [0, 33] { state.delete("s\(number)") }
      for number in 60..<75 { state.put(PortalStone(id: "s\(number)", value: number)) }
    }
    var isDone = false
    do {
      _ = try await engine(portal, target, deletion, stopping: Stopper(after: step)).run()
      isDone = true
    } catch is Stopped {}
    _ = try await engine(portal, target, deletion).run()
    try await check(target, matches: portal, deletion, "stopped after step \(step)")
    return isDone
  }

  /// One story: a portal that changes and lags, runs that stop, and at last one that does not.
  static func play<Random: RandomNumberGenerator & Sendable>(
    _ random: Random, on target: any SyncTarget<PortalStone>, _ comment: Comment
  ) async throws {
    var random = random
    let deletion =
      [DeletionPolicy.never, .bySnapshot, .byKeys].randomElement(using: &random) ?? .never
    let portal = ModelPortal(
      pageSize: Int.random(in: 1...12, using: &random), reportsVersion: .random(using: &random))
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
        _ = try await engine(portal, target, deletion, stopping: stopper).run()
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
    _ = try await engine(portal, target, deletion).run()
    _ = try await engine(portal, target, deletion).run()
    try await check(target, matches: portal, deletion, comment)
  }

  private static func mutate(
    _ state: inout ModelPortal.State, _ random: inout some RandomNumberGenerator
  ) {
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
