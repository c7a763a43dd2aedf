/// The stored records that no longer exist at the source.
enum MissingRecords<Record: StoredRecord> {
  /// No records, or it isn't known.
  case none
  /// All but these.
  case allBut(Set<Record.ID>)
  /// All but those that a run has seen.
  case allButSeen([Record.ID: UInt64])

  /// Returns the IDs of the stored records that no longer exist.
  func ids(in snapshot: Snapshot<Record>) -> [Record.ID] {
    switch self {
    case .none: []
    case .allBut(let given): snapshot.lazy.map(\.id).filter { !given.contains($0) }
    case .allButSeen(let seen): snapshot.lazy.map(\.id).filter { seen[$0] == nil }
    }
  }
}

extension SyncRun {
  private static var unreadableIDs: String {
    "Nothing was removed, because rows with an unreadable ID may belong to any stored record."
  }

  /// Finds the stored records that no longer exist, as far as that is requested and certain.
  mutating func findMissing() async throws -> MissingRecords<Record> {
    guard engine.deletion != .never, !base.isEmpty else { return .none }
    if hasUnknownFailures {
      note(.removalSkipped, Self.unreadableIDs)
      return .none
    }
    if isFull && !isResumed {
      if isNotModified { return .none }
      if !MissingRecords.allButSeen(seen).ids(in: base).isEmpty { try await confirmEnd() }
      if dataVersions.count <= 1 {
        try checkWhole(report.rows, .allButSeen(seen))
        return .allButSeen(seen)
      }
    }
    // One set of IDs is enough, because the pages can't be rolled back anymore.
    seen = [:]
    send(.sweeping, 0.96)
    for _ in 0..<2 {
      if let ids = try await allIDs() { return .allBut(ids) }
      if hasUnknownFailures { break }
    }
    note(
      .removalSkipped,
      hasUnknownFailures
        ? Self.unreadableIDs
        : "The data changed twice while the IDs were read. The next refresh tries again.")
    return .none
  }

  /// Returns the IDs of all rows, or `nil` if they aren't of one version of the data, or if not all
  /// can be read.
  private mutating func allIDs() async throws -> Set<Record.ID>? {
    var ids: Set<Record.ID> = []
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
      if versions.count > 1 { return nil }
      if page.hasUnreadableIDs {
        hasUnknownFailures = true
        return nil
      }
      pages += 1
      if facts.rowCount == 0 { break }
      let isRepeated = !facts.rowHashes.isEmpty && facts.rowHashes.allSatisfy(before.contains)
      guard !isRepeated, facts.end != nil, facts.end != position, pages < options.pageLimit else {
        throw FieldError(
          .noProgress,
          "The source returns the same IDs again and again. Nothing was removed.")
      }
      ids.formUnion(page.ids)
      position = facts.end
      before = Set(facts.rowHashes)
      if facts.isLast ?? false { break }
    }
    try checkWhole(ids.count, .allBut(ids))
    return ids
  }

  private func checkWhole(_ rows: Int, _ missing: MissingRecords<Record>) throws {
    try snapshotGuard.check(rows: rows, announced: nil, failures: [], stored: base.count) {
      RefusedRemoval(of: missing.ids(in: base), stored: base.count)
    }
  }
}
