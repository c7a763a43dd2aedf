extension SpatialIndex {
  /// Returns the entries within a radius of a location, nearest first, with ties in the order of
  /// the entries.
  ///
  /// The edge belongs to the circle.
  package func within(
    _ radius: Distance, of coordinate: Coordinate, where isIncluded: (Int32) -> Bool = { _ in true }
  ) -> [Neighbor] {
    let here = GeodesicPoint(coordinate)
    var found: [(meters: Double, position: Int)] = []
    forEachPosition(within: radius, of: here) { position, _ in
      let meters = Geodesic.meters(from: here, to: positions[position].point)
      if meters <= radius.meters { found.append((meters, position)) }
    }
    found.sort { $0.meters < $1.meters }
    var neighbors: [Neighbor] = []
    var start = 0
    while start < found.count {
      // The entries of a position are already in order; those of equidistant positions are merged.
      let meters = found[start].meters
      let end = found[start...].firstIndex { $0.meters != meters } ?? found.count
      var ties = entries[entryRange(found[start].position)]
      if end - start > 1 {
        ties = found[start..<end].flatMap { entries[entryRange($0.position)] }.sorted()[...]
      }
      for entry in ties where isIncluded(keys[Int(entry)]) {
        neighbors.append(Neighbor(key: keys[Int(entry)], distance: .meters(meters)))
      }
      start = end
    }
    return neighbors
  }

  /// Returns the keys within a radius of a location, in the order of the entries.
  ///
  /// This costs less than ranking them, because distances are computed only for positions near the
  /// edge.
  package func keys(within radius: Distance, of coordinate: Coordinate) -> [Int32] {
    let here = GeodesicPoint(coordinate)
    var found = EntrySet(of: keys.count)
    forEachPosition(within: radius, of: here) { position, squaredChord in
      if Chord.isWithin(radius.meters, squaredChord, from: here, to: positions[position].point) {
        found.insert(entries[entryRange(position)])
      }
    }
    return found.ordered().map { keys[Int($0)] }
  }

  /// Returns the keys in a box, in the order of the entries; edges and poles are treated as in
  /// ``GeoBox``.
  package func keys(in box: GeoBox) -> [Int32] {
    var found = EntrySet(of: keys.count)
    var waiting = nodes.isEmpty ? [] : [0]
    waiting.reserveCapacity(64)
    while let number = waiting.popLast() {
      switch box.relation(to: areas[number]) {
      case .apart:
        continue
      case .around:
        let node = nodes[number]
        let first = Int(entryStarts[Int(node.start)])
        found.insert(entries[first..<Int(entryStarts[Int(node.end)])])
      case .across:
        let left = 2 * number + 1
        if left < nodes.count {
          waiting.append(left + 1)
          waiting.append(left)
        } else {
          for position in Int(nodes[number].start)..<Int(nodes[number].end)
          where box.contains(
            latitude: positions[position].latitude, longitude: positions[position].longitude)
          {
            found.insert(entries[entryRange(position)])
          }
        }
      }
    }
    return found.ordered().map { keys[Int($0)] }
  }

  /// Calls a closure with every position that may be within the radius, and its squared chord.
  private func forEachPosition(
    within radius: Distance, of here: GeodesicPoint, _ body: (Int, Double) -> Void
  ) {
    guard radius.meters >= 0, !nodes.isEmpty else { return }
    let place = here.position
    let chord = Chord.greatest(for: min(radius.meters, WGS84.longest))
    let limit = chord * chord
    var waiting = [0]
    waiting.reserveCapacity(64)
    while let number = waiting.popLast() {
      guard nodes[number].squaredDistance(to: place) <= limit else { continue }
      let left = 2 * number + 1
      if left < nodes.count {
        waiting.append(left + 1)
        waiting.append(left)
        continue
      }
      for position in Int(nodes[number].start)..<Int(nodes[number].end) {
        let squaredChord = Chord.squared(positions[position].place, place)
        if squaredChord <= limit { body(position, squaredChord) }
      }
    }
  }
}

extension GeoBox {
  fileprivate enum Relation {
    case apart, across, around
  }

  fileprivate func relation(to area: SpatialIndex.Area) -> Relation {
    guard south <= area.north, area.south <= north else { return .apart }
    let isWithinLatitudes = south <= area.south && area.north <= north
    // Areas never cross the antimeridian; the two parts of a box that does are checked separately.
    let parts: [(Double, Double)] =
      west > east ? [(west, 180), (-180, east)] : [(west, east)]
    var meets = false
    for (start, end) in parts where start <= area.east && area.west <= end {
      if isWithinLatitudes && start <= area.west && area.east <= end { return .around }
      meets = true
    }
    // 180° is -180°, and a box that reaches a pole contains it at any longitude.
    let touches =
      (east == 180 && area.west == -180) || (north == 90 && area.north == 90)
      || (south == -90 && area.south == -90)
    return meets || touches ? .across : .apart
  }
}

/// A set of entries, found in any order, to list in ascending order.
private struct EntrySet {
  private let capacity: Int
  private var found: [Int32] = []

  init(of capacity: Int) { self.capacity = capacity }

  mutating func insert(_ entries: ArraySlice<Int32>) { found.append(contentsOf: entries) }

  /// Returns the entries in ascending order: sorted if they are few, with one bit each if they are
  /// many.
  consuming func ordered() -> [Int32] {
    guard found.count > capacity / 32 else {
      found.sort()
      return found
    }
    var bits = [UInt64](repeating: 0, count: capacity / 64 + 1)
    for entry in found { bits[Int(entry) / 64] |= 1 << (UInt64(entry) % 64) }
    found.removeAll(keepingCapacity: true)
    for (index, word) in bits.enumerated() {
      var rest = word
      while rest != 0 {
        found.append(Int32(index * 64 + rest.trailingZeroBitCount))
        rest &= rest - 1
      }
    }
    return found
  }
}
