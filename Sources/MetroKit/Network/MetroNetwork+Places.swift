public import FieldCore

extension MetroNetwork {
  /// The stations nearest to a place, the nearest first; stations that are equally far come in the
  /// order of ``stations``.
  ///
  /// The distance is that to the nearest stop of a station, along the ellipsoid. A count that is not
  /// positive gives none.
  public func nearest(to place: Coordinate, count: Int) -> [NearbyStation] {
    guard count > 0 else { return [] }
    let far = content.stations.indices.compactMap { index -> (distance: Distance, index: Int)? in
      content.stations[index].stops.lazy.map { place.distance(to: $0.coordinate) }.min()
        .map { ($0, index) }
    }
    return far.sorted { $0 < $1 }.prefix(count).map {
      NearbyStation(content.stations[$0.index], distance: $0.distance)
    }
  }
}
