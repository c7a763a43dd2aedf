/// An index of a snapshot that remains usable after small changes.
///
/// The base covers a whole snapshot and is kept while few records have changed since. Those are
/// listed separately and searched one by one, so a commit of one row doesn't rebuild the index.
@usableFromInline
package struct DerivedIndex<Record: StoredRecord, Base: Sendable>: Sendable {
  /// The index by the slots of the snapshot that it was built from.
  @usableFromInline
  package let base: Base
  /// The records that have changed since then, in their current form.
  @usableFromInline
  package let changed: [Record]

  /// A Boolean value that indicates whether the base covers all records in their current form.
  @usableFromInline
  package let isUnchanged: Bool

  @usableFromInline
  let changedIDs: Set<Record.ID>
  private let revision: Revision
  private let generation: Int

  /// Creates the index of `snapshot`, reusing an earlier one where that is faster.
  package init(
    of snapshot: Snapshot<Record>, reusing earlier: Self?, build: (Snapshot<Record>) -> Base
  ) {
    if let earlier, earlier.generation == snapshot.generation,
      let changedIDs = snapshot.changedIDs(since: earlier.revision),
      changedIDs.count <= max(64, snapshot.count / 64)
    {
      base = earlier.base
      revision = earlier.revision
      generation = earlier.generation
      self.changedIDs = changedIDs
      isUnchanged = changedIDs.isEmpty
      changed = changedIDs.compactMap { snapshot[id: $0] }
    } else {
      base = build(snapshot)
      revision = snapshot.revision
      generation = snapshot.generation
      changedIDs = []
      isUnchanged = true
      changed = []
    }
  }

  /// Returns the base's record at a slot, unless it has been changed or removed since.
  @inlinable
  package func record(at slot: Int, in snapshot: Snapshot<Record>) -> Record? {
    guard let record = snapshot.record(at: slot) else { return nil }
    return changedIDs.isEmpty || !changedIDs.contains(record.id) ? record : nil
  }
}
