internal import FieldCore

/// The place that a dog hasn't left yet, and how far it has to go to have left.
///
/// The place is the mean of its fixes, and it is left beyond a multiple of their spread, so that
/// neither a single bad fix nor the slow drift of a receiver leaves it. A longer stay knows its spread
/// better. Somebody who walks slowly has left, too, because the radius is bounded.
struct StillPlace: Sendable {
  /// The multiple of the spread beyond which a fix isn't explained by it. In an hour, there are 3,600
  /// fixes, or two hundred independent errors of a receiver that drifts.
  private static let factor = 4.5
  /// The largest radius, in meters, for errors of almost 9 m. It is also the most that a slow walk can be
  /// shortened by at its end.
  private static let largestRadius = 40.0
  /// The multiple of the radius beyond which one fix suffices. Nearer ones need a second.
  private static let certainFactor = 1.3

  enum Verdict {
    case stays
    /// The fix is outside, and the next one decides.
    case mayLeave
    case left
  }

  private var line = RunningLine()
  /// The first fix, whose distance is measured exactly while it is the only one.
  private var first: GeodesicPoint?
  private var outsider: (place: GeodesicPoint, time: Double)?
  /// The spread of the places before, which says how good the receiver is.
  private var knownSpread = 0.0

  /// Returns how long a fix is after the first one.
  func age(at time: Double) -> Double { time - (line.startTime ?? time) }

  /// Goes to another place.
  mutating func move(to place: GeodesicPoint, at time: Double) {
    (line, first, outsider) = (RunningLine(), place, nil)
    line.add(place.position, at: time)
  }

  /// Processes a fix, which is part of the place or of the next one.
  ///
  /// - Parameters:
  ///   - radius: The smallest radius of the place.
  ///   - noise: The scatter of the last fixes.
  ///   - isStill: Whether the dog has been here long enough to stand still.
  mutating func visit(
    _ place: GeodesicPoint, at time: Double, radius: Double, noise: Double, isStill: Bool
  ) -> Verdict {
    let position = place.position
    let spread = max(isStill ? line.spread : 0, knownSpread, noise)
    let radius = max(radius, min(Self.factor * spread, Self.largestRadius))
    let way = distance(to: place, position)
    guard way >= radius else {
      outsider = nil
      line.add(position, at: time)
      return .stays
    }
    if isStill, line.count > 3, outsider == nil, way < Self.certainFactor * radius {
      outsider = (place, time)
      return .mayLeave
    }
    if isStill {
      knownSpread = max(
        knownSpread / 2, min(line.spread, Self.largestRadius / Self.factor))
    }
    let before = outsider
    move(to: before?.place ?? place, at: before?.time ?? time)
    if before != nil { line.add(position, at: time) }
    return .left
  }

  private func distance(to place: GeodesicPoint, _ position: SIMD3<Double>) -> Double {
    if line.count == 1, let first { return Geodesic.meters(from: first, to: place) }
    let way = position - line.center
    return (way * way).sum().squareRoot()
  }
}
