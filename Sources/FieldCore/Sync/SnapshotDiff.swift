/// The changes that make a store's content equal to that of a source.
package struct SnapshotDiff<Record: StoredRecord>: Sendable {
  package private(set) var changes = Changes<Record>()
  package private(set) var added = 0
  package private(set) var updated = 0
  package private(set) var removedIDs: [Record.ID] = []
  package private(set) var unchanged = 0

  package var removed: Int { removedIDs.count }

  /// Compares a source's records with the stored ones.
  ///
  /// - Parameters:
  ///   - isCompared: A closure that returns whether a stored record belongs to the source; `nil` if
  ///     all do.
  ///   - records: The source's records, with each ID once.
  ///   - removesMissing: A Boolean value that indicates whether to remove stored records that
  ///     aren't among `records`.
  ///   - kept: The IDs of stored records that stay although they aren't among `records`.
  ///   - merge: A closure that combines a stored record with a new one, for records with data that
  ///     the source doesn't have; `nil` uses the new record.
  package init(
    from snapshot: Snapshot<Record>,
    among isCompared: (@Sendable (Record) -> Bool)? = nil,
    to records: [Record],
    removesMissing: Bool,
    keeping kept: Set<Record.ID> = [],
    merging merge: (@Sendable (_ stored: Record, _ given: Record) -> Record)? = nil
  ) {
    for given in records {
      var record = given
      guard let stored = snapshot[id: record.id] else {
        changes.upsert(record)
        added += 1
        continue
      }
      if let merge { record = merge(stored, given) }
      if stored == record {
        unchanged += 1
      } else {
        changes.upsert(record)
        updated += 1
      }
    }
    guard removesMissing, snapshot.count > unchanged + updated else { return }
    let given = Set(records.lazy.map(\.id))
    for stored in snapshot where !given.contains(stored.id) && !kept.contains(stored.id) {
      guard isCompared?(stored) ?? true else { continue }
      changes.remove(stored.id)
      removedIDs.append(stored.id)
    }
  }
}
