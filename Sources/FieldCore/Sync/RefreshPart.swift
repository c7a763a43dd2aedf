package import FieldFoundation

/// A part of a kit that is refreshed by itself, such as a table or a feed.
package struct RefreshPart: Sendable {
  /// What is known of a part's content.
  package struct Status: Sendable {
    /// When the source last confirmed the content.
    package var lastSuccess: Date?
    /// A Boolean value that indicates whether the content is what a refresh would store: not empty, not
    /// half of a run, and read from the same source in the same way.
    package var isComplete: Bool
    /// The number of records.
    package var recordCount: Int

    /// Creates a status.
    package init(lastSuccess: Date?, isComplete: Bool = true, recordCount: Int = 0) {
      self.lastSuccess = lastSuccess
      self.isComplete = isComplete
      self.recordCount = recordCount
    }
  }

  /// Where a part reports its progress, and how it was asked to refresh.
  package struct Progress: Sendable {
    package let trigger: RefreshTrigger
    let broadcast: RefreshBroadcast
    var index = 0
    var partCount = 1

    /// Reports a step of the part.
    package func send(_ phase: RefreshProgress.Phase, _ fraction: Double, rows: Int? = nil) {
      broadcast.send(phase, (Double(index) + fraction) / Double(partCount), rows: rows)
    }
  }

  /// The name of the part in messages.
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
  ///   - policy: When the part is due.
  ///   - isMain: Whether the kit is as old as this part, and fails with it.
  ///   - status: Returns what is known of the content.
  ///   - schedule: Returns the date of the next refresh, if the source decides on it.
  ///   - work: Refreshes the part.
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

  /// A Boolean value that indicates whether a refresh is always due.
  var isAlwaysDue: Bool { policy.interval <= .zero }
}

extension Snapshot {
  /// What is known of a store that one source fills, whose checkpoints have a fingerprint.
  package func status(fingerprint: String?) -> RefreshPart.Status {
    let isOfThisSource =
      fingerprint == nil || checkpoint?.fingerprint == nil || checkpoint?.fingerprint == fingerprint
    return RefreshPart.Status(
      lastSuccess: checkpoint?.lastSuccess,
      isComplete: !isEmpty && !SyncCursor.isUnfinished(checkpoint) && isOfThisSource,
      recordCount: count)
  }
}

extension RefreshPart {
  /// Creates the part of a store that an engine fills page by page.
  package init<Record: StoredRecord>(
    _ engine: SyncEngine<Record>, named name: String = "rows", policy: RefreshPolicy
  ) {
    self.init(name, policy: policy) {
      try await engine.store.snapshot().status(fingerprint: engine.fingerprint)
    } work: { progress in
      try await engine.run(progress: progress)
    }
  }
}
