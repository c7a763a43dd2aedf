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
