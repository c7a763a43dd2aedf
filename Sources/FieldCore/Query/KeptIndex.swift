/// An index of a view's records that later views continue from.
///
/// An index consists of a base, which never changes, and of what has changed since, which is small. So a view after a
/// commit of one row updates the index by that row, when a query first needs it.
@usableFromInline
package final class KeptIndex<Record: StoredRecord, Index: Sendable>: Sendable {
  /// An index and the snapshot that it describes.
  private struct Version: Sendable {
    let index: Index
    let snapshot: Snapshot<Record>
  }

  private let content: IndexedSnapshot<Record>
  private let form: Once<IndexForm<Record, Index>?>
  /// The newest index of the earlier views, to continue from.
  private let inherited: Version?
  /// The index beside the store's file, if there is one and none to continue from.
  private let stored: Once<Index?>
  private let current: Amortized<Index>

  /// Creates the index of a snapshot, which is made when it is first needed.
  ///
  /// - Parameters:
  ///   - earlier: The index of an earlier view, to continue from.
  ///   - price: The work without an index that costs about as much as building it.
  ///   - form: The form in which it is stored beside the store's file. Defaults to none.
  ///   - build: A closure that builds the index of a snapshot.
  ///   - update: A closure that returns an index after changes.
  @usableFromInline
  package init(
    of content: IndexedSnapshot<Record>, after earlier: KeptIndex?, price: Int,
    form: @escaping @autoclosure @Sendable () -> IndexForm<Record, Index>? = nil,
    build: @escaping @Sendable (Snapshot<Record>) -> Index,
    update: @escaping @Sendable (Index, SlotChanges<Record>) -> Index
  ) {
    self.content = content
    let snapshot = content.snapshot
    // Only the newest index is kept, because each refers to the memory of its snapshot.
    let inherited = earlier?.newest.flatMap {
      $0.snapshot.generation == snapshot.generation ? $0 : nil
    }
    self.inherited = inherited
    let wasThere = earlier?.newest != nil
    let form = earlier?.form ?? Once(form)
    self.form = form
    let isStored = snapshot.storesIndexes
    let stored = Once {
      isStored && inherited == nil
        ? form.value.flatMap { $0.stored(for: content, update: update) } : nil
    }
    self.stored = stored
    current = Amortized(after: wasThere ? 0 : price, done: earlier?.current.workDone ?? 0) {
      if let found = stored.value {
        form.value?.keep(found, of: snapshot, isChanged: false)
        return found
      }
      var index: Index?
      var isChanged = true
      if let inherited, let changes = content.changes(since: inherited.snapshot),
        changes.slots.count <= max(64, snapshot.count / 2)
      {
        index = changes.slots.isEmpty ? inherited.index : update(inherited.index, changes)
        isChanged = changes.slots.count > max(64, snapshot.count / 64)
      }
      let made = index ?? build(snapshot)
      if isStored { form.value?.keep(made, of: snapshot, isChanged: isChanged) }
      return made
    }
  }

  private var newest: Version? {
    current.madeValue.map { Version(index: $0, snapshot: content.snapshot) } ?? inherited
  }

  /// The index, which is made if it hasn't been.
  @usableFromInline
  package var index: Index { current.value }

  /// Returns the index, or `nil` if doing without it once more costs less, which counts.
  @usableFromInline
  package func index(insteadOf work: Int) -> Index? {
    if let made = current.madeValue { return made }
    return stored.value != nil ? current.value : current.value(insteadOf: work)
  }
}
