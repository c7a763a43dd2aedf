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

    // The chord alone decides which entries can be among the nearest, and geodesics are computed
    // only for those. Boxes and positions wait in one queue, so positions come nearest first, and
    // hardly an entry is considered that isn't among the nearest.
    var candidates: [Candidate] = []
    let greatest = Chord.greatest(for: min(limit, WGS84.longest))
    var squaredLimit = greatest * greatest
    var queue = NearestFirst()
    queue.insert(.node(0), squaredChord: nodes[0].squaredDistance(to: place))
    while let next = queue.popFirst(), next.squaredChord <= squaredLimit {
      switch next.item {
      case .node(var number):
        while 2 * number + 2 < nodes.count {
          var (near, far) = (2 * number + 1, 2 * number + 2)
          var squaredChord = nodes[far].squaredDistance(to: place)
          let other = nodes[near].squaredDistance(to: place)
          if squaredChord < other { (near, far, squaredChord) = (far, near, other) }
          if squaredChord <= squaredLimit { queue.insert(.node(far), squaredChord: squaredChord) }
          number = near
        }
        for position in Int(nodes[number].start)..<Int(nodes[number].end) {
          let squaredChord = Chord.squared(positions[position].place, place)
          if squaredChord <= squaredLimit {
            queue.insert(.position(position), squaredChord: squaredChord)
          }
        }
      case .position(let position):
        let before = candidates.count
        collect(position, atMost: count, into: &candidates, where: isIncluded)
        if before < count, candidates.count >= count {
          // None of the `count` nearest is farther than the upper bound of the farthest of these.
          let distance = Chord.greatestDistance(next.squaredChord.squareRoot())
          let chord = Chord.greatest(for: distance)
          squaredLimit = min(squaredLimit, chord * chord)
        }
      }
    }
    return rank(candidates, from: here, count: count, limit: limit)
  }

  /// Takes the entries of a position, as many as could be among the nearest if it were the nearest.
  private func collect(
    _ position: Int, atMost count: Int, into candidates: inout [Candidate],
    where isIncluded: (Int32) -> Bool
  ) {
    var taken = 0
    for index in entryRange(position) {
      let entry = entries[index]
      guard isIncluded(keys[Int(entry)]) else { continue }
      candidates.append(Candidate(position: position, entry: entry))
      taken += 1
      if taken == count { return }
    }
  }

  private func rank(
    _ candidates: [Candidate], from here: GeodesicPoint, count: Int, limit: Double
  ) -> [Neighbor] {
    var ranked: [(meters: Double, entry: Int32)] = []
    var (position, meters) = (-1, 0.0)
    for candidate in candidates {
      if candidate.position != position {
        position = candidate.position
        meters = Geodesic.meters(from: here, to: positions[position].point)
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
  var position: Int
  var entry: Int32
}

/// Boxes and positions with their chords, squared, of which the smallest comes first: a binary heap.
private struct NearestFirst {
  enum Item {
    case node(Int)
    case position(Int)
  }

  private var waiting: [(item: Item, squaredChord: Double)] = []

  init() { waiting.reserveCapacity(128) }

  mutating func insert(_ item: Item, squaredChord: Double) {
    var place = waiting.count
    waiting.append((item, squaredChord))
    while place > 0, squaredChord < waiting[(place - 1) / 2].squaredChord {
      waiting[place] = waiting[(place - 1) / 2]
      place = (place - 1) / 2
    }
    waiting[place] = (item, squaredChord)
  }

  mutating func popFirst() -> (item: Item, squaredChord: Double)? {
    guard let last = waiting.popLast() else { return nil }
    guard let first = waiting.first else { return last }
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < waiting.count else { break }
      if child + 1 < waiting.count, waiting[child + 1].squaredChord < waiting[child].squaredChord {
        child += 1
      }
      guard waiting[child].squaredChord < last.squaredChord else { break }
      waiting[place] = waiting[child]
      place = child
    }
    waiting[place] = last
    return first
  }
}
