internal import FieldCore

/// The place that a dog hasn't left yet, and how far it has to go to have left.
///
/// The place is the mean of its fixes, and it is left beyond a multiple of their spread, so that
/// neither a single bad fix nor the slow drift of a receiver leaves it. A longer stay knows its spread
/// better. Somebody who walks slowly has left, too, because the radius is bounded.
struct StillPlace: Sendable {
  /// The multiple of the spread beyond which a fix isn't explained by it. In an hour, there are 3,600
  /// fixes, or two hundred independent errors of a receiver that drifts.
  private static let factor = 5.0
  /// The largest radius, in meters, for errors of 8 m. It is also the most that a slow walk can be
  /// shortened by at its end.
  private static let largestRadius = 40.0
  /// The multiple of the radius beyond which one fix suffices. Nearer ones need a second.
  private static let certainFactor = 1.3
  /// The speed, in meters per second, at which a slow walk crosses what noise adds to the radius: the
  /// larger the place, the longer it takes to know that a dog stands there.
  private static let crossingSpeed = 0.5
  /// The seconds at a place after which its spread counts. Before, it is that of a dog that passes.
  private static let spreadDuration = 30.0

  private var line = RunningLine()
  /// The first fix, whose distance is measured exactly while it is the only one.
  private var first: GeodesicPoint?
  private var outsider: (place: GeodesicPoint, position: SIMD3<Double>, time: Double)?
  /// The spread of the places before, which says how good the receiver is.
  private var knownSpread = 0.0

  /// Goes to another place.
  mutating func move(to place: GeodesicPoint, _ position: SIMD3<Double>, at time: Double) {
    (line, first, outsider) = (RunningLine(), place, nil)
    line.add(position, at: time)
  }

  /// Processes a fix, which is part of the place or of the next one, and returns whether the dog stands
  /// still at the place.
  ///
  /// - Parameters:
  ///   - mean: The mean of the last fixes if they are noisy, which then stands for the fix.
  ///   - noise: The noise of the fix, or of the mean.
  ///   - radius: The smallest radius of the place.
  ///   - duration: The time after which a dog within that radius stands still.
  mutating func holds(
    _ place: GeodesicPoint, at time: Double, mean: SIMD3<Double>?, noise: Double,
    radius leastRadius: Double, duration: Double
  ) -> Bool {
    let position = mean ?? place.position
    let age = time - (line.startTime ?? time)
    let spread = max(age >= Self.spreadDuration ? line.spread : 0, knownSpread, noise)
    let radius = max(leastRadius, min(Self.factor * spread, Self.largestRadius))
    let isStill = age >= duration + (radius - leastRadius) / Self.crossingSpeed
    let way = distance(to: place, position, isExact: mean == nil)
    guard way >= radius else {
      outsider = nil
      line.add(position, at: time)
      return isStill
    }
    if isStill, line.count > 3, outsider == nil, way < Self.certainFactor * radius {
      // The next fix decides.
      outsider = (place, position, time)
      return true
    }
    if isStill {
      knownSpread = max(
        knownSpread / 2, min(line.spread, Self.largestRadius / Self.factor))
    }
    if let outsider {
      move(to: outsider.place, outsider.position, at: outsider.time)
      line.add(position, at: time)
    } else {
      move(to: place, position, at: time)
    }
    return false
  }

  private func distance(
    to place: GeodesicPoint, _ position: SIMD3<Double>, isExact: Bool
  ) -> Double {
    if isExact, line.count == 1, let first { return Geodesic.meters(from: first, to: place) }
    let way = position - line.center
    return (way * way).sum().squareRoot()
  }
}
