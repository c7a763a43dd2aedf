import FieldCore
import FieldTesting
import Foundation

/// A target that keeps to the contract, or that has one of the defects that the conformance suite must find.
final class DefectiveTarget: SyncTarget {
  typealias Record = ConformanceRecord

  enum Defect: CaseIterable {
    // Content.
    case startsWithCheckpoint, startsWithRecord, sortsFound, findsDeleted, keepsOld, removesFirst
    case countsLater, countsEarlier, forgetsCheckpoint, losesSubseconds, storesCheckpointLater
    case trimsTexts, foldsIDs, dropsBeyondThousand, movesBase
    // Transactions.
    case commitsFailure, hidesFailure, keepsFailedSightings, losesConcurrent, commitsCanceledHalf
    // Sightings.
    case seesNothing, seesStored, countsSameRow, countsNoRow, countsOnce, forgetsNothing
    case sharesSightings, ignoresLimit, returnsSeen
    // Reverting.
    case revertsNothing, keepsInserted, restoresRemoved, revertsToLast, forgetsInserted
    case ignoresMerge, revertsOthers
    // Reopening.
    case losesRecords, losesLastCheckpoint, keepsSightings

    /// The cases that must find the defect.
    var failingCases: Set<SyncTargetConformance.Case> {
      switch self {
      case .startsWithCheckpoint: [.emptyAtFirst, .cancellation]
      case .startsWithRecord: Self.everyCount
      case .sortsFound: [.storing]
      case .findsDeleted: [.storing]
      case .keepsOld: [.replacing]
      case .removesFirst: [.removal]
      case .countsLater, .countsEarlier: [.count]
      case .forgetsCheckpoint: [.checkpoint]
      case .losesSubseconds: [.checkpoint]
      case .storesCheckpointLater: [.checkpoint]
      case .trimsTexts, .foldsIDs: [.oddValues]
      case .dropsBeyondThousand: [.largeTransaction]
      case .movesBase: [.base]
      case .commitsFailure, .hidesFailure: [.failedTransaction]
      case .keepsFailedSightings: [.failedSightings]
      case .losesConcurrent: [.concurrentTransactions]
      case .commitsCanceledHalf: [.cancellation]
      case .seesNothing: [.sightings]
      case .seesStored: [.sightings]
      case .countsSameRow, .countsNoRow, .countsOnce: [.repeatedIDs]
      case .forgetsNothing: [.forgetting]
      case .sharesSightings: [.runsApart]
      case .ignoresLimit: [.limit]
      case .returnsSeen: [.sightings]
      case .revertsNothing: [.revertedChanges]
      case .keepsInserted: [.revertedInsertions]
      case .restoresRemoved: [.revertedInsertions]
      case .revertsToLast, .forgetsInserted: [.revertedTwice]
      case .ignoresMerge: [.merging]
      case .revertsOthers: [.othersKept]
      case .losesRecords, .losesLastCheckpoint, .keepsSightings: [.reopening]
      }
    }

    private static let everyCount: Set<SyncTargetConformance.Case> = [.emptyAtFirst]
  }

  struct Content {
    var records: [String: Record] = [:]
    var checkpoint: Checkpoint?
  }

  /// What remains when a target is opened again.
  final class Disk: Sendable {
    let content = Lock(Content())
    /// The IDs that runs have seen, if they don't forget them.
    let sightings = Lock<[String: UInt64]>([:])
  }

  let disk: Disk
  let defect: Defect?

  init(_ defect: Defect? = nil, on disk: Disk = Disk()) {
    (self.defect, self.disk) = (defect, disk)
    disk.content.withLock { content in
      switch defect {
      case .startsWithCheckpoint where content.checkpoint == nil:
        content.checkpoint = Checkpoint(fingerprint: "odd")
      case .startsWithRecord where content.records.isEmpty:
        content.records["odd"] = Record(id: "odd")
      case .losesRecords: content.records = content.records.filter { $0.value.number < 20 }
      case .losesLastCheckpoint: content.checkpoint = nil
      default: break
      }
    }
  }

  func content() async throws -> SyncContent {
    disk.content.withLock { SyncContent(checkpoint: $0.checkpoint, count: $0.records.count) }
  }

  func beginRun() async throws -> any SyncTargetRun<Record> {
    DefectiveRun(self, over: disk.content.withLock { $0 })
  }
}

private final class DefectiveRun: SyncTargetRun {
  typealias Record = ConformanceRecord

  struct State {
    var seen: [String: UInt64] = [:]
    /// The earlier values of changed records, which inserted ones didn't have.
    var earlier: [String: Record?] = [:]
  }

  let target: DefectiveTarget
  private let first: SyncContent
  let state: Lock<State>

  init(_ target: DefectiveTarget, over content: DefectiveTarget.Content) {
    self.target = target
    first = SyncContent(checkpoint: content.checkpoint, count: content.records.count)
    var state = State()
    if target.defect == .sharesSightings || target.defect == .keepsSightings {
      state.seen = target.disk.sightings.withLock { $0 }
    }
    self.state = Lock(state)
  }

  var base: SyncContent {
    guard target.defect == .movesBase else { return first }
    return target.disk.content.withLock {
      SyncContent(checkpoint: $0.checkpoint, count: $0.records.count)
    }
  }

  func update<Result: Sendable>(
    _ body: @escaping @Sendable (any SyncTransaction<Record>) throws -> Result
  ) async throws -> Result {
    if target.defect != .commitsCanceledHalf { try Task.checkCancellation() }
    if target.defect == .losesConcurrent {
      // It reads before others have written.
      let content = target.disk.content.withLock { $0 }
      for _ in 0..<20 { await Task.yield() }
      return try commit(body, over: content)
    }
    return try target.disk.content.withLock { content in
      let transaction = DefectiveTransaction(self, content, state.withLock { $0 })
      return try finish(transaction, body, &content)
    }
  }

  private func commit<Result: Sendable>(
    _ body: (any SyncTransaction<Record>) throws -> Result, over content: DefectiveTarget.Content
  ) throws -> Result {
    let transaction = DefectiveTransaction(self, content, state.withLock { $0 })
    var next = content
    let result = try finish(transaction, body, &next)
    target.disk.content.withLock { $0 = next }
    return result
  }

  private func finish<Result: Sendable>(
    _ transaction: DefectiveTransaction,
    _ body: (any SyncTransaction<Record>) throws -> Result,
    _ content: inout DefectiveTarget.Content
  ) throws -> Result {
    do {
      let result = try body(transaction)
      keep(transaction, &content)
      return result
    } catch {
      switch target.defect {
      case .commitsFailure: keep(transaction, &content)
      case .keepsFailedSightings: state.withLock { $0.seen = transaction.state.seen }
      case .hidesFailure: throw FieldError(.io, "The transaction failed.")
      default: break
      }
      throw error
    }
  }

  private func keep(
    _ transaction: DefectiveTransaction, _ content: inout DefectiveTarget.Content
  ) {
    var next = transaction.content
    switch target.defect {
    case .forgetsCheckpoint where !transaction.hasStoredCheckpoint: next.checkpoint = nil
    case .losesSubseconds:
      if let time = next.checkpoint?.lastSuccess?.timeIntervalSince1970 {
        next.checkpoint?.lastSuccess = Date(timeIntervalSince1970: time.rounded(.down))
      }
    case .commitsCanceledHalf where Task.isCancelled: next.checkpoint = content.checkpoint
    default: break
    }
    content = next
    state.withLock { $0 = transaction.state }
    if target.defect == .sharesSightings || target.defect == .keepsSightings {
      target.disk.sightings.withLock { $0.merge(transaction.state.seen) { $1 } }
    }
  }
}

private final class DefectiveTransaction: SyncTransaction {
  typealias Record = ConformanceRecord

  var content: DefectiveTarget.Content
  var state: DefectiveRun.State
  private(set) var hasStoredCheckpoint = false
  private let before: DefectiveTarget.Content
  private let defect: DefectiveTarget.Defect?

  init(
    _ run: DefectiveRun, _ content: DefectiveTarget.Content, _ state: DefectiveRun.State
  ) {
    (self.content, before, self.state) = (content, content, state)
    defect = run.target.defect
  }

  var checkpoint: Checkpoint? {
    defect == .storesCheckpointLater ? before.checkpoint : content.checkpoint
  }

  var count: Int {
    switch defect {
    case .countsLater: content.records.count
    case .countsEarlier: max(0, before.records.count - (before.records.count == 3 ? 1 : 0))
    default: before.records.count
    }
  }

  func records(_ ids: [String]) -> [Record?] {
    let found = ids.map { content.records[$0] }
    switch defect {
    case .sortsFound:
      return found.sorted { ($0?.id ?? "~") < ($1?.id ?? "~") }
    case .findsDeleted: return found.map { $0 ?? Record(id: "not there") }
    default: return found
    }
  }

  func store(_ records: [Record], over stored: [Record?]) {
    let records = defect == .dropsBeyondThousand ? Array(records.prefix(1_000)) : records
    for record in records {
      var record = record
      switch defect {
      case .keepsOld where content.records[record.id] != nil: continue
      case .trimsTexts: record.text = record.text.trimmingCharacters(in: .whitespaces)
      case .foldsIDs: record.id = record.id.lowercased()
      default: break
      }
      if defect == .revertsToLast || state.earlier[record.id] == nil {
        state.earlier[record.id] = .some(content.records[record.id])
      }
      content.records[record.id] = record
    }
  }

  func remove(_ ids: [String]) {
    for id in defect == .removesFirst ? Array(ids.prefix(1)) : ids {
      content.records[id] = nil
    }
  }

  func store(_ checkpoint: Checkpoint) {
    content.checkpoint = checkpoint
    hasStoredCheckpoint = true
  }

  func see(_ ids: [String], rows: [UInt64]?) -> Int {
    guard defect != .seesNothing || rows != nil else { return 0 }
    var repeated = 0
    for (place, id) in ids.enumerated() {
      let row = rows?[place]
      let known = state.seen[id]
      if known != nil, let row, row != known || defect == .countsSameRow { repeated += 1 }
      if known != nil, row == nil, defect == .countsNoRow { repeated += 1 }
      if known == nil || row != nil && defect != .countsOnce { state.seen[id] = row ?? 0 }
    }
    return repeated
  }

  func forgetSeen() { if defect != .forgetsNothing { state.seen = [:] } }

  func unseenIDs(limit: Int) -> [String] {
    if defect == .returnsSeen { return content.records.keys.sorted() }
    let unseen = content.records.keys.sorted().filter { id in
      if defect == .seesStored, id == "inserted" { return true }
      return state.seen[id] == nil
    }
    return defect == .ignoresLimit ? unseen : Array(unseen.prefix(limit))
  }

  func revert(merging merge: ((_ current: Record, _ earlier: Record) -> Record)?) {
    guard defect != .revertsNothing else { return }
    for (id, earlier) in state.earlier {
      guard let current = content.records[id] else {
        if defect == .restoresRemoved { content.records[id] = earlier }
        continue
      }
      guard let earlier else {
        if defect != .keepsInserted { content.records[id] = nil }
        continue
      }
      content.records[id] = defect == .ignoresMerge ? earlier : merge?(current, earlier) ?? earlier
    }
    if defect == .forgetsInserted, content.records.isEmpty {
      content.records["left"] = Record(id: "left")
    }
    if defect == .revertsOthers { content.records["another's"] = nil }
  }
}
