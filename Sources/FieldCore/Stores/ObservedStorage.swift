/// A storage whose stores of records report to an observer.
struct ObservedStorage: StorageProvider {
  let base: any StorageProvider
  let observer: FieldObserver?

  func records<Record: StoredRecord>(
    _ name: String, of type: Record.Type
  ) throws -> any RecordStore<Record> {
    ObservedStore(base: try base.records(name, of: type), name: name, observer: observer)
  }

  func blobs(_ name: String) throws -> any BlobStore { try base.blobs(name) }

  func assets(_ name: String) throws -> AssetDirectory? { try base.assets(name) }

  func journals(_ name: String) throws -> JournalDirectory { try base.journals(name) }

  func observed(by observer: FieldObserver) -> any StorageProvider {
    ObservedStorage(base: base, observer: self.observer?.and(observer) ?? observer)
  }
}

/// A store of any kind that reports its openings and commits to an observer.
struct ObservedStore<Record: StoredRecord>: ForwardingRecordStore {
  let base: any RecordStore<Record>
  let name: String
  let observer: FieldObserver?

  func target() -> any RecordStore<Record> { base }

  func open() async throws -> OpeningReport {
    try await span(.storeOpen).run(\.measures) { try await base.open() }
  }

  func commit(
    _ changes: Changes<Record>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    let span = span(.storeCommit)
    return try await span.reportingFailure {
      if !changes.isEmpty || checkpoint != nil { span?.begin() }
      let revision = try await base.commit(changes, checkpoint: checkpoint, expecting: expecting)
      span?.end([.revision: Int(clamping: revision.number), .records: changes.count])
      return revision
    }
  }

  func update(
    _ body: (Snapshot<Record>, inout Changes<Record>, inout Checkpoint?) throws -> Void
  ) async throws -> Revision {
    let span = span(.storeCommit)
    var count = 0
    return try await span.reportingFailure {
      let revision = try await base.update { snapshot, changes, checkpoint in
        do {
          try body(snapshot, &changes, &checkpoint)
        } catch {
          span?.abandon()
          throw error
        }
        count = changes.count
        if !changes.isEmpty || checkpoint != snapshot.checkpoint { span?.begin() }
      }
      span?.end([.revision: Int(clamping: revision.number), .records: count])
      return revision
    }
  }

  func updates() -> SnapshotUpdates<Record> { base.updates() }

  private func span(_ event: FieldEvent.Name) -> FieldSpan? {
    FieldSpan(
      event, of: name, observers: [observer].compactMap(\.self), clock: .system)
  }
}

extension OpeningReport {
  /// The quantities of the report, for observers.
  package var measures: [FieldEvent.Measure: Int] {
    [
      .revision: Int(clamping: revision.number), .records: recordCount, .bytes: byteCount,
      .cuts: cuts.count,
    ]
  }
}
