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
