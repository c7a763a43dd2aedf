/// The indexes of a snapshot's texts and places, which the first query that needs them builds, and
/// which are kept across small changes.
@usableFromInline
package final class RecordIndexes<Record: StoredRecord>: Sendable {
  package typealias TextIndex = DerivedIndex<Record, SubstringIndex>
  @usableFromInline
  package typealias PlaceIndex = DerivedIndex<Record, SpatialIndex>

  /// A closure that calls another with each slot that has a location.
  package typealias Positions =
    @Sendable (Snapshot<Record>, (_ slot: Int32, Coordinate) -> Void) -> Void

  private struct Built: Sendable {
    var text: TextIndex?
    var place: PlaceIndex?
    /// The number of queries that go through all positions before an index of them is built, which costs about as
    /// much.
    var scansLeft = 4
  }

  @usableFromInline
  let snapshot: Snapshot<Record>
  private let texts: @Sendable (Snapshot<Record>) -> SubstringIndex
  private let positions: Positions
  private let places: @Sendable (Snapshot<Record>) -> SpatialIndex
  @usableFromInline
  let coordinateOf: @Sendable (Record) -> Coordinate?
  @usableFromInline
  let precedes: (@Sendable (Record.ID, Record.ID) -> Bool)?
  /// The indexes that an earlier snapshot has built, to continue from.
  private let earlier: Built
  private let built: Lock<Built>

  /// Creates the indexes of a snapshot.
  ///
  /// - Parameters:
  ///   - texts: A closure that returns an index of the searchable texts, by slot.
  ///   - positions: A closure that passes the locations, by slot.
  ///   - places: A closure that returns an index of the locations, with ties in the order of `precedes`. Defaults to
  ///     one with ties in the order of the snapshot.
  ///   - precedes: Orders records at the same distance. Defaults to the order of the snapshot.
  package init(
    of snapshot: Snapshot<Record>, after earlier: RecordIndexes?,
    texts: @escaping @Sendable (Snapshot<Record>) -> SubstringIndex,
    positions: @escaping Positions,
    places: (@Sendable (Snapshot<Record>) -> SpatialIndex)? = nil,
    coordinate: @escaping @Sendable (Record) -> Coordinate?,
    precedes: (@Sendable (Record.ID, Record.ID) -> Bool)? = nil
  ) {
    self.snapshot = snapshot
    self.texts = texts
    self.positions = positions
    self.places =
      places ?? { snapshot in
        var entries: [(key: Int32, coordinate: Coordinate)] = []
        positions(snapshot) { entries.append(($0, $1)) }
        return SpatialIndex(entries)
      }
    coordinateOf = coordinate
    self.precedes = precedes
    self.earlier =
      earlier.map { indexes in
        let built = indexes.built.withLock { $0 }
        return Built(
          text: built.text ?? indexes.earlier.text, place: built.place ?? indexes.earlier.place,
          scansLeft: built.scansLeft)
      } ?? Built()
    built = Lock(Built(scansLeft: self.earlier.scansLeft))
  }

  /// The folded texts, by slot.
  package var text: TextIndex {
    built.withLock { built in
      built.text.making { TextIndex(of: snapshot, reusing: earlier.text, build: texts) }
    }
  }

  /// Returns the positions, by slot, or `nil` if going through all of them costs less.
  ///
  /// - Parameter isScannable: Whether that is possible for the query.
  @usableFromInline
  func place(unlessScanned isScannable: Bool = true) -> PlaceIndex? {
    built.withLock { built in
      if isScannable, built.place == nil, earlier.place == nil, built.scansLeft > 0 {
        built.scansLeft -= 1
        return nil
      }
      return built.place.making {
        PlaceIndex(of: snapshot, reusing: earlier.place, build: places)
      }
    }
  }

  /// Returns the slots of the records in a box, in ascending order.
  package func slots(in box: GeoBox) -> [Int32] {
    slots(where: box.contains) { $0.keys(in: box) }
  }

  /// Returns the slots of the records within a distance of a location, in ascending order.
  package func slots(within radius: Distance, of center: Coordinate) -> [Int32] {
    let limit = Chord.greatestLatitudeDifference(for: radius.meters)
    let chord = Chord.greatest(for: min(radius.meters, WGS84.longest))
    let here = GeodesicPoint(center)
    let place = here.position
    return slots { coordinate in
      guard abs(coordinate.latitude - center.latitude) <= limit else { return false }
      let point = GeodesicPoint(coordinate)
      let squaredChord = Chord.squared(point.position, place)
      return squaredChord <= chord * chord
        && Chord.isWithin(radius.meters, squaredChord, from: here, to: point)
    } _: {
      $0.keys(within: radius, of: center)
    }
  }

  /// Returns the slots of the records with a location that meets a condition, from the index if there is one.
  private func slots(
    where admits: (Coordinate) -> Bool, _ keys: (SpatialIndex) -> [Int32]
  ) -> [Int32] {
    guard let index = place() else {
      var slots: [Int32] = []
      positions(snapshot) { if admits($1) { slots.append($0) } }
      return slots
    }
    return index.slots(keys(index.base).sorted(), in: snapshot) {
      coordinateOf($0).map(admits) ?? false
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
    guard count > 0 else { return [] }
    guard let index = self.place(unlessScanned: count <= NearestScan.mostEntries) else {
      return scan(for: count, nearestTo: place) { slot in
        snapshot.record(at: Int(slot)).map(isIncluded) ?? false
      }
    }
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
      if found.count > count { found.removeLast(found.count - count) }
    }
    return found
  }

  /// Returns the records closest to a location from all positions.
  @usableFromInline
  func scan(
    for count: Int, nearestTo place: Coordinate, where isIncluded: (Int32) -> Bool
  ) -> [(record: Record, distance: Distance)] {
    var scan = NearestScan(from: place, count: count)
    positions(snapshot) { scan.add($0, $1, where: isIncluded) }
    let neighbors = scan.finish { left, right in
      guard let precedes, let left = snapshot.record(at: Int(left)),
        let right = snapshot.record(at: Int(right))
      else { return left < right }
      return precedes(left.id, right.id)
    }
    return neighbors.compactMap { neighbor in
      snapshot.record(at: Int(neighbor.key)).map { (record: $0, distance: neighbor.distance) }
    }
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
}
