/// Adds up what is climbed and descended, with a threshold below which a change is a tremble.
struct ClimbMeter: Sendable {
  /// A change that has come to the threshold, and where on the way it began.
  struct Change {
    var meters: Double
    var start: Double
  }

  private let threshold: Double
  private var level: (elevation: Double, distance: Double)?

  /// The metres climbed; nil until a segment had two elevations.
  private(set) var gain: Double?
  /// The metres descended; nil until a segment had two elevations.
  private(set) var loss: Double?

  init(threshold: Double) { self.threshold = max(threshold, 0) }

  /// Begins anew: what lies between segments is nobody's climb.
  mutating func breakSegment() { level = nil }

  /// Takes the next elevation, so far along the way; gives the change that it completes.
  mutating func add(_ elevation: Double, at distance: Double) -> Change? {
    guard let level else {
      level = (elevation, distance)
      return nil
    }
    let change = elevation - level.elevation
    gain = gain ?? 0
    loss = loss ?? 0
    guard abs(change) >= threshold, change != 0 else {
      // Where every step counts, a level stretch is the beginning of the next climb.
      if threshold == 0 { self.level = (elevation, distance) }
      return Change(meters: 0, start: distance)
    }
    if change > 0 { gain = (gain ?? 0) + change } else { loss = (loss ?? 0) - change }
    self.level = (elevation, distance)
    return Change(meters: change, start: level.distance)
  }
}
