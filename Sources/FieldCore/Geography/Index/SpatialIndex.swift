/// Places with a key each, ready for the questions "what is nearest", "what is within this radius"
/// and "what is in this box".
///
/// ```swift
/// let index = SpatialIndex(byID.map { (key: $0.slot, coordinate: $0.coordinate) })
/// let five = index.nearest(to: here, count: 5)
/// ```
///
/// An index never changes; records that changed since are left out by a filter, and asked about
/// beside it. Every answer is exact: distances are ``Geodesic`` ones, and what is equally far comes in
/// the order of the entries, so entries sorted by id give answers whose ties are broken by id,
/// whatever the keys are. Keys need not be unique or ascending.
///
/// Inside, equal positions are one (thousands of meteorites share one coordinate), and the positions
/// are the leaves of a balanced tree of boxes in space, metres from the centre of the earth, where
/// the poles and the antimeridian are places like all others. The straight line from a place to such
/// a box is never longer than the geodesic to anything in it, which is what rules boxes out. All of
/// it lies in flat arrays, and no walk recurses.
package struct SpatialIndex: Sendable {
  /// A key found, and how far away it is.
  package struct Neighbor: Sendable, Hashable {
    /// The key of the entry.
    package let key: Int32
    /// How far its position is from the place that was asked about.
    package let distance: Distance

    /// Makes a neighbor.
    package init(key: Int32, distance: Distance) {
      self.key = key
      self.distance = distance
    }
  }

  /// The keys, in the order of the entries.
  var keys: [Int32] = []
  /// The numbers of the entries, position by position, ascending within one.
  var entries: [Int32] = []
  /// Where each position's entries start in ``entries``, and the end of the last.
  var entryStarts: [Int32] = [0]
  /// The positions in the order of the tree's leaves.
  var positions: [Position] = []
  /// The tree: the children of node i are 2 i + 1 and 2 i + 2. Empty without positions.
  var nodes: [Node] = []
  /// The latitudes and longitudes of the nodes.
  var areas: [Area] = []

  /// A position that entries have.
  struct Position: Sendable {
    let point: GeodesicPoint
    let place: SIMD3<Double>

    /// The coordinate, its longitude in -180 ..< 180.
    var latitude: Double { point.latitude }
    var longitude: Double { point.longitude }
  }

  /// The box in space around a run of positions.
  struct Node: Sendable {
    var low: SIMD3<Double>
    var high: SIMD3<Double>
    var start: Int32
    var end: Int32

    /// The square of the straight distance to the box, 0 inside.
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

  /// How many entries there are.
  package var count: Int { keys.count }

  /// Whether there are none.
  package var isEmpty: Bool { keys.isEmpty }

  /// How many different positions the entries have.
  package var positionCount: Int { positions.count }

  /// The entries of a position, as a range of ``entries``.
  func entryRange(_ position: Int) -> Range<Int> {
    Int(entryStarts[position])..<Int(entryStarts[position + 1])
  }
}
