/// The difference between a source's records and the stored ones, which a transaction has stored.
struct SnapshotDiff: Sendable {
  private(set) var added = 0
  private(set) var updated = 0
  private(set) var unchanged = 0

  /// A Boolean value that indicates whether no record has changed.
  var isEmpty: Bool { added + updated == 0 }

  /// Stores the records that differ from the stored ones.
  ///
  /// - Parameters:
  ///   - records: The source's records, with each ID once.
  ///   - merge: A closure that combines a stored record with a new one, for records with data that
  ///     the source doesn't have; `nil` uses the new record.
  init<Record: StoredRecord>(
    storing records: [Record], in transaction: any SyncTransaction<Record>,
    merging merge: (@Sendable (_ stored: Record, _ given: Record) -> Record)? = nil
  ) throws {
    // In parts, so that the stored records needn't all be in memory.
    for start in stride(from: 0, to: records.count, by: 1_000) {
      let part = records[start..<min(start + 1_000, records.count)]
      let stored = try transaction.records(part.map(\.id))
      var changed: (records: [Record], stored: [Record?]) = ([], [])
      for (given, stored) in zip(part, stored) {
        var record = given
        if let stored {
          if let merge { record = merge(stored, given) }
          guard record != stored else {
            unchanged += 1
            continue
          }
          updated += 1
        } else {
          added += 1
        }
        changed.records.append(record)
        changed.stored.append(stored)
      }
      if !changed.records.isEmpty {
        try transaction.store(changed.records, over: changed.stored)
      }
    }
  }
}
