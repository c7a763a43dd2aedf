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

// MARK: - Missing

extension SyncRun {
  private static var unreadableIDs: String {
    "Nothing was removed, because rows with an unreadable ID may belong to any stored record."
  }

  /// Finds out whether the stored records that this run hasn't seen no longer exist, as far as that is requested and certain.
  mutating func findMissing() async throws -> Bool {
    guard engine.deletion != .never, base.count > 0 else { return false }
    if hasUnknownFailures {
      note(.removalSkipped, Self.unreadableIDs)
      return false
    }
    if isFull && !isResumed {
      if isNotModified { return false }
      let hasUnseen = try await update { !(try $0.unseenIDs(limit: 1).isEmpty) }
      if hasUnseen { try await confirmEnd() }
      if dataVersions.count <= 1 {
        try await checkWhole(report.rows)
        return true
      }
    }
    send(.sweeping, 0.96)
    for _ in 0..<2 {
      if try await seeAllIDs() { return true }
      if hasUnknownFailures { break }
    }
    note(
      .removalSkipped,
      hasUnknownFailures
        ? Self.unreadableIDs
        : "The data changed twice while the IDs were read. The next refresh tries again.")
    return false
  }

  /// Sees the IDs of all rows, and none besides them.
  ///
  /// - Returns: `false` if they aren't of one version of the data, or if not all can be read.
  private mutating func seeAllIDs() async throws -> Bool {
    // One set of IDs is enough, because the pages can't be rolled back anymore.
    hasForgottenPages = true
    try await update { try $0.forgetSeen() }
    var rows = 0
    var versions: Set<String> = []
    var position: SyncPosition?
    var before: Set<UInt64> = []
    var size = pageSize
    var pages = 0
    while true {
      try Task.checkCancellation()
      let page: KeyPage<Record.ID>
      do {
        page = try await engine.source.keys(
          PageRequest(order: .byKey(changedFrom: nil), position: position, size: size))
      } catch let error as FieldError where Self.isTooSlow(error) && size > smallestPage {
        size = max(smallestPage, size / 2)
        continue
      }
      let facts = page.facts
      versions.formUnion(facts.dataVersion.map { [$0] } ?? [])
      if versions.count > 1 { return false }
      if page.hasUnreadableIDs {
        hasUnknownFailures = true
        return false
      }
      pages += 1
      if facts.rowCount == 0 { break }
      let isRepeated = !facts.rowHashes.isEmpty && facts.rowHashes.allSatisfy(before.contains)
      let continues = facts.isLast == true || facts.end != nil && facts.end != position
      guard !isRepeated, continues, pages < options.pageLimit else {
        throw FieldError(
          .noProgress,
          "The source returns the same IDs again and again. Nothing was removed.")
      }
      rows += page.ids.count
      _ = try await update { try $0.see(page.ids, rows: nil) }
      position = facts.end ?? position
      before = Set(facts.rowHashes)
      if facts.isLast ?? false { break }
    }
    try await checkWhole(rows)
    return true
  }

  private func checkWhole(_ rows: Int) async throws {
    let (snapshotGuard, stored) = (snapshotGuard, base.count)
    func check(removing removal: RefusedRemoval?) throws(FieldError) {
      try snapshotGuard.check(rows: rows, announced: nil, failures: [], stored: stored) { removal }
    }
    do {
      try check(removing: nil)
    } catch {
      // The IDs are only needed for the message.
      let missing = try await update { try $0.unseenIDs(limit: .max) }
      try check(removing: RefusedRemoval(of: missing, stored: stored))
    }
  }
}

// MARK: - Pages

extension SyncRun {
  /// Reads and stores pages until the source has no more.
  mutating func readPages() async throws {
    while true {
      try Task.checkCancellation()
      send(.requesting, fraction(of: nil))
      let page = try await nextPage()
      let facts = page.facts
      for notice in facts.notices { note(notice.code, notice.message) }
      report.origin = facts.origin ?? report.origin
      if pageCount == 0 {
        cursor.started = cursor.started ?? facts.serverDate.map { TimestampWriter.iso8601($0) }
      }
      if facts.isNotModified {
        // An empty page would be taken for the end, and all later rows for deleted.
        guard !sentValidators.isEmpty else {
          throw FieldError(
            .status, "The source responded with 304 to an unconditional request.")
        }
        isNotModified = true
        return
      }
      // The validators of one page confirm everything only if it was the only page, or if all pages have the same ones.
      let isConfirmed = pageCount == 0 ? !isResumed : validators == facts.validators
      validators = isConfirmed ? facts.validators : nil
      endedShort = false
      dataVersions.formUnion(facts.dataVersion.map { [$0] } ?? [])
      if facts.rowCount == 0 { return }
      let isShort = isLast(facts)
      if isRepeated(facts) {
        if isShort { return }
        try readByKeyFromHere()
        continue
      }
      try check(page)
      try await store(page)
      tokensBefore = Set(facts.rowHashes)
      try await checkLength()
      if isShort {
        endedShort = facts.isLast == nil
        return
      }
    }
  }

  /// Requests one more page if the end was only inferred from a short page: otherwise, if a source
  /// suddenly returned fewer rows per page, the rest would seem to be deleted.
  mutating func confirmEnd() async throws {
    guard endedShort else { return }
    capacity = 0
    try await readPages()
  }

  private mutating func nextPage() async throws -> Batch<Record> {
    while true {
      do {
        return try await engine.source.page(
          PageRequest(
            order: cursor.readsByKeyFrom.map { .byKey(changedFrom: $0) } ?? .byChange,
            position: position, size: pageSize, validators: sentValidators))
      } catch let error as FieldError where isAboutStoredPosition(error) {
        startAnew()
        progress?.span?.occur(.refreshRetry, code: error.code, measures: [.rows: pageSize])
        try Task.checkCancellation()
      } catch let error as FieldError where Self.isTooSlow(error) && pageSize > smallestPage {
        pageSize = max(smallestPage, pageSize / 2)
        note(
          .smallerPages, "The source was too slow, so the last pages had at most \(pageSize) rows.")
        progress?.span?.occur(.refreshRetry, code: error.code, measures: [.rows: pageSize])
        try Task.checkCancellation()
      }
    }
  }

  /// The validators with which the next page may be confirmed.
  private var sentValidators: [String: HTTPValidators] {
    guard pageCount == 0, !isResumed, knowsThisReader else { return [:] }
    return base.checkpoint?.validators ?? [:]
  }

  /// Returns whether a source rejects the position that an earlier run left, so that every later
  /// run would fail: the rows may have been replaced, or the checkpoint damaged.
  private func isAboutStoredPosition(_ error: FieldError) -> Bool {
    pageCount == 0 && position != nil && error.response?.status == 400 && error.code != .schema
  }

  /// Forgets the position, and reads all rows.
  private mutating func startAnew() {
    cursor = SyncCursor()
    cursor.run = .full
    position = nil
    isResumed = false
    report.notices.removeAll { $0.code == .resumed }
    note(
      .startedAnew, "The source rejected the stored position, so all rows were read.")
  }

  var smallestPage: Int { max(1, min(options.smallestPage, options.pageSize)) }

  private var knowsThisReader: Bool {
    base.count > 0 && base.checkpoint?.fingerprint == fingerprint
  }

  /// Returns whether a smaller page may succeed where this one failed.
  static func isTooSlow(_ error: FieldError) -> Bool {
    if error.code == .timeout || error.code == .responseTooLarge { return true }
    return [408, 413, 504].contains(error.response?.status)
  }

  /// Returns whether nothing can follow the page. A short page is the last one only if the source
  /// has returned a longer one before, because it may limit its pages to fewer rows than requested.
  private mutating func isLast(_ facts: PageMetadata) -> Bool {
    if let isLast = facts.isLast { return isLast }
    defer { capacity = max(capacity, facts.rowCount) }
    return facts.rowCount < min(pageSize, capacity)
  }

  /// Returns whether the previous page contained all rows of this one.
  private func isRepeated(_ facts: PageMetadata) -> Bool {
    !facts.rowHashes.isEmpty && facts.rowHashes.allSatisfy(tokensBefore.contains)
  }

  /// Continues by key alone from the time that has been reached, because a source that prints times
  /// with fewer digits than it compares by keeps returning its last rows as later than that time.
  private mutating func readByKeyFromHere() throws {
    guard cursor.readsByKeyFrom == nil, let stamp = position?.stamp else {
      throw FieldError(
        .noProgress,
        """
        The source returns the same \(pageSize == 1 ? "row" : "rows") again and again, whatever the \
        request, so it may be a static file. The store is unchanged. Check the URL.
        """)
    }
    cursor.readsByKeyFrom = stamp
    position = nil
    tokensBefore = []
    note(
      .coarseTimes,
      "The source compares times by more digits than it prints, so rows from \(stamp) on were "
        + "read by key.")
  }

  private func check(_ page: Batch<Record>) throws {
    let facts = page.facts
    if isFull, page.records.isEmpty, report.rows == report.failureCount,
      let first = page.failures.first
    {
      throw FieldError(
        .malformed, "None of the first \(facts.rowCount) rows can be read. The first: \(first)")
    }
    // Of a few changed rows, any may be bad; of many, only a few.
    if facts.rowCount >= 20,
      !engine.snapshotGuard.allowsFailures(page.failures.count, of: facts.rowCount)
    {
      let first = page.failures.first.map { "; the first: \($0)" } ?? ""
      throw FieldError(
        .snapshotRefused,
        """
        \(page.failures.count) of \(facts.rowCount) rows of a page can't be read\(first). Nothing \
        on the page is stored. Check the columns, or allow it with another SnapshotGuard.
        """)
    }
    guard facts.isLast == true || facts.end != nil && facts.end != position else {
      throw FieldError(
        .noProgress,
        "The source returned \(facts.rowCount) rows without a position to continue from. Set the `end` of "
          + "the page, or `isLast` if no page follows.")
    }
  }

  /// Stores a page together with the position after it.
  private mutating func store(_ page: Batch<Record>) async throws {
    let facts = page.facts
    let records = page.lastOfEachID()
    count(page.failures, shiftedBy: report.rows)
    if let cells = page.unreadable { unreadable.add(cells, shiftedBy: report.rows) }
    if page.failures.count > page.failedIDs.count { hasUnknownFailures = true }
    report.rows += facts.rowCount
    pageCount += 1
    position = facts.end ?? position
    cursor.reached = position
    let (cursor, fingerprint, merge) = (cursor, fingerprint, engine.merge)
    let keepsPosition = engine.source.isIncremental
    send(.storing, fraction(of: facts.announcedCount))
    let stored = try await update { transaction in
      let hasRows = page.recordHashes.count == page.records.count
      let repeated = try transaction.see(
        page.records.map(\.id), rows: hasRows ? page.recordHashes : nil)
      try transaction.see(page.failedIDs, rows: nil)
      let diff = try SnapshotDiff(storing: records, in: transaction, merging: merge)
      // An incremental run over known rows has nothing to remember.
      guard cursor.run == .full || !diff.isEmpty else {
        return StoredPage(diff: diff, repeatedIDs: repeated, hasPosition: false)
      }
      var next = transaction.checkpoint ?? Checkpoint()
      next.fingerprint = fingerprint
      next.validators = [:]
      if keepsPosition { cursor.write(to: &next) }
      try transaction.store(next)
      return StoredPage(diff: diff, repeatedIDs: repeated, hasPosition: true)
    }
    if stored.hasPosition { hasStoredPosition = true }
    repeatedIDs += stored.repeatedIDs
    let diff = stored.diff
    report.added += diff.added
    report.updated += diff.updated
    report.unchanged += diff.unchanged
    progress?.span?.occur(
      .refreshPage,
      measures: [
        .rows: facts.rowCount, .added: diff.added, .updated: diff.updated,
        .unchanged: diff.unchanged, .failedRows: page.failures.count,
      ])
  }

  /// Throws an error if the source returns more than it can contain.
  private func checkLength() async throws {
    guard pageCount < options.pageLimit else {
      throw unboundedPagination("it still returned rows after \(pageCount) pages, the limit")
    }
    // Counting is expensive, so it is done after 64 pages, 256, 1024 …
    guard pageCount >= 64, pageCount.nonzeroBitCount == 1, pageCount.trailingZeroBitCount % 2 == 0
    else { return }
    let all: Int?
    do {
      all = try await engine.source.count()
    } catch is FieldError {
      // A source that doesn't count can't be checked against its count.
      return
    }
    // The source may claim any number of rows, so integers could overflow.
    if let all, Double(report.rows) > 1.5 * Double(all) + 2 * Double(pageSize) {
      throw unboundedPagination("it has \(all) rows, but returned \(report.rows)")
    }
  }

  private func unboundedPagination(_ reason: String) -> FieldError {
    FieldError(
      .unboundedPagination,
      """
      The pages of the source never end: \(reason). The store is unchanged. Check the URL, or increase \
      the limit of pages.
      """)
  }
}

/// What became of a page.
private struct StoredPage: Sendable {
  let diff: SnapshotDiff
  let repeatedIDs: Int
  let hasPosition: Bool
}

extension Batch {
  /// Returns the records, and of several with the same ID only the last, in its place.
  fileprivate func lastOfEachID() -> [Record] {
    guard !hasUniqueIDs else { return records }
    var last: [Record.ID: Int] = Dictionary(minimumCapacity: records.count)
    for (position, record) in records.enumerated() { last[record.id] = position }
    guard last.count < records.count else { return records }
    return records.enumerated().filter { last[$1.id] == $0 }.map(\.element)
  }
}
