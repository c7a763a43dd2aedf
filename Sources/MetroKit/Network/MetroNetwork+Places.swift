public import FieldCore

extension MetroNetwork {
  /// Returns the stations closest to a location, nearest first.
  ///
  /// Stations at the same distance are in the order of ``stations``. The distance is to the nearest
  /// stop of a station, along the ellipsoid. Returns an empty array unless `count` is positive.
  ///
  /// ```swift
  /// for near in MetroNetwork.taipei.nearest(to: here, count: 3) {
  ///   print(near.record.name, near.distance)
  /// }
  /// ```
  public func nearest(to place: Coordinate, count: Int) -> [NearbyStation] {
    let far = content.stations.indices.compactMap { index -> (distance: Distance, index: Int)? in
      content.stations[index].stops.lazy.map { place.distance(to: $0.coordinate) }.min()
        .map { ($0, index) }
    }
    return far.sorted { $0 < $1 }.prefix(max(count, 0)).map {
      NearbyStation(content.stations[$0.index], distance: $0.distance)
    }
  }
}
