/// A meter that adds up ascents and descents, ignoring changes below a threshold as noise.
struct ClimbMeter: Sendable {
  /// A change that has reached the threshold, and the distance at which it began.
  struct Change {
    var meters: Double
    var start: Double
  }

  private let threshold: Double
  private var level: (elevation: Double, distance: Double)?

  /// The ascent in meters; `nil` until a segment has two elevations.
  private(set) var gain: Double?
  /// The descent in meters; `nil` until a segment has two elevations.
  private(set) var loss: Double?

  init(threshold: Double) { self.threshold = max(threshold, 0) }

  /// Starts over, because a climb between segments doesn't count.
  mutating func breakSegment() { level = nil }

  /// Adds the elevation at a distance and returns the change that it completes.
  mutating func add(_ elevation: Double, at distance: Double) -> Change? {
    guard let level else {
      level = (elevation, distance)
      return nil
    }
    let change = elevation - level.elevation
    gain = gain ?? 0
    loss = loss ?? 0
    guard abs(change) >= threshold, change != 0 else {
      // If every step counts, a level stretch is the beginning of the next climb.
      if threshold == 0 { self.level = (elevation, distance) }
      return Change(meters: 0, start: distance)
    }
    if change > 0 { gain = (gain ?? 0) + change } else { loss = (loss ?? 0) - change }
    self.level = (elevation, distance)
    return Change(meters: change, start: level.distance)
  }
}
