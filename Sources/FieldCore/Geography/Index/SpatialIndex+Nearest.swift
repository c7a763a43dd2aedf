extension SpatialIndex {
  /// Returns the entries nearest to a location, nearest first, with ties in the order of the
  /// entries.
  ///
  /// - Parameters:
  ///   - coordinate: The location to search from.
  ///   - count: The maximum number of entries to return.
  ///   - maxDistance: The maximum distance, or `nil` for no limit.
  ///   - isIncluded: A closure that returns whether to consider a key. It is called at most once
  ///     per entry, and only for entries that may be among the nearest.
  @usableFromInline
  package func nearest(
    to coordinate: Coordinate, count: Int, maxDistance: Distance? = nil,
    where isIncluded: (Int32) -> Bool = { _ in true }
  ) -> [Neighbor] {
    guard count > 0, !nodes.isEmpty else { return [] }
    let here = GeodesicPoint(coordinate)
    let place = here.position
    let limit = maxDistance.map { $0.meters } ?? .infinity
    guard limit >= 0 else { return [] }
    var search = NearestSearch(count: count, limit: limit)

    // The chord alone decides which entries can be among the nearest, and geodesics are computed
    // only for those. The nearer child is visited first, so that the limit decreases early.
    var waiting = [Waiting(node: 0, squaredChord: nodes[0].squaredDistance(to: place))]
    waiting.reserveCapacity(64)
    while let next = waiting.popLast() {
      guard next.squaredChord <= search.squaredLimit else { continue }
      let left = 2 * next.node + 1
      guard left < nodes.count else {
        let node = nodes[next.node]
        for position in Int(node.start)..<Int(node.end) {
          let line = positions[position].place - place
          let squaredChord = (line * line).sum()
          guard squaredChord <= search.squaredLimit else { continue }
          collect(position, squaredChord, into: &search, where: isIncluded)
        }
        continue
      }
      let first = Waiting(node: left, squaredChord: nodes[left].squaredDistance(to: place))
      let second = Waiting(
        node: left + 1, squaredChord: nodes[left + 1].squaredDistance(to: place))
      let firstIsNearer = first.squaredChord <= second.squaredChord
      waiting.append(firstIsNearer ? second : first)
      waiting.append(firstIsNearer ? first : second)
    }
    return rank(search, from: here, count: count, limit: limit)
  }

  private struct Waiting {
    var node: Int
    var squaredChord: Double
  }

  /// Takes the entries of a position, as many as could be among the nearest if it were the nearest.
  private func collect(
    _ position: Int, _ squaredChord: Double, into search: inout NearestSearch,
    where isIncluded: (Int32) -> Bool
  ) {
    var taken = 0
    for index in entryRange(position) {
      let entry = entries[index]
      guard isIncluded(keys[Int(entry)]) else { continue }
      search.add(Candidate(position: Int32(position), entry: entry, squaredChord: squaredChord))
      taken += 1
      if taken == search.count { return }
    }
  }

  private func rank(
    _ search: NearestSearch, from here: GeodesicPoint, count: Int, limit: Double
  ) -> [Neighbor] {
    var ranked: [(meters: Double, entry: Int32)] = []
    var (position, meters) = (Int32(-1), 0.0)
    for candidate in search.candidates where candidate.squaredChord <= search.squaredLimit {
      if candidate.position != position {
        position = candidate.position
        meters = Geodesic.meters(from: here, to: positions[Int(position)].point)
      }
      if meters <= limit { ranked.append((meters, candidate.entry)) }
    }
    ranked.sort { ($0.meters, $0.entry) < ($1.meters, $1.entry) }
    return ranked.prefix(count).map { found in
      Neighbor(key: keys[Int(found.entry)], distance: .meters(found.meters))
    }
  }
}

/// An entry that may be among the nearest.
private struct Candidate {
  var position: Int32
  var entry: Int32
  var squaredChord: Double
}

/// The current candidates, and the chord beyond which no entry can be among the nearest.
private struct NearestSearch {
  let count: Int
  private(set) var candidates: [Candidate] = []
  private(set) var squaredLimit: Double
  /// The `count` smallest chords so far, squared: a heap with the largest first.
  private var smallest: [Double] = []

  init(count: Int, limit: Double) {
    self.count = count
    let chord = Chord.greatest(for: min(limit, WGS84.longest))
    squaredLimit = chord * chord
  }

  mutating func add(_ candidate: Candidate) {
    candidates.append(candidate)
    if smallest.count < count {
      smallest.append(candidate.squaredChord)
      siftUp()
    } else if candidate.squaredChord < smallest[0] {
      smallest[0] = candidate.squaredChord
      siftDown()
    } else {
      return
    }
    guard smallest.count == count else { return }
    // None of the `count` nearest is farther than the upper bound of the farthest of these.
    let chord = Chord.greatest(for: Chord.greatestDistance(smallest[0].squareRoot()))
    squaredLimit = min(squaredLimit, chord * chord)
  }

  private mutating func siftUp() {
    var child = smallest.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard smallest[parent] < smallest[child] else { return }
      smallest.swapAt(parent, child)
      child = parent
    }
  }

  private mutating func siftDown() {
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < smallest.count else { return }
      if child + 1 < smallest.count && smallest[child + 1] > smallest[child] { child += 1 }
      guard smallest[parent] < smallest[child] else { return }
      smallest.swapAt(parent, child)
      parent = child
    }
  }
}
