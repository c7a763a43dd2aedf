/// The indexes of a snapshot's texts and places, which the first query that needs them builds, and
/// which are kept across small changes.
@usableFromInline
package final class RecordIndexes<Record: StoredRecord>: Sendable {
  /// A closure that calls another with each slot that has a location.
  package typealias Positions =
    @Sendable (Snapshot<Record>, (_ slot: Int32, Coordinate) -> Void) -> Void

  @usableFromInline
  let snapshot: Snapshot<Record>
  private let positions: Positions
  private let coordinateOf: @Sendable (Record) -> Coordinate?
  private let precedes: (@Sendable (Record.ID, Record.ID) -> Bool)?
  private let text: KeptIndex<Record, TextIndex>
  private let places: KeptIndex<Record, PlaceIndex>

  /// Creates the indexes of a snapshot.
  ///
  /// - Parameters:
  ///   - texts: A closure that returns the searchable texts of a record.
  ///   - textIndex: A closure that returns an index of the searchable texts, by slot.
  ///   - positions: A closure that passes the locations, by slot.
  ///   - placeIndex: A closure that returns an index of the locations, with ties in the order of `precedes`. Defaults
  ///     to one with ties in the order of the snapshot.
  ///   - coordinate: A closure that returns the location of a record.
  ///   - precedes: Orders records at the same distance. Defaults to the order of the snapshot.
  ///   - declaration: A description of the texts and the location, which differs if those do.
  ///   - placePrice: The number of searches of all positions that cost about as much as an index.
  package init(
    of content: IndexedSnapshot<Record>, after earlier: RecordIndexes?,
    texts: @escaping @Sendable (Record) -> [String?],
    textIndex: @escaping @Sendable (Snapshot<Record>) -> SubstringIndex,
    positions: @escaping Positions,
    placeIndex: (@Sendable (Snapshot<Record>) -> SpatialIndex)? = nil,
    coordinate: @escaping @Sendable (Record) -> Coordinate?,
    precedes: (@Sendable (Record.ID, Record.ID) -> Bool)? = nil,
    declaration: String = "", placePrice: Int = 4
  ) {
    snapshot = content.snapshot
    self.positions = positions
    coordinateOf = coordinate
    self.precedes = precedes
    text = KeptIndex(
      of: content, after: earlier?.text, price: 0, form: TextIndex.form("texts", declaration, texts)
    ) {
      TextIndex(textIndex($0))
    } update: {
      $0.updated(by: $1, texts: texts)
    }
    let build: @Sendable (Snapshot<Record>) -> PlaceIndex = { snapshot in
      if let placeIndex { return PlaceIndex(placeIndex(snapshot)) }
      var entries: [(key: Int32, coordinate: Coordinate)] = []
      positions(snapshot) { entries.append(($0, $1)) }
      return PlaceIndex(SpatialIndex(entries))
    }
    // Going through all positions four times costs about as much as building an index of them.
    places = KeptIndex(
      of: content, after: earlier?.places, price: placePrice,
      form: PlaceIndex.form(declaration, isBySlot: precedes == nil, coordinate), build: build
    ) {
      $0.updated(by: $1, coordinate: coordinate) ?? build($1.after)
    }
  }

  // MARK: Texts

  /// Returns the slots of the records with a text that contains a query, in ascending order.
  ///
  /// A query that folds to an empty text matches nothing.
  package func slots(containing text: String) -> [Int32] { self.text.index.slots(containing: text) }

  // MARK: Places

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
    if let index = places.index(insteadOf: 1) {
      return index.slots(keys(index.base), changed: admits)
    }
    var slots: [Int32] = []
    positions(snapshot) { if admits($1) { slots.append($0) } }
    return slots
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
    let neighbors = neighbors(of: place, count: count) { slot in
      snapshot.record(at: Int(slot)).map(isIncluded) ?? false
    }
    return neighbors.compactMap { neighbor in
      snapshot.record(at: Int(neighbor.key)).map { (record: $0, distance: neighbor.distance) }
    }
  }

  /// Returns the slots closest to a location, nearest first, from the index or from all positions.
  @usableFromInline
  func neighbors(
    of place: Coordinate, count: Int, where isIncluded: (Int32) -> Bool
  ) -> [SpatialIndex.Neighbor] {
    let isScannable = count <= NearestScan.mostEntries
    if let index = isScannable ? places.index(insteadOf: 1) : places.index {
      return index.nearest(to: place, count: count, ties: isBefore, where: isIncluded)
    }
    var scan = NearestScan(from: place, count: count)
    positions(snapshot) { scan.add($0, $1, where: isIncluded) }
    return scan.finish(ties: isBefore)
  }

  /// Returns whether one of two slots comes first if their records are at the same distance.
  private func isBefore(_ left: Int32, _ right: Int32) -> Bool {
    guard let precedes, let left = snapshot.record(at: Int(left)),
      let right = snapshot.record(at: Int(right))
    else { return left < right }
    return precedes(left.id, right.id)
  }
}
