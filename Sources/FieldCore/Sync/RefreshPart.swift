package import FieldFoundation

/// A part of a kit that is refreshed separately, such as a table or a feed.
package struct RefreshPart: Sendable {
  /// The state of a part's content.
  package struct Status: Sendable {
    /// The date when the source last confirmed the content.
    package var lastSuccess: Date?
    /// A Boolean value that indicates whether the content is what a refresh would store.
    ///
    /// It isn't if it is empty, from an unfinished run, or read from another source or in another
    /// way.
    package var isComplete: Bool
    package var recordCount: Int

    package init(lastSuccess: Date?, isComplete: Bool = true, recordCount: Int = 0) {
      self.lastSuccess = lastSuccess
      self.isComplete = isComplete
      self.recordCount = recordCount
    }
  }

  /// A reporter of a part's progress, with the trigger of the refresh.
  package struct Progress: Sendable {
    package let trigger: RefreshTrigger
    let broadcast: RefreshBroadcast
    var span: FieldSpan?
    var index = 0
    var partCount = 1

    /// Reports a step of the part.
    package func send(_ phase: RefreshProgress.Phase, _ fraction: Double, rows: Int? = nil) {
      broadcast.send(phase, (Double(index) + fraction) / Double(partCount), rows: rows)
    }
  }

  package let name: String
  let policy: RefreshPolicy
  let isMain: Bool
  let status: @Sendable () async throws -> Status
  let schedule: (@Sendable () async throws -> Date?)?
  let work: @Sendable (Progress) async throws -> RefreshReport

  /// Creates a part.
  ///
  /// - Parameters:
  ///   - name: The name of the part in messages, a plural such as `animals`.
  ///   - isMain: A Boolean value that indicates whether the kit's age and failure are those of this
  ///     part.
  ///   - schedule: A closure that returns the date of the next refresh, if the source determines
  ///     it.
  package init(
    _ name: String, policy: RefreshPolicy, isMain: Bool = true,
    status: @escaping @Sendable () async throws -> Status = { Status(lastSuccess: nil) },
    schedule: (@Sendable () async throws -> Date?)? = nil,
    work: @escaping @Sendable (Progress) async throws -> RefreshReport
  ) {
    self.name = name
    self.policy = policy
    self.isMain = isMain
    self.status = status
    self.schedule = schedule
    self.work = work
  }

  /// Returns the part beside a main one, whose age and failure are the kit's.
  ///
  /// - Parameter run: A closure that runs the work of the part.
  package func beside(
    running run:
      @escaping @Sendable (
        _ work: @escaping @Sendable () async throws -> RefreshReport
      ) async throws -> RefreshReport
  ) -> RefreshPart {
    RefreshPart(name, policy: policy, isMain: false, status: status, schedule: schedule) {
      [work] progress in try await run { try await work(progress) }
    }
  }

  /// A Boolean value that indicates whether the part is due at certain dates. Otherwise, it is
  /// fetched on every visit, and nothing is scheduled for it.
  var isTimed: Bool { schedule != nil || policy.interval > .zero }
}

extension SyncContent {
  /// Returns the state of a target that one source fills, whose checkpoints have a fingerprint.
  func status(fingerprint: String?) -> RefreshPart.Status {
    let isOfThisSource =
      fingerprint == nil || checkpoint?.fingerprint == nil || checkpoint?.fingerprint == fingerprint
    return RefreshPart.Status(
      lastSuccess: checkpoint?.lastSuccess,
      isComplete: count > 0 && !SyncCursor.isUnfinished(checkpoint) && isOfThisSource,
      recordCount: count)
  }

  /// Returns the state of a table in a store, or of the whole target.
  func status<Record>(of table: StoreTable<Record>?, fingerprint: String) -> RefreshPart.Status {
    guard let table else { return status(fingerprint: fingerprint) }
    let entry = checkpoint?[table: table.name] ?? Checkpoint.Table()
    return RefreshPart.Status(
      lastSuccess: table.determinesAge ? checkpoint?.lastSuccess : entry.lastSuccess,
      isComplete: entry.fingerprint == fingerprint && entry.lastSuccess != nil,
      recordCount: count)
  }
}

extension Snapshot {
  /// Returns the state of a store that one source fills, whose checkpoints have a fingerprint.
  package func status(fingerprint: String?) -> RefreshPart.Status {
    SyncContent(checkpoint: checkpoint, count: count).status(fingerprint: fingerprint)
  }
}

extension RefreshPart {
  /// Creates a part whose target an engine fills page by page.
  package init<Record: StoredRecord>(
    _ engine: SyncEngine<Record>, named name: String = "rows", policy: RefreshPolicy
  ) {
    self.init(name, policy: policy) {
      try await engine.target.content().status(fingerprint: engine.fingerprint)
    } work: { progress in
      try await engine.run(progress: progress)
    }
  }
}
