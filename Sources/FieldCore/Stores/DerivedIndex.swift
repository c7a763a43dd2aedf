/// An index over a snapshot that outlives small changes.
///
/// The base is built over a whole snapshot and kept while few records have changed since; those are
/// listed apart, to be looked through one by one. So a commit of one row does not cost an index.
@usableFromInline
package struct DerivedIndex<Record: StoredRecord, Base: Sendable>: Sendable {
  /// The index, by the slots of the snapshot that it was built over.
  package let base: Base
  /// The records that have changed since, as they are now.
  @usableFromInline
  package let changed: [Record]

  /// Whether the base knows all records as they are now.
  package let isUnchanged: Bool

  @usableFromInline
  let changedIDs: Set<Record.ID>
  private let revision: Revision
  private let generation: Int

  /// Makes the index of `snapshot`, from an earlier one where that pays.
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

  /// The record that the base knows at this slot, unless it has changed or gone since.
  @inlinable
  package func record(at slot: Int, in snapshot: Snapshot<Record>) -> Record? {
    guard let record = snapshot.record(at: slot) else { return nil }
    return changedIDs.isEmpty || !changedIDs.contains(record.id) ? record : nil
  }
}
