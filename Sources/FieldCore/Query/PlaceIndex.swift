/// The locations of a snapshot's records by slot, for searches by location.
///
/// The base covers all records of an earlier snapshot. Beside it are the locations that have changed since.
@usableFromInline
package struct PlaceIndex: Sendable {
  @usableFromInline
  let base: SpatialIndex
  /// The locations that have changed since the base, `nil` for none.
  @usableFromInline
  var changed = SlotOverlay<Coordinate?>()

  /// Creates an index of locations by slot.
  package init(_ base: SpatialIndex) { self.base = base }

  /// Returns the slots of those locations that the base finds and that still hold, and of changed ones, ascending.
  package func slots(_ found: [Int32], changed isIncluded: (Coordinate) -> Bool) -> [Int32] {
    let found = found.sorted().subtracting(sorted: changed.slots)
    return found.merging(
      sorted: zip(changed.slots, changed.values).compactMap { slot, coordinate in
        coordinate.map(isIncluded) ?? false ? slot : nil
      })
  }

  /// Returns the slots of the locations nearest to another, nearest first.
  ///
  /// - Parameters:
  ///   - precedes: Orders slots at the same distance, like the entries of the base.
  ///   - isIncluded: A closure that returns whether to consider a slot.
  @usableFromInline
  func nearest(
    to place: Coordinate, count: Int, ties precedes: (Int32, Int32) -> Bool,
    where isIncluded: (Int32) -> Bool
  ) -> [SpatialIndex.Neighbor] {
    guard !changed.slots.isEmpty else {
      return base.nearest(to: place, count: count, where: isIncluded)
    }
    let known = base.nearest(to: place, count: count) { slot in
      !changed.slots.contains(sorted: slot) && isIncluded(slot)
    }
    var moved: [(key: Int32, coordinate: Coordinate)] = []
    for (slot, coordinate) in zip(changed.slots, changed.values) {
      if let coordinate { moved.append((slot, coordinate)) }
    }
    let new: [SpatialIndex.Neighbor]
    if count <= NearestScan.mostEntries {
      var scan = NearestScan(from: place, count: count)
      for entry in moved { scan.add(entry.key, entry.coordinate, where: isIncluded) }
      new = scan.finish(ties: precedes)
    } else {
      moved.sort { precedes($0.key, $1.key) }
      new = SpatialIndex(moved).nearest(to: place, count: count, where: isIncluded)
    }
    let all = (known + new).sorted { left, right in
      left.distance == right.distance
        ? precedes(left.key, right.key) : left.distance < right.distance
    }
    return Array(all.prefix(count))
  }

  // MARK: Changes

  /// Returns the index after changes, or `nil` if so many locations have changed that another should be built.
  package func updated<Record: StoredRecord>(
    by changes: SlotChanges<Record>, coordinate: (Record) -> Coordinate?
  ) -> Self? {
    var next = self
    next.changed = changed.updated(at: changes.slots) { slot, known in
      let now = changes.record(at: slot).flatMap(coordinate)
      guard changes.before != nil else { return .some(now) }
      return now == changes.earlierRecord(at: slot).flatMap(coordinate) ? known : .some(now)
    }
    return next.changed.slots.count > max(64, base.count / 64) ? nil : next
  }
}
