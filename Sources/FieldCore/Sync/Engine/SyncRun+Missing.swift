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
