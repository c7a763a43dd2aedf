/// The slots whose records differ between two snapshots of a store.
@usableFromInline
package struct SlotChanges<Record: StoredRecord>: Sendable {
  /// The slots, ascending.
  @usableFromInline
  package let slots: [Int32]
  /// The snapshot before the changes, or `nil` if only an index of it is known.
  @usableFromInline
  package let before: Snapshot<Record>?
  @usableFromInline
  package let after: Snapshot<Record>

  /// Compares two snapshots, in O(changes · log changes).
  ///
  /// Indexes use ``IndexedSnapshot/changes(since:)``, which compares once for all of them.
  ///
  /// The result is `nil` if their slots aren't the same, or the store no longer remembers what has changed between
  /// them. It doesn't matter which of them is the newer.
  package init?(from before: Snapshot<Record>, to after: Snapshot<Record>) {
    let (older, newer) = before.revision < after.revision ? (before, after) : (after, before)
    guard older.generation == newer.generation,
      let ids = newer.changedIDs(since: older.revision)
    else { return nil }
    var slots: [Int32] = []
    slots.reserveCapacity(ids.count)
    for id in ids {
      // A record that was removed and inserted again has another slot.
      let (old, new) = (older.slot(of: id), newer.slot(of: id))
      if let old { slots.append(Int32(old)) }
      if let new, new != old { slots.append(Int32(new)) }
    }
    slots.sort()
    (self.slots, self.before, self.after) = (slots, before, after)
  }

  /// Lists the slots whose records differ from an earlier content of the snapshot's file, and holes.
  ///
  /// The result is `nil` if it isn't known what has changed.
  init?(from link: FrameChain.Link, _ mark: StoreMark<Record>, to after: Snapshot<Record>) {
    var slots: [Int32] = []
    if link.revision != after.revision {
      guard let ids = mark.changedIDs(since: link, in: after) else { return nil }
      slots.reserveCapacity(ids.count)
      for id in ids {
        if let slot = after.slot(of: id) { slots.append(Int32(truncatingIfNeeded: slot)) }
      }
      // The slots of removed records are among them.
      slots += after.holes
      slots.sort()
    }
    (self.slots, before, self.after) = (slots, nil, after)
  }

  /// Returns the record that is in a slot now, or `nil` if there is none.
  @inlinable
  package func record(at slot: Int32) -> Record? {
    Int(slot) < after.slotLimit ? after.record(at: Int(slot)) : nil
  }

  /// Returns the record that was in a slot before, or `nil` if there was none or it isn't known.
  @inlinable
  package func earlierRecord(at slot: Int32) -> Record? {
    guard let before, Int(slot) < before.slotLimit else { return nil }
    return before.record(at: Int(slot))
  }
}

/// The snapshot of a view, and its changes since an earlier one, for all indexes of the view.
@usableFromInline
package final class IndexedSnapshot<Record: StoredRecord>: Sendable {
  @usableFromInline
  package let snapshot: Snapshot<Record>
  private let newest = Lock<SlotChanges<Record>?>(nil)

  package init(_ snapshot: Snapshot<Record>) { self.snapshot = snapshot }

  /// The number of queries without an index of a field that cost about as much as building it.
  ///
  /// If the index is stored for later processes, the first query builds it, as most processes may have only one.
  @usableFromInline
  var fieldPrice: Int { snapshot.storesIndexes ? 0 : 1 }

  /// Returns the changes since a snapshot, or `nil` if they are unknown.
  package func changes(since earlier: Snapshot<Record>) -> SlotChanges<Record>? {
    newest.withLock { newest in
      // Nearly always, all indexes are of the same earlier snapshot.
      if let newest, newest.before?.revision == earlier.revision { return newest }
      guard let changes = SlotChanges(from: earlier, to: snapshot) else { return nil }
      newest = changes
      return changes
    }
  }
}
