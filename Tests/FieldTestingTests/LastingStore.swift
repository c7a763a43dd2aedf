import FieldCore
import FieldTesting

/// A store with content that is opened again, and with at most one planted defect in what it keeps.
final class LastingStore: RecordStore {
  /// What is wrong on disk; the store in memory is sound, so only opening it again shows that.
  enum Defect: CaseIterable, Sendable {
    case neverRemoves, neverRemovesAll, keepsOldValues, movesReplaced, sortsByID, fillsFreedPlaces
    case returnsToOldPlace, losesReturned, losesAfterRemoveAll, losesRemovalsOfLater
  }

  /// What is kept while the store isn't open.
  final class Disk: Sendable {
    fileprivate struct Content: Sendable {
      var records: [ConformanceRecord?] = []
      var revision = Revision.zero
      var checkpoint: Checkpoint?
    }

    fileprivate let content = Lock(Content())
  }

  private let defect: Defect?
  private let disk: Disk
  private let base: DefectiveStore
  private let turn = AsyncLock()
  /// The number of records on disk when the store was opened.
  private let openedCount: Int

  init(_ disk: Disk, _ defect: Defect? = nil) {
    self.defect = defect
    self.disk = disk
    let content = disk.content.withLock { content in
      content.records.removeAll { $0 == nil }
      return content
    }
    var records = content.records.compactMap(\.self)
    if defect == .sortsByID { records.sort { $0.id < $1.id } }
    openedCount = records.count
    base = DefectiveStore(
      Snapshot(records, revision: content.revision, checkpoint: content.checkpoint))
  }

  func snapshot() async throws -> Snapshot<ConformanceRecord> { try await base.snapshot() }

  func updates() -> SnapshotUpdates<ConformanceRecord> { base.updates() }

  func commit(
    _ changes: Changes<ConformanceRecord>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    try await turn.withLock {
      let before = try await base.snapshot()
      let revision = try await base.commit(changes, checkpoint: checkpoint, expecting: expecting)
      disk.content.withLock { content in
        write(changes.steps, before, &content.records)
        content.revision = revision
        content.checkpoint = checkpoint ?? content.checkpoint
      }
      return revision
    }
  }

  private func write(
    _ steps: [StoreStep], _ before: Snapshot<ConformanceRecord>,
    _ records: inout [ConformanceRecord?]
  ) {
    var removed: Set<String> = []
    // Most records are new, and need no search for their place.
    var stored = Set(records.compactMap { $0?.id })
    var isAfterRemoveAll = false
    for step in steps {
      switch step {
      case .upsert(let record):
        if defect == .losesAfterRemoveAll, isAfterRemoveAll { continue }
        if defect == .losesReturned, removed.contains(record.id) { continue }
        let isNew = stored.insert(record.id).inserted
        let place = isNew ? nil : records.firstIndex { $0?.id == record.id }
        let isKnown = before[id: record.id] != nil && !removed.contains(record.id)
        upsert(record, at: place, isKnown: isKnown, &records)
      case .remove(let id):
        removed.insert(id)
        let place = records.firstIndex { $0?.id == id }
        guard let place, defect != .neverRemoves else { continue }
        let returns = steps.contains {
          if case .upsert(let new) = $0 { new.id == id } else { false }
        }
        if defect == .returnsToOldPlace, returns { continue }
        if defect == .losesRemovalsOfLater, place >= openedCount { continue }
        records[place] = nil
      case .removeAll:
        isAfterRemoveAll = true
        if defect != .neverRemoves, defect != .neverRemovesAll { records = [] }
      }
    }
    if defect != .fillsFreedPlaces { records.removeAll { $0 == nil } }
  }

  private func upsert(
    _ record: ConformanceRecord, at place: Int?, isKnown: Bool,
    _ records: inout [ConformanceRecord?]
  ) {
    if let place, isKnown || defect == .returnsToOldPlace {
      switch defect {
      case .keepsOldValues: break
      case .movesReplaced:
        records[place] = nil
        records.append(record)
      default: records[place] = record
      }
    } else if let place {
      // On disk still, though nobody sees it.
      records.remove(at: place)
      records.append(record)
    } else if defect == .fillsFreedPlaces, let free = records.firstIndex(of: nil) {
      records[free] = record
    } else {
      records.append(record)
    }
  }
}
