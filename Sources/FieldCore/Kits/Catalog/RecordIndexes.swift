/// The indexes of a snapshot's texts and places, which the first query that needs them builds, and
/// which are kept across small changes.
@usableFromInline
package final class RecordIndexes<Record: StoredRecord>: Sendable {
  package typealias TextIndex = DerivedIndex<Record, SubstringIndex>
  @usableFromInline
  package typealias PlaceIndex = DerivedIndex<Record, SpatialIndex>

  private struct Built: Sendable {
    var text: TextIndex?
    var place: PlaceIndex?
  }

  @usableFromInline
  let snapshot: Snapshot<Record>
  private let texts: @Sendable (Snapshot<Record>) -> SubstringIndex
  private let places: @Sendable (Snapshot<Record>) -> SpatialIndex
  @usableFromInline
  let coordinateOf: @Sendable (Record) -> Coordinate?
  @usableFromInline
  let precedes: (@Sendable (Record.ID, Record.ID) -> Bool)?
  /// The indexes that an earlier snapshot has built, to continue from.
  private let earlier: Built
  private let built = Lock(Built())

  /// Creates the indexes of a snapshot.
  ///
  /// - Parameters:
  ///   - earlier: The indexes of an earlier snapshot.
  ///   - texts: A closure that returns an index of the searchable texts, by slot.
  ///   - places: A closure that returns an index of the locations, with ties in the order of `precedes`.
  ///   - coordinate: A closure that returns the location of a record.
  ///   - precedes: Orders records at the same distance. Defaults to the order of the snapshot.
  package init(
    of snapshot: Snapshot<Record>, after earlier: RecordIndexes?,
    texts: @escaping @Sendable (Snapshot<Record>) -> SubstringIndex,
    places: @escaping @Sendable (Snapshot<Record>) -> SpatialIndex,
    coordinate: @escaping @Sendable (Record) -> Coordinate?,
    precedes: (@Sendable (Record.ID, Record.ID) -> Bool)? = nil
  ) {
    self.snapshot = snapshot
    self.texts = texts
    self.places = places
    coordinateOf = coordinate
    self.precedes = precedes
    self.earlier =
      earlier.map { indexes in
        let built = indexes.built.withLock { $0 }
        return Built(
          text: built.text ?? indexes.earlier.text, place: built.place ?? indexes.earlier.place)
      } ?? Built()
  }

  /// The folded texts, by slot.
  package var text: TextIndex {
    built.withLock { built in
      built.text.making { TextIndex(of: snapshot, reusing: earlier.text, build: texts) }
    }
  }

  /// The positions, by slot.
  @usableFromInline
  package var place: PlaceIndex {
    built.withLock { built in
      built.place.making { PlaceIndex(of: snapshot, reusing: earlier.place, build: places) }
    }
  }

  /// Returns the records closest to a location, nearest first.
  ///
  /// It is inlinable because it tests a few hundred records, which takes several times as long
  /// without knowing their type.
  @inlinable
  package func nearest(
    to place: Coordinate, count: Int, where isIncluded: (Record) -> Bool
  ) -> [(record: Record, distance: Distance)] {
    let index = self.place
    let hits = index.base.nearest(to: place, count: count) { slot in
      index.record(at: Int(slot), in: snapshot).map(isIncluded) ?? false
    }
    var found = hits.compactMap { hit in
      snapshot.record(at: Int(hit.key)).map { (record: $0, distance: hit.distance) }
    }
    if !index.changed.isEmpty {
      for record in index.changed where isIncluded(record) {
        guard let coordinate = coordinateOf(record) else { continue }
        found.append((record, place.distance(to: coordinate)))
      }
      found.sort { left, right in
        left.distance == right.distance
          ? precedes?(left.record.id, right.record.id) ?? false : left.distance < right.distance
      }
      if found.count > count { found.removeLast(found.count - max(0, count)) }
    }
    return found
  }
}

extension DerivedIndex {
  /// Returns the slots of the records that the index found and of those that have changed since it
  /// was built, in the order of the snapshot.
  ///
  /// - Parameters:
  ///   - slots: The slots that the index found, in ascending order.
  ///   - admits: A closure that returns whether a changed record belongs to the result.
  @inlinable
  package func slots(
    _ slots: [Int32], in snapshot: Snapshot<Record>, changed admits: (Record) -> Bool
  ) -> [Int32] {
    if isUnchanged { return slots }
    var found = slots.filter { record(at: Int($0), in: snapshot) != nil }
    for record in changed where admits(record) {
      if let slot = snapshot.slot(of: record.id) { found.append(Int32(slot)) }
    }
    found.sort()
    return found
  }

  /// Calls a closure with the records that the index found and those that have changed since it was
  /// built, in the order of the snapshot.
  ///
  /// - Parameters:
  ///   - slots: The slots that the index found, in ascending order.
  ///   - admits: A closure that returns whether a changed record belongs to the result.
  @inlinable
  package func forEach(
    _ slots: [Int32], in snapshot: Snapshot<Record>, changed admits: (Record) -> Bool,
    _ body: (Record) -> Void
  ) {
    for slot in self.slots(slots, in: snapshot, changed: admits) {
      if let record = snapshot.record(at: Int(slot)) { body(record) }
    }
  }
}
