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
    // Searching for each record would take most of the time.
    var places = Dictionary(
      records.enumerated().compactMap { place, record in record.map { ($0.id, place) } },
      uniquingKeysWith: { first, _ in first })
    var isAfterRemoveAll = false
    for step in steps {
      switch step {
      case .upsert(let record):
        if defect == .losesAfterRemoveAll, isAfterRemoveAll { continue }
        if defect == .losesReturned, removed.contains(record.id) { continue }
        let isKnown = before[id: record.id] != nil && !removed.contains(record.id)
        places[record.id] = upsert(record, at: places[record.id], isKnown: isKnown, &records)
      case .remove(let id):
        removed.insert(id)
        guard let place = places[id], defect != .neverRemoves else { continue }
        let returns = steps.contains {
          if case .upsert(let new) = $0 { new.id == id } else { false }
        }
        if defect == .returnsToOldPlace, returns { continue }
        if defect == .losesRemovalsOfLater, place >= openedCount { continue }
        records[place] = nil
        places[id] = nil
      case .removeAll:
        isAfterRemoveAll = true
        if defect != .neverRemoves, defect != .neverRemovesAll { (records, places) = ([], [:]) }
      }
    }
    if defect != .fillsFreedPlaces { records.removeAll { $0 == nil } }
  }

  /// Writes a record, and returns its place.
  private func upsert(
    _ record: ConformanceRecord, at place: Int?, isKnown: Bool,
    _ records: inout [ConformanceRecord?]
  ) -> Int {
    if let place {
      if isKnown || defect == .returnsToOldPlace, defect != .movesReplaced {
        if defect != .keepsOldValues { records[place] = record }
        return place
      }
      // Perhaps on disk still, though nobody sees it.
      records[place] = nil
    } else if defect == .fillsFreedPlaces, let free = records.firstIndex(of: nil) {
      records[free] = record
      return free
    }
    records.append(record)
    return records.count - 1
  }
}
