import FieldCore

/// What a stopped process throws, so to speak.
struct Stopped: Error {}

/// Counts the steps of a run and stops it at one of them.
final class Stopper: Sendable {
  private let state: Lock<(step: Int, limit: Int)>

  init(after limit: Int = .max) { state = Lock((0, limit)) }

  var steps: Int { state.withLock(\.step) }

  func step() throws {
    try state.withLock { state in
      state.step += 1
      if state.step > state.limit { throw Stopped() }
    }
  }
}

/// A store that may stop before or after a commit: after it, the commit has been done, and nobody has
/// learnt of it.
struct StoppingStore: RecordStore {
  let base: InMemoryStore<PortalStone>
  let stopper: Stopper

  func snapshot() async throws -> Snapshot<PortalStone> {
    try stopper.step()
    return try await base.snapshot()
  }

  func commit(
    _ changes: Changes<PortalStone>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    try stopper.step()
    let revision = try await base.commit(changes, checkpoint: checkpoint, expecting: expecting)
    try stopper.step()
    return revision
  }

  func updates() -> SnapshotUpdates<PortalStone> { base.updates() }
}

/// A source that may stop before or after an answer.
struct StoppingSource: PagedSource {
  let base: ModelPortal
  let stopper: Stopper

  var fingerprint: String { base.fingerprint }
  var options: SyncOptions { base.options }
  var isIncremental: Bool { base.isIncremental }

  func page(_ request: PageRequest) async throws -> Batch<PortalStone> {
    try stopper.step()
    let page = try await base.page(request)
    try stopper.step()
    return page
  }

  func keys(_ request: PageRequest) async throws -> KeyPage<String> {
    try stopper.step()
    let page = try await base.keys(request)
    try stopper.step()
    return page
  }

  func count() async throws -> Int? { try await base.count() }
}
