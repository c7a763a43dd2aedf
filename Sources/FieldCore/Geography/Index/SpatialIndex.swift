/// An index of keyed locations that finds the nearest, those within a radius, and those in a box.
///
/// ```swift
/// let index = SpatialIndex(byID.map { (key: $0.slot, coordinate: $0.coordinate) })
/// let five = index.nearest(to: here, count: 5)
/// ```
///
/// An index never changes; records that have changed since are excluded by a filter and searched
/// separately. Every result is exact: distances are geodesic (``Geodesic``), and ties are in the
/// order of the entries, so if entries are sorted by ID, ties are ordered by ID, whatever the keys
/// are. Keys need not be unique or ascending.
///
/// Internally, equal positions are merged (thousands of meteorites share one coordinate), and the
/// positions are the leaves of a balanced tree of boxes in space, in meters from the center of the
/// earth, where the poles and the antimeridian aren't special. The straight line from a location to
/// such a box is never longer than the geodesic to anything in it, so boxes can be ruled out. All
/// data is in flat arrays, and no traversal recurses.
@usableFromInline
package struct SpatialIndex: Sendable {
  /// A key that was found, and its distance.
  @usableFromInline
  package struct Neighbor: Sendable, Hashable {
    /// The key of the entry.
    @usableFromInline
    package let key: Int32
    /// The distance of its position from the location of the search.
    @usableFromInline
    package let distance: Distance

    /// Creates a neighbor.
    package init(key: Int32, distance: Distance) {
      self.key = key
      self.distance = distance
    }
  }

  /// The keys, in the order of the entries.
  var keys: [Int32] = []
  /// The indexes of the entries by position, ascending within each.
  var entries: [Int32] = []
  /// The start of each position's entries in ``entries``, and the end of the last.
  var entryStarts: [Int32] = [0]
  /// The positions in the order of the tree's leaves.
  var positions: [Position] = []
  /// The tree, empty without positions: the children of node i are 2 i + 1 and 2 i + 2.
  var nodes: [Node] = []
  /// The latitudes and longitudes of the nodes.
  var areas: [Area] = []

  /// A position of one or more entries.
  struct Position: Sendable {
    let point: GeodesicPoint
    let place: SIMD3<Double>

    /// The coordinate, with its longitude in -180 ..< 180.
    var latitude: Double { point.latitude }
    var longitude: Double { point.longitude }
  }

  /// The box in space around a run of positions.
  struct Node: Sendable {
    var low: SIMD3<Double>
    var high: SIMD3<Double>
    var start: Int32
    var end: Int32

    /// Returns the square of the straight distance to the box, which is 0 inside.
    func squaredDistance(to place: SIMD3<Double>) -> Double {
      let outside = pointwiseMax(pointwiseMax(low - place, place - high), SIMD3(repeating: 0))
      return (outside * outside).sum()
    }
  }

  /// The latitudes and longitudes of a run of positions, in degrees.
  struct Area: Sendable {
    var south: Double
    var west: Double
    var north: Double
    var east: Double
  }

  /// The number of entries.
  package var count: Int { keys.count }

  /// A Boolean value that indicates whether there are no entries.
  package var isEmpty: Bool { keys.isEmpty }

  /// The number of distinct positions.
  package var positionCount: Int { positions.count }

  /// Returns the entries of a position, as a range of ``entries``.
  func entryRange(_ position: Int) -> Range<Int> {
    Int(entryStarts[position])..<Int(entryStarts[position + 1])
  }
}

// MARK: - Building

extension SpatialIndex {
  /// The maximum number of positions in a leaf.
  private static let leafSize = 8

  /// Creates an index in O(n log n).
  ///
  /// - Parameter source: The entries, fewer than 2³¹, in the order in which to break ties.
  package init(_ source: some Sequence<(key: Int32, coordinate: Coordinate)>) {
    var groups = PositionGroups(expecting: source.underestimatedCount)
    keys.reserveCapacity(source.underestimatedCount)
    // The loop is compiled for arrays, and not for other sequences of other modules.
    for entry in Array(source) {
      keys.append(entry.key)
      groups.add(entry.coordinate)
    }
    guard !keys.isEmpty else { return }

    let found = groups.coordinates.map { coordinate in
      let point = GeodesicPoint(coordinate)
      return Position(point: point, place: point.position)
    }
    var order = found.indices.map { Leaf(place: found[$0].place, position: Int32($0)) }
    plantTree(&order)
    positions = order.map { found[Int($0.position)] }
    collectEntries(groups, order)
    measureAreas()
  }

  /// Creates the index that another one was, in O(n).
  ///
  /// - Parameters:
  ///   - leaves: The coordinates of its positions.
  init(leaves: [Coordinate], keys: [Int32], entries: [Int32], entryStarts: [Int32]) {
    (self.keys, self.entries, self.entryStarts) = (keys, entries, entryStarts)
    guard !leaves.isEmpty else { return }
    positions = leaves.map { coordinate in
      let point = GeodesicPoint(coordinate)
      return Position(point: point, place: point.position)
    }
    var order = positions.indices.map {
      Leaf(place: positions[$0].place, position: Int32(truncatingIfNeeded: $0))
    }
    plantTree(&order, isHalved: true)
    measureAreas()
  }

  /// A position during the construction of the tree.
  private struct Leaf {
    var place: SIMD3<Double>
    var position: Int32
    /// The coordinate along the axis that is being halved.
    var key = 0.0
  }

  /// Halves the positions along the longest side of their box until at most ``leafSize`` are left,
  /// level by level, so that the tree is complete.
  ///
  /// - Parameter isHalved: Whether the positions are in the order of another tree's leaves.
  private mutating func plantTree(_ order: inout [Leaf], isHalved: Bool = false) {
    var levels = 0
    while order.count > Self.leafSize << levels { levels += 1 }
    let inner = 1 << levels - 1
    nodes.reserveCapacity(2 * inner + 1)
    for number in 0..<(2 * inner + 1) {
      let run: Range<Int>
      if number == 0 {
        run = 0..<order.count
      } else {
        let parent = nodes[(number - 1) / 2]
        let middle = Int(parent.start + parent.end) / 2
        run = number % 2 == 1 ? Int(parent.start)..<middle : middle..<Int(parent.end)
      }
      var node = Node(
        low: order[run.lowerBound].place, high: order[run.lowerBound].place,
        start: Int32(run.lowerBound), end: Int32(run.upperBound))
      for leaf in order[run] {
        node.low = pointwiseMin(node.low, leaf.place)
        node.high = pointwiseMax(node.high, leaf.place)
      }
      nodes.append(node)
      if number < inner, !isHalved {
        let sides = node.high - node.low
        let axis = sides.x >= sides.y ? (sides.x >= sides.z ? 0 : 2) : (sides.y >= sides.z ? 1 : 2)
        Self.halve(&order, run, along: axis)
      }
    }
  }

  /// Moves the lower half of a run before the upper half (Hoare's selection). After twice as many
  /// rounds as halving should need, which only adversarial input takes, the rest is sorted instead.
  private static func halve(_ order: inout [Leaf], _ run: Range<Int>, along axis: Int) {
    for place in run { order[place].key = order[place].place[axis] }
    let middle = (run.lowerBound + run.upperBound) / 2
    var (low, high) = (run.lowerBound, run.upperBound - 1)
    var rounds = 2 * (Int.bitWidth - run.count.leadingZeroBitCount)
    while low < high {
      rounds -= 1
      if rounds < 0 {
        order[low...high].sort { $0.key < $1.key }
        return
      }
      let (a, b, c) = (order[low].key, order[(low + high) / 2].key, order[high].key)
      let pivot = max(min(a, b), min(max(a, b), c))
      var (left, right) = (low, high)
      while left <= right {
        while order[left].key < pivot { left += 1 }
        while order[right].key > pivot { right -= 1 }
        if left <= right {
          order.swapAt(left, right)
          left += 1
          right -= 1
        }
      }
      if middle <= right {
        high = right
      } else if middle >= left {
        low = left
      } else {
        return
      }
    }
  }

  /// Lists the entries by position with a counting sort, so that those of each position ascend.
  private mutating func collectEntries(_ groups: PositionGroups, _ order: [Leaf]) {
    var places = [Int32](repeating: 0, count: order.count)
    for (place, leaf) in order.enumerated() { places[Int(leaf.position)] = Int32(place) }
    entryStarts = [Int32](repeating: 0, count: order.count + 1)
    for group in groups.groupOfEntry { entryStarts[Int(places[Int(group)]) + 1] += 1 }
    for place in order.indices { entryStarts[place + 1] += entryStarts[place] }
    var next = entryStarts
    entries = [Int32](repeating: 0, count: keys.count)
    for (entry, group) in groups.groupOfEntry.enumerated() {
      let place = Int(places[Int(group)])
      entries[Int(next[place])] = Int32(entry)
      next[place] += 1
    }
  }

  private mutating func measureAreas() {
    let none = Area(south: .infinity, west: .infinity, north: -.infinity, east: -.infinity)
    areas = [Area](repeating: none, count: nodes.count)
    // Children follow their parents, so in reverse order they are measured first.
    for number in nodes.indices.reversed() {
      var area = none
      if 2 * number + 2 < nodes.count {
        for child in [areas[2 * number + 1], areas[2 * number + 2]] { area.extend(over: child) }
      } else {
        for position in positions[Int(nodes[number].start)..<Int(nodes[number].end)] {
          area.extend(
            over: Area(
              south: position.latitude, west: position.longitude, north: position.latitude,
              east: position.longitude))
        }
      }
      areas[number] = area
    }
  }
}

extension SpatialIndex.Area {
  fileprivate mutating func extend(over other: Self) {
    south = min(south, other.south)
    west = min(west, other.west)
    north = max(north, other.north)
    east = max(east, other.east)
  }
}

/// Groups coordinates of the same location with a hash table.
///
/// Longitudes are normalized, and a pole is one location, whatever its longitude.
private struct PositionGroups {
  /// One coordinate of each group.
  private(set) var coordinates: [Coordinate] = []
  /// The group of each entry.
  private(set) var groupOfEntry: [Int32] = []
  /// The groups by hash, -1 for none; the size is a power of two, at least twice the number of
  /// groups.
  private var table: [Int32]

  init(expecting count: Int) {
    groupOfEntry.reserveCapacity(count)
    table = [Int32](repeating: -1, count: 64)
  }

  mutating func add(_ coordinate: Coordinate) {
    var place = coordinate.normalized
    if abs(place.latitude) == 90 { place = Coordinate(knownLatitude: place.latitude, longitude: 0) }
    var slot = Self.hash(place) & (table.count - 1)
    while table[slot] >= 0 {
      if coordinates[Int(table[slot])] == place {
        groupOfEntry.append(table[slot])
        return
      }
      slot = (slot + 1) & (table.count - 1)
    }
    table[slot] = Int32(coordinates.count)
    groupOfEntry.append(Int32(coordinates.count))
    coordinates.append(place)
    if coordinates.count * 2 > table.count { grow() }
  }

  private mutating func grow() {
    table = [Int32](repeating: -1, count: table.count * 4)
    for (group, place) in coordinates.enumerated() {
      var slot = Self.hash(place) & (table.count - 1)
      while table[slot] >= 0 { slot = (slot + 1) & (table.count - 1) }
      table[slot] = Int32(group)
    }
  }

  private static func hash(_ place: Coordinate) -> Int {
    // The mixing of MurmurHash3, because coordinates with few decimals differ in few bits.
    var bits = place.latitude.bitPattern &* 0x9E37_79B9_7F4A_7C15 ^ place.longitude.bitPattern
    bits = (bits ^ (bits >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    bits = (bits ^ (bits >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return Int(truncatingIfNeeded: bits ^ (bits >> 33))
  }
}

// MARK: - Nearest

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

// MARK: - Regions

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
