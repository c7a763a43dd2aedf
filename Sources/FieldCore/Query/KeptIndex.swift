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

  /// Where the index is, to be read without retaining this object, whose lifetime the reader has to extend.
  ///
  /// It comes first, so that it has the same place whatever the types are.
  @usableFromInline
  package let place: Once<Index>.Place

  private let content: IndexedSnapshot<Record>
  private let readingPrice: Int
  /// The form in which it is stored; `nil` if the store has no file.
  private let form: Once<IndexForm<Record, Index>?>?
  /// The newest index of the earlier views, to continue from.
  private let inherited: Version?
  /// The index beside the store's file, if there is one; `nil` if there is an earlier one to continue from.
  private let stored: Once<Index?>?
  private let current: Amortized<Index>

  /// Creates the index of a snapshot, which is made when it is first needed.
  ///
  /// - Parameters:
  ///   - earlier: The index of an earlier view, to continue from.
  ///   - price: The work without an index that costs about as much as building it.
  ///   - readingPrice: The work at once from which reading a stored index costs less. Defaults to none.
  ///   - form: The form in which it is stored beside the store's file. Defaults to none.
  ///   - build: A closure that builds the index of a snapshot.
  ///   - update: A closure that returns an index after changes.
  @usableFromInline
  package init(
    of content: IndexedSnapshot<Record>, after earlier: KeptIndex?, price: Int,
    readingPrice: Int = .max,
    form: @escaping @autoclosure @Sendable () -> IndexForm<Record, Index>? = nil,
    build: @escaping @Sendable (Snapshot<Record>) -> Index,
    update: @escaping @Sendable (Index, SlotChanges<Record>) -> Index
  ) {
    (self.content, self.readingPrice) = (content, readingPrice)
    let snapshot = content.snapshot
    // Only the newest index is kept, because each refers to the memory of its snapshot.
    let inherited = earlier?.newest.flatMap {
      $0.snapshot.generation == snapshot.generation ? $0 : nil
    }
    self.inherited = inherited
    let wasThere = earlier?.newest != nil
    // The declaration is that of the earlier index.
    let form = snapshot.storesIndexes ? earlier?.form ?? Once(form) : nil
    self.form = form
    let stored =
      inherited == nil
      ? form.map { form in
        Once { form.value?.stored(for: content, update: update) }
      } : nil
    self.stored = stored
    let current = Amortized(after: wasThere ? 0 : price, done: earlier?.current.workDone ?? 0) {
      if let found = stored?.value {
        form?.value?.keep(of: snapshot, isChanged: false) { found }
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
      form?.value?.keep(of: snapshot, isChanged: isChanged) { made }
      return made
    }
    (self.current, place) = (current, current.place)
  }

  private var newest: Version? {
    current.madeValue.map { Version(index: $0, snapshot: content.snapshot) } ?? inherited
  }

  /// The index, which is made if it hasn't been.
  @usableFromInline
  package var index: Index { current.value }

  /// Returns the index, or `nil` if doing without it once more costs less, which counts.
  ///
  /// In a store with a file, it is then built when the indexes are written, if reading it costs less, so that the next
  /// process needn't do without it.
  @usableFromInline
  package func index(insteadOf work: Int) -> Index? {
    if let made = current.madeValue { return made }
    if work >= readingPrice, stored?.value != nil { return current.value }
    if let made = current.value(insteadOf: work) { return made }
    if work >= readingPrice {
      form?.value?.keep(of: content.snapshot, isChanged: true) { [weak current] in current?.value }
    }
    return nil
  }
}
