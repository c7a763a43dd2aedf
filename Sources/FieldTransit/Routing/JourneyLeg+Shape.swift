public import FieldCore

extension JourneyLeg {
  /// The way that the vehicle takes, from where one boards to where one alights.
  ///
  /// `nil` for a walk, if the feed has no shape for the trip, if a message replaces its stops, or if the timetable was compiled
  /// without shapes; see ``Timetable/compile(_:zone:includingShapes:)``. Where a way passes a stop twice, the order of the trip's
  /// stops decides.
  public var shape: [Coordinate]? {
    guard case .ride(let pattern, let run, let from, let to, _) = kind,
      storage.predictions?.run(pattern)?.isOnWay ?? true
    else { return nil }
    return storage.read { contents in
      guard contents.tripShapes.count > 0 else { return nil }
      let shape = contents.tripShapes[Int(contents.runTrips[run])]
      guard shape != .max else { return nil }
      let points =
        (Int(contents.shapeStarts[Int(shape)])..<Int(contents.shapeStarts[Int(shape) + 1]))
        .compactMap {
          Coordinate(
            validLatitude: Double(Int32(bitPattern: contents.shapePoints[$0 * 2])) / 1e7,
            longitude: Double(Int32(bitPattern: contents.shapePoints[$0 * 2 + 1])) / 1e7)
        }
      let stops = (0..<contents.pattern(pattern).stopCount).map {
        contents.transitStop(contents.stop(of: pattern, at: $0)).coordinate
      }
      return Way(points).part(stops, from: from, to: to)
    }
  }
}

/// A line on the map, onto which stops are projected in their order.
private struct Way {
  private let points: [Coordinate]
  /// In units of a degree of latitude.
  private let plane: [(x: Double, y: Double)]
  private let scale: Double

  /// The number of comparisons up to which all stops of a trip are projected, and not just the two ends of a leg.
  private static let mostCells = 4_000_000

  init(_ points: [Coordinate]) {
    self.points = points
    let scale = Angle.cosine((points.first?.latitude ?? 0) * .pi / 180)
    plane = points.map { ($0.longitude * scale, $0.latitude) }
    self.scale = scale
  }

  /// Returns the part between two stops, or `nil` if one of them has no location.
  func part(_ stops: [Coordinate?], from: Int, to: Int) -> [Coordinate]? {
    guard points.count > 1, let first = stops[from], let last = stops[to] else { return nil }
    let isSmall = stops.count <= Self.mostCells / points.count
    let known = isSmall ? stops.indices.filter { stops[$0] != nil } : [from, to]
    let segments = segments(known.compactMap { stops[$0] })
    guard let start = known.firstIndex(of: from), let end = known.firstIndex(of: to) else {
      return nil
    }
    let middle = segments[start] < segments[end] ? points[segments[start] + 1...segments[end]] : []
    let part =
      [projected(first, segments[start]).place] + middle
      + [projected(last, segments[end]).place]
    return part.enumerated().filter { $0.offset == 0 || $0.element != part[$0.offset - 1] }
      .map(\.element)
  }

  /// Returns the segment on which each stop is, so that they are in order and as near as possible.
  private func segments(_ stops: [Coordinate]) -> [Int] {
    let count = points.count - 1
    // The least sum of squared distances of the stops so far, the last one of them on a segment or before it.
    var best = [Double](repeating: 0, count: count)
    var choices = [Int32](repeating: 0, count: count * stops.count)
    for (number, stop) in stops.enumerated() {
      var least = Double.infinity
      var choice: Int32 = 0
      for segment in 0..<count {
        let sum = best[segment] + projected(stop, segment).distance
        if sum < least { (least, choice) = (sum, Int32(truncatingIfNeeded: segment)) }
        best[segment] = least
        choices[number * count + segment] = choice
      }
    }
    var (found, last) = ([Int](repeating: 0, count: stops.count), count - 1)
    for number in stops.indices.reversed() {
      last = Int(choices[number * count + last])
      found[number] = last
    }
    return found
  }

  /// Returns the nearest place of a segment, and the square of the distance to it.
  private func projected(
    _ stop: Coordinate, _ segment: Int
  ) -> (place: Coordinate, distance: Double) {
    let (start, end) = (plane[segment], plane[segment + 1])
    let (x, y) = (stop.longitude * scale - start.x, stop.latitude - start.y)
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let length = dx * dx + dy * dy
    let share = length > 0 ? min(max((x * dx + y * dy) / length, 0), 1) : 0
    let (restX, restY) = (x - share * dx, y - share * dy)
    let (first, last) = (points[segment], points[segment + 1])
    let place = Coordinate(
      validLatitude: first.latitude + share * (last.latitude - first.latitude),
      longitude: first.longitude + share * (last.longitude - first.longitude))
    return (place ?? first, restX * restX + restY * restY)
  }
}
