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

// MARK: - Storing

extension PlaceIndex {
  /// Returns the form of an index of locations.
  ///
  /// - Parameters:
  ///   - declaration: A description of the locations.
  ///   - isBySlot: Whether locations at the same distance are in the order of their slots.
  ///   - coordinate: A closure that returns the location of a record.
  static func form<Record: StoredRecord>(
    _ declaration: String, isBySlot: Bool, _ coordinate: @escaping @Sendable (Record) -> Coordinate?
  ) -> IndexForm<Record, Self> {
    IndexForm(name: "places", declaration: declaration) { index, _, bytes in
      guard isBySlot || index.changed.slots.isEmpty else { return false }
      index.rebased.write(to: &bytes)
      return true
    } read: { reader, limit in
      guard let base = SpatialIndex(from: &reader), base.keys.areDistinct(below: limit) else {
        return nil
      }
      return PlaceIndex(base)
    } agrees: { index, slot, record in
      // Looking for one slot takes a pass over all of them, so that is for the samples alone.
      index.base.agrees(slot, record.flatMap(coordinate))
    }
  }
}

extension PlaceIndex {
  /// An index of the same locations, in the order of their slots.
  private var rebased: SpatialIndex {
    guard !changed.slots.isEmpty else { return base }
    var entries = base.source.filter { !changed.slots.contains(sorted: $0.key) }
    for (slot, coordinate) in zip(changed.slots, changed.values) {
      if let coordinate { entries.append((slot, coordinate)) }
    }
    return SpatialIndex(entries.sorted { $0.key < $1.key })
  }
}

extension SpatialIndex {
  /// The entries in their order.
  fileprivate var source: [(key: Int32, coordinate: Coordinate)] {
    var places = [Int](repeating: 0, count: keys.count)
    for position in positions.indices {
      for entry in entries[entryRange(position)] { places[Int(entry)] = position }
    }
    return zip(keys, places).map { key, place in
      let position = positions[place]
      return (
        key, Coordinate(knownLatitude: position.latitude, longitude: position.longitude)
      )
    }
  }

  fileprivate func write(to section: inout [UInt8]) {
    section.append(numbers: keys)
    section.append(numbers: entries)
    section.append(numbers: entryStarts)
    section.append(numbers: positions.map(\.latitude))
    section.append(numbers: positions.map(\.longitude))
  }

  fileprivate init?(from reader: inout SectionReader) {
    guard let keys = reader.numbers(Int32.self), let entries = reader.numbers(Int32.self),
      let starts = reader.numbers(Int32.self), let latitudes = reader.numbers(Double.self),
      let longitudes = reader.numbers(Double.self), keys.count == entries.count,
      entries.areDistinct(below: keys.count), starts.count == latitudes.count + 1,
      latitudes.count == longitudes.count, starts.first == 0,
      starts.last == Int32(exactly: entries.count),
      zip(starts, starts.dropFirst()).allSatisfy(<)
    else { return nil }
    var coordinates: [Coordinate] = []
    coordinates.reserveCapacity(latitudes.count)
    for (latitude, longitude) in zip(latitudes, longitudes) {
      guard let place = Coordinate(validLatitude: latitude, longitude: longitude) else {
        return nil
      }
      coordinates.append(place)
    }
    self.init(leaves: coordinates, keys: keys, entries: entries, entryStarts: starts)
  }

  /// Returns a Boolean value that indicates whether the entry of a key has a location, or there is none.
  fileprivate func agrees(_ key: Int32, _ coordinate: Coordinate?) -> Bool {
    guard let entry = keys.firstIndex(of: key) else { return coordinate == nil }
    guard let coordinate, let place = entries.firstIndex(of: Int32(truncatingIfNeeded: entry))
    else {
      return false
    }
    let position = positions[entryStarts.partitioningIndex { Int($0) > place } - 1]
    let normalized = coordinate.normalized
    return position.latitude == normalized.latitude
      && (position.longitude == normalized.longitude || abs(position.latitude) == 90)
  }
}
