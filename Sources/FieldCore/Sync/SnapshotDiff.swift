/// What has to be done to a store so that it holds what a source gave.
package struct SnapshotDiff<Record: StoredRecord>: Sendable {
  package private(set) var changes = Changes<Record>()
  package private(set) var added = 0
  package private(set) var updated = 0
  package private(set) var removed = 0
  package private(set) var unchanged = 0

  /// Compares a source's records with what is stored.
  ///
  /// - Parameters:
  ///   - snapshot: What is stored.
  ///   - isCompared: Whether a stored record belongs to the source; `nil` if all do.
  ///   - records: What the source gave, each id once.
  ///   - removesMissing: Whether stored records that are not among `records` are removed.
  ///   - kept: The ids of stored records that stay although they are not among `records`.
  ///   - merge: Makes of a stored and a given record what is stored from now on, for records that also
  ///     have what the source does not know; nil takes the given one.
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
      removed += 1
    }
  }
}
