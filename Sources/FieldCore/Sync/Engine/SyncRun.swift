internal import FieldFoundation

/// One run of a ``SyncEngine``.
struct SyncRun<Record: StoredRecord> {
  let engine: SyncEngine<Record>
  let progress: RefreshPart.Progress?
  /// The run of the target, which knows the IDs that this run has seen.
  let target: any SyncTargetRun<Record>
  /// The facts about what the target contained at the beginning of the run.
  let base: SyncContent
  let options: SyncOptions
  let fingerprint: String
  /// The start of the run: later changes at the source may be missing from it.
  let began: Date
  /// A Boolean value that indicates whether the run continues an unfinished one.
  var isResumed: Bool

  var cursor: SyncCursor
  /// The position after which the next page begins.
  var position: SyncPosition?
  var pageSize: Int
  /// The longest page that the source is known to return.
  var capacity: Int
  /// A Boolean value that indicates whether the last page was taken for the end only because it was
  /// short.
  var endedShort = false
  var pageCount = 0
  /// A Boolean value that indicates whether the target has forgotten the IDs of the pages, so that these can't be rolled back.
  var hasForgottenPages = false
  /// The rows of the previous page, to detect repetitions.
  var tokensBefore: Set<UInt64> = []
  var dataVersions: Set<String> = []
  var hasUnknownFailures = false
  var repeatedIDs = 0
  /// The values in the rows that the records lack, because they can't be read.
  var unreadable = UnreadableCells()
  var validators: [String: HTTPValidators]?
  var isNotModified = false
  /// A Boolean value that indicates whether the target contains a position, so that its erasure is
  /// noticed.
  var hasStoredPosition: Bool
  var report: RefreshReport

  init(
    _ engine: SyncEngine<Record>, into target: any SyncTargetRun<Record>,
    progress: RefreshPart.Progress?
  ) {
    self.engine = engine
    self.progress = progress
    self.target = target
    base = target.base
    options = engine.source.options
    fingerprint = engine.fingerprint
    began = engine.clock.now
    pageSize = max(1, options.pageSize)
    report = RefreshReport(outcome: .unchanged, date: began)
    let known = SyncCursor(base.checkpoint, fingerprint: fingerprint)
    hasStoredPosition = known != nil
    capacity = options.knownCapacity ?? 0
    var cursor = known ?? SyncCursor()
    isResumed = engine.source.isIncremental && cursor.run != nil
    if isResumed {
      position = cursor.reached
    } else if engine.source.isIncremental, engine.source.findsChanges,
      engine.deletion != .bySnapshot, base.count > 0, let reached = cursor.reached
    {
      cursor.run = .changes
      position = cursor.overlapFrom.map { SyncPosition(stamp: $0) } ?? reached
    } else {
      cursor = SyncCursor()
      cursor.run = .full
    }
    self.cursor = cursor
    if isResumed {
      note(
        .resumed, "An earlier run was interrupted. This one continued after its last page.")
    } else if known == nil, base.checkpoint?.fingerprint != nil, base.count > 0 {
      note(
        .startedAnew,
        "The stored records come from another source or reading, so all rows were read.")
    }
  }

  var isFull: Bool { cursor.run == .full }

  var snapshotGuard: SnapshotGuard { engine.snapshotGuard.accepting(progress?.trigger) }

  mutating func note(_ code: RefreshReport.Notice.Code, _ message: String) {
    guard !report.notices.contains(where: { $0.code == code }) else { return }
    report.notices.append(RefreshReport.Notice(code, message))
  }

  mutating func count(_ failures: [RowFailure], shiftedBy rows: Int) {
    report.add(failures.map { $0.shifted(by: rows) })
  }

  /// Returns the estimated progress if the total number of rows isn't known.
  func fraction(of announced: Int?) -> Double {
    let expected = isFull ? announced ?? base.count : 0
    if expected > report.rows { return 0.95 * Double(report.rows) / Double(expected) }
    return 0.95 * Double(pageCount) / Double(pageCount + 4)
  }

  func send(_ phase: RefreshProgress.Phase, _ fraction: Double) {
    progress?.send(phase, fraction, rows: report.rows)
  }

  /// Changes the target, unless it has since been emptied, or filled from another source: continuing
  /// from the position would leave out the erased rows forever.
  func update<Result: Sendable>(
    _ body: @escaping @Sendable (any SyncTransaction<Record>) throws -> Result
  ) async throws -> Result {
    let (base, fingerprint, erasures) = (base.checkpoint, fingerprint, RunErasures.current)
    let hasStoredPosition = hasStoredPosition
    return try await target.update { transaction in
      try transaction.check(erasures, began: base)
      guard !hasStoredPosition || transaction.checkpoint?.fingerprint == fingerprint else {
        throw FieldError(
          .conflict,
          "The store was erased or filled from another source during the refresh. Refresh again.")
      }
      return try body(transaction)
    }
  }

  // MARK: The end

  /// Commits the remaining changes, and that the run is complete.
  mutating func finish(removingUnseen removesUnseen: Bool) async throws -> RefreshReport {
    send(.storing, 0.98)
    cursor.finish(overlap: engine.source.isIncremental ? options.overlap : .zero)
    if !engine.source.isIncremental { cursor.reached = nil }
    let (cursor, began, fingerprint) = (cursor, began, fingerprint)
    let validators = isNotModified ? base.checkpoint?.validators : validators
    let snapshotGuard = snapshotGuard
    report.removed = try await update { transaction in
      let gone = removesUnseen ? try transaction.unseenIDs(limit: .max) : []
      if !gone.isEmpty {
        let stored = try transaction.count
        try snapshotGuard.check(removed: gone.count, stored: stored) {
          RefusedRemoval(of: gone, stored: stored)
        }
        try transaction.remove(gone)
      }
      var next = transaction.checkpoint ?? Checkpoint()
      next.lastSuccess = began
      next.fingerprint = fingerprint
      next.validators = validators ?? [:]
      cursor.write(to: &next)
      try transaction.store(next)
      return gone.count
    }
    if let notice = RefreshReport.Notice.repeatedIDs(repeatedIDs) { report.notices.append(notice) }
    if let notice = unreadable.notice { report.notices.append(notice) }
    if report.added + report.updated + report.removed > 0 {
      report.outcome = .updated
    } else if isNotModified {
      report.outcome = .notModified
      report.unchanged = base.count
    }
    report.date = engine.clock.now
    return report
  }

  /// Rolls back the run: changed records get their earlier values, and new ones are removed.
  mutating func undo() async throws {
    guard pageCount > 0 else { return }
    let (checkpoint, merge, target) = (base.checkpoint, engine.merge, target)
    let hasForgottenPages = hasForgottenPages
    // A separate task, because a canceled task must roll back its rows, too.
    _ = try await Task {
      try await target.update { transaction in
        // An erased target contains none of them.
        guard transaction.checkpoint?.erasure == checkpoint?.erasure else { return }
        if !hasForgottenPages { try transaction.revert(merging: merge) }
        try transaction.store(checkpoint ?? Checkpoint())
      }
    }.value
  }
}
