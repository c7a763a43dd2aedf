import FieldCore
import FieldTesting
import Foundation

/// A store with at most one planted defect, which the conformance suite has to find.
final class DefectiveStore: RecordStore {
  enum Defect: CaseIterable, Sendable {
    // Content.
    case startsWithCheckpoint, startsLater, sortsByID, movesOnUpdate, keepsRemoved, failsOnAbsent
    case returnsToOldPlace, firstStepWins, ignoresRemoveAll, losesAfterRemoveAll, losesIDs
    case cutsAtZero, composesText, dropsBeyondThousand, forgetsChangedIDs
    // Commits.
    case showsHalf, showsCheckpointLater, forgetsCheckpoint, losesSubseconds, ignoresBareCheckpoint
    case keepsRevision, returnsOldRevision, failsOnNothing, losesCheckpointOnNothing
    case refusesExpected, ignoresExpected, conflictClears, conflictIsFailure, losesConcurrent
    // Snapshots and updates.
    case changesSnapshots, skipsCurrent, endsUpdates, losesUpdatedCheckpoint, givesOldest
    case servesOneObserver, throwsWhenCancelled, ignoresCancellation
  }

  private let defect: Defect?
  let hub: SnapshotHub<ConformanceRecord>
  private let asyncLock = AsyncLock()
  private let firstOrder = Lock<[String]>([])
  private let observerCount = Lock(0)
  private let fullObservers = Lock<[AsyncStream<Snapshot<ConformanceRecord>>.Continuation]>([])

  init(_ defect: Defect? = nil) {
    self.defect = defect
    hub = SnapshotHub(
      Snapshot(
        [], revision: defect == .startsLater ? Revision(number: 7) : .zero,
        checkpoint: defect == .startsWithCheckpoint ? Checkpoint(fingerprint: "odd") : nil))
  }

  /// Creates a sound store with content.
  init(_ content: Snapshot<ConformanceRecord>) {
    defect = nil
    hub = SnapshotHub(content)
  }

  func snapshot() async throws -> Snapshot<ConformanceRecord> {
    let current = hub.current
    guard defect == .changesSnapshots, current.revision.number == 4, current.count == 40 else {
      return current
    }
    // As a reader of a live table would see it: with what comes a moment later.
    return current.applying(Changes(upserting: [ConformanceRecord(id: "new 3")]))
  }

  func commit(
    _ changes: Changes<ConformanceRecord>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    guard defect == .losesConcurrent else {
      return try await asyncLock.withLock { try await step(changes, checkpoint, expecting) }
    }
    return try await step(changes, checkpoint, expecting)
  }

  private func step(
    _ changes: Changes<ConformanceRecord>, _ checkpoint: Checkpoint?, _ expecting: Revision?
  ) async throws -> Revision {
    let current = hub.current
    if let expecting, defect == .refusesExpected || expecting != current.revision {
      switch defect {
      case .ignoresExpected: break
      case .conflictClears:
        hub.publish(Snapshot([], revision: current.revision, checkpoint: current.checkpoint))
        throw FieldError(.conflict, "moved on")
      case .conflictIsFailure: throw FieldError(.io, "moved on")
      default: throw FieldError(.conflict, "moved on")
      }
    }
    if defect == .losesConcurrent { await Race.current?.everyParticipantArrives() }
    var (steps, checkpoint) = (changes.steps, checkpoint)
    if try spoil(&steps, &checkpoint, current) { return current.revision }
    guard let next = current.advanced(by: Changes(steps).runs, checkpoint: checkpoint)?.snapshot
    else {
      if defect == .losesCheckpointOnNothing {
        hub.publish(Snapshot(Array(current), revision: current.revision))
      }
      return current.revision
    }
    let result = spoiled(next, from: current, by: steps, checkpoint)
    if defect == .showsHalf, next.first?.id == "first" {
      hub.publish(Snapshot(next.prefix(2), revision: next.revision, checkpoint: next.checkpoint))
      await Race.current?.readersRead()
    }
    if defect == .showsCheckpointLater, next.checkpoint != current.checkpoint {
      hub.publish(Snapshot(Array(next), revision: next.revision, checkpoint: current.checkpoint))
      await Race.current?.readersRead()
    }
    hub.publish(result)
    for observer in fullObservers.withLock({ $0 }) { observer.yield(result) }
    return defect == .returnsOldRevision && result.count == 2 && result.first?.id == "a"
      ? current.revision : result.revision
  }

  /// Spoils what is to be committed; true when it is not to be committed at all.
  private func spoil(
    _ steps: inout [StoreStep], _ checkpoint: inout Checkpoint?,
    _ current: Snapshot<ConformanceRecord>
  ) throws -> Bool {
    switch defect {
    case .keepsRemoved: steps.removeAll { if case .remove("r0") = $0 { true } else { false } }
    case .ignoresRemoveAll: steps.removeAll { if case .removeAll = $0 { true } else { false } }
    case .losesAfterRemoveAll: if case .removeAll? = steps.first { steps = [.removeAll] }
    case .dropsBeyondThousand: steps = Array(steps.prefix(1_000))
    case .firstStepWins:
      var seen: Set<String> = []
      steps.removeAll {
        if case .upsert(let new) = $0 { !seen.insert(new.id).inserted } else { false }
      }
    case .failsOnAbsent:
      for case .remove(let id) in steps where current[id: id] == nil && id == "not there either" {
        throw FieldError(.invalidInput, "\(id) is not there")
      }
    case .failsOnNothing where steps.isEmpty && checkpoint == nil:
      throw FieldError(.invalidInput, "there is nothing to do")
    case .ignoresBareCheckpoint: return steps.isEmpty
    case .losesSubseconds:
      if let time = checkpoint?.lastSuccess?.timeIntervalSince1970 {
        checkpoint?.lastSuccess = Date(timeIntervalSince1970: time.rounded(.down))
      }
    case .cutsAtZero: steps = steps.map { spoilText($0) { String($0.prefix { $0 != "\u{0}" }) } }
    case .composesText: steps = steps.map { spoilText($0, \.precomposedStringWithCanonicalMapping) }
    default: break
    }
    return false
  }

  private func spoilText(
    _ step: StoreStep, _ change: (String) -> String
  ) -> StoreStep {
    guard case .upsert(var record) = step else { return step }
    record.text = change(record.text)
    return .upsert(record)
  }

  /// Spoils what was made of it.
  private func spoiled(
    _ next: Snapshot<ConformanceRecord>, from current: Snapshot<ConformanceRecord>,
    by steps: [StoreStep], _ checkpoint: Checkpoint?
  ) -> Snapshot<ConformanceRecord> {
    let upserted = steps.compactMap { if case .upsert(let new) = $0 { new.id } else { nil } }
    func ordered(_ records: [ConformanceRecord]) -> Snapshot<ConformanceRecord> {
      Snapshot(records, revision: next.revision, checkpoint: next.checkpoint)
    }
    switch defect {
    case .sortsByID where next[id: "z"] != nil: return ordered(next.sorted { $0.id < $1.id })
    case .movesOnUpdate:
      let moved = Set(upserted)
      return ordered(next.filter { !moved.contains($0.id) } + next.filter { moved.contains($0.id) })
    case .returnsToOldPlace:
      let order = firstOrder.withLock { order in
        let known = Set(order)
        order += next.map(\.id).filter { !known.contains($0) }
        return Dictionary(uniqueKeysWithValues: zip(order, order.indices))
      }
      return ordered(next.sorted { order[$0.id, default: 0] < order[$1.id, default: 0] })
    case .losesIDs where next.count == 99:
      // Listed under one id and found under another.
      return ordered(next.map { ConformanceRecord(id: $0.id.uppercased(), number: $0.number) })
    case .forgetsChangedIDs:
      var log = current.log
      log.append(Array(upserted.prefix(1)), revision: next.revision)
      return Snapshot(
        content: next.content, revision: next.revision, checkpoint: next.checkpoint, log: log)
    case .forgetsCheckpoint:
      return Snapshot(Array(next), revision: next.revision, checkpoint: checkpoint)
    case .keepsRevision where next.count == 2 && next.first?.id == "a":
      return Snapshot(Array(next), revision: current.revision, checkpoint: next.checkpoint)
    default: return next
    }
  }

  func updates() -> SnapshotUpdates<ConformanceRecord> {
    SnapshotUpdates { [self] in
      if Task.isCancelled {
        if defect == .throwsWhenCancelled { throw FieldError(.io, "cancelled") }
        if defect == .ignoresCancellation { await sleepOn() }
      }
      let number = observerCount.withLock { count in
        count += 1
        return count
      }
      if defect == .givesOldest {
        let (stream, continuation) = AsyncStream<Snapshot<ConformanceRecord>>.makeStream(
          bufferingPolicy: .bufferingOldest(40))
        continuation.yield(hub.current)
        fullObservers.withLock { $0.append(continuation) }
        return stream
      }
      let isServed = defect != .endsUpdates && (defect != .servesOneObserver || number == 1)
      return spoiled(hub.observe(owner: 0), isServed: isServed)
    }
  }

  private func spoiled(
    _ stream: AsyncStream<Snapshot<ConformanceRecord>>, isServed: Bool
  ) -> AsyncStream<Snapshot<ConformanceRecord>> {
    let spoilers: [Defect] = [.skipsCurrent, .losesUpdatedCheckpoint]
    guard !isServed || defect.map(spoilers.contains) == true else { return stream }
    let (out, continuation) = AsyncStream<Snapshot<ConformanceRecord>>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let work = Task { [defect] in
      var isFirst = true
      for await snapshot in stream {
        switch defect {
        case .skipsCurrent where isFirst && snapshot.count == 2: continuation.yield(Snapshot([]))
        case .losesUpdatedCheckpoint where snapshot.checkpoint?.fingerprint == "new":
          continuation.yield(Snapshot(Array(snapshot), revision: snapshot.revision))
        default: continuation.yield(snapshot)
        }
        isFirst = false
        if !isServed { break }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in work.cancel() }
    return out
  }

  /// Sleeps although the task is cancelled.
  private func sleepOn() async {
    await Task.detached {
      let clock: any FieldClock = .system
      try? await clock.sleep(for: .seconds(90))
    }.value
  }
}

/// A step of a batch by itself, to be spoiled.
enum StoreStep {
  case upsert(ConformanceRecord)
  case remove(String)
  case removeAll
}

extension Changes<ConformanceRecord> {
  var steps: [StoreStep] {
    runs.flatMap { run in
      switch run {
      case .upserts(let records): records.map(StoreStep.upsert)
      case .removals(let ids): ids.map(StoreStep.remove)
      case .removeAll: [StoreStep.removeAll]
      }
    }
  }

  fileprivate init(_ steps: [StoreStep]) {
    self.init()
    for step in steps {
      switch step {
      case .upsert(let record): upsert(record)
      case .remove(let id): remove(id)
      case .removeAll: removeAll()
      }
    }
  }
}
