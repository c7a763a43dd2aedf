@testable import FieldCore

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

/// A target that may stop before or after a transaction: after it, the commit has been done, and nobody has
/// learnt of it.
struct StoppingTarget<Record: StoredRecord>: SyncTarget {
  let base: any SyncTarget<Record>
  let stopper: Stopper

  func content() async throws -> SyncContent { try await base.content() }

  func beginRun() async throws -> any SyncTargetRun<Record> {
    try stopper.step()
    return StoppingRun(run: try await base.beginRun(), stopper: stopper)
  }
}

private struct StoppingRun<Record: StoredRecord>: SyncTargetRun {
  let run: any SyncTargetRun<Record>
  let stopper: Stopper

  var base: SyncContent { run.base }

  func update<Result: Sendable>(
    _ body: @escaping @Sendable (any SyncTransaction<Record>) throws -> Result
  ) async throws -> Result {
    try stopper.step()
    let result = try await run.update(body)
    try stopper.step()
    return result
  }
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

/// What tests do to a target besides syncing it.
extension SyncTarget {
  /// The records, in no order.
  func records() async throws -> [Record] {
    try await beginRun().update { transaction in
      try transaction.records(transaction.unseenIDs(limit: .max)).compactMap(\.self)
    }
  }

  func record(_ id: Record.ID) async throws -> Record? {
    try await beginRun().update { try $0.records([id])[0] }
  }

  /// Stores records as another writer does.
  func put(_ records: [Record], checkpoint: Checkpoint? = nil) async throws {
    try await beginRun().update { transaction in
      try transaction.store(records, over: transaction.records(records.map(\.id)))
      if let checkpoint { try transaction.store(checkpoint) }
    }
  }
}
