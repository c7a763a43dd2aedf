/// A search for the entries nearest to a location that takes one after another, without an index.
@usableFromInline
package struct NearestScan {
  /// The number of entries up to which a search is worth it, because it sorts those that it has found at each step.
  @usableFromInline
  static let mostEntries = 128

  private let here: Coordinate
  private let place: SIMD3<Double>
  private let count: Int
  /// The entries that may be among the nearest.
  private var candidates: [(key: Int32, coordinate: Coordinate, squaredChord: Double)] = []
  /// The squared chords of the nearest of them, ascending.
  private var nearest: [Double] = []
  private var squaredLimit = Double.infinity
  private var latitudeLimit = Double.infinity

  /// Creates a search for a number of entries.
  package init(from here: Coordinate, count: Int) {
    self.here = here
    place = GeodesicPoint(here).position
    self.count = count
  }

  /// Takes an entry, unless it can't be among the nearest.
  package mutating func add(
    _ key: Int32, _ coordinate: Coordinate, where isIncluded: (Int32) -> Bool
  ) {
    guard abs(coordinate.latitude - here.latitude) <= latitudeLimit else { return }
    let squaredChord = Chord.squared(GeodesicPoint(coordinate).position, place)
    guard squaredChord <= squaredLimit, isIncluded(key) else { return }
    candidates.append((key, coordinate, squaredChord))
    let rank = nearest.partitioningIndex { $0 > squaredChord }
    guard rank < count else { return }
    nearest.insert(squaredChord, at: rank)
    guard nearest.count >= count else { return }
    if nearest.count > count { nearest.removeLast() }
    // None of the nearest is farther than the upper bound of the farthest of these.
    let distance = Chord.greatestDistance(nearest[count - 1].squareRoot())
    let chord = Chord.greatest(for: distance)
    squaredLimit = chord * chord
    latitudeLimit = Chord.greatestLatitudeDifference(for: distance)
  }

  /// Returns the nearest entries, nearest first, with ties in an order of their keys.
  package consuming func finish(ties precedes: (Int32, Int32) -> Bool) -> [SpatialIndex.Neighbor] {
    SpatialIndex(
      candidates.filter { $0.squaredChord <= squaredLimit }.map { ($0.key, $0.coordinate) }
        .sorted { precedes($0.0, $1.0) }
    ).nearest(to: here, count: count)
  }
}
