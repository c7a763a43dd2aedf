internal import FieldCore

/// A target that keeps its checkpoint and none of its records, so that all memory is that of reading.
final class ForgetfulTarget<Record: StoredRecord>: SyncTarget, SyncTargetRun {
  private let checkpoint = Mutexed<Checkpoint?>(nil)

  var base: SyncContent { SyncContent(checkpoint: checkpoint.value, count: 0) }

  func content() async throws -> SyncContent { base }

  func beginRun() async throws -> any SyncTargetRun<Record> { self }

  func update<Result: Sendable>(
    _ body: @escaping @Sendable (any SyncTransaction<Record>) throws -> Result
  ) async throws -> Result {
    let transaction = Transaction(checkpoint.value)
    let result = try body(transaction)
    checkpoint.value = transaction.checkpoint
    return result
  }

  private final class Transaction: SyncTransaction {
    private(set) var checkpoint: Checkpoint?
    let count = 0

    init(_ checkpoint: Checkpoint?) { self.checkpoint = checkpoint }

    func records(_ ids: [Record.ID]) -> [Record?] { ids.map { _ in nil } }
    func store(_ records: [Record], over stored: [Record?]) {}
    func remove(_ ids: [Record.ID]) {}
    func store(_ checkpoint: Checkpoint) { self.checkpoint = checkpoint }
    func see(_ ids: [Record.ID], rows: [UInt64]?) -> Int { 0 }
    func forgetSeen() {}
    func unseenIDs(limit: Int) -> [Record.ID] { [] }
    func revert(merging merge: ((_ current: Record, _ earlier: Record) -> Record)?) {}
  }
}
