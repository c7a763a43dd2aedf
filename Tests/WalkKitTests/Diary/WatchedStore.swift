import FieldCore
import WalkKit

/// A diary's store in which something happens once at a certain moment, or that fails.
final class WatchedStore: ForwardingRecordStore {
  typealias Record = WalkRecord
  typealias Step = @Sendable () async throws -> Void

  /// The moments at which a step can run.
  enum Moment {
    case beforeRead, afterDurableRead, beforeChange
  }

  private let base: any WalkRepository
  private let steps = Lock<[Moment: [Step]]>([:])

  init(_ base: any WalkRepository) { self.base = base }

  func target() -> any RecordStore<WalkRecord> { base }

  /// Runs a step once, before what happens next at a moment, or after `skipping` of them.
  func next(_ moment: Moment, skipping count: Int = 0, _ step: @escaping Step) {
    steps.withLock { $0[moment, default: []] += Array(repeating: {}, count: count) + [step] }
  }

  private func run(_ moment: Moment) async throws {
    let step = steps.withLock { steps in
      steps[moment]?.isEmpty == false ? steps[moment]?.removeFirst() : nil
    }
    try await step?()
  }

  func snapshot() async throws -> Snapshot<WalkRecord> {
    try await run(.beforeRead)
    return try await base.snapshot()
  }

  func durableSnapshot() async throws -> Snapshot<WalkRecord> {
    let snapshot = try await base.durableSnapshot()
    try await run(.afterDurableRead)
    return snapshot
  }

  func update(
    _ body: (Snapshot<WalkRecord>, inout Changes<WalkRecord>, inout Checkpoint?) throws -> Void
  ) async throws -> Revision {
    try await run(.beforeChange)
    return try await base.update(body)
  }
}
