internal import FieldCore
internal import FieldFoundation

/// Filters fixes one after another according to a ``FixPolicy``.
///
/// It stores at most four fixes, however long the walk is.
struct FixFilter: Sendable {
  enum Verdict: Equatable {
    /// The fix is on the route.
    case accept(startsSegment: Bool)
    /// The fix is good but adds nothing new.
    case keepBack(FixPolicy.Reason)
    /// The fix isn't credible.
    case reject(FixPolicy.Reason)
  }

  /// A fix with the values that distances are computed from.
  private struct Seen: Sendable {
    var place: GeodesicPoint
    var time: Double

    init(_ point: TrackPoint, time: Double) {
      place = GeodesicPoint(point.coordinate)
      self.time = time
    }

    func meters(to other: Seen) -> Double { Geodesic.meters(from: place, to: other.place) }
  }

  private let maximumAge: Double
  private let maximumAccuracy: Double
  private let maximumSpeed: Double
  private let minimumDistance: Double
  private let stillDuration: Double
  private let stillRadius: Double
  private let signalGap: Double

  /// The last fix on the route.
  private var last: Seen?
  /// The place that hasn't been left yet.
  private var anchor: Seen?
  /// An implausible fix, until the next one confirms or refutes it.
  private var suspect: Seen?
  /// The last good fix, if it isn't on the route.
  private var keptBack: TrackPoint?
  /// The time of the last fix in order.
  private var lastTime = -Double.infinity
  /// A time that is off by years, until the next one confirms or refutes it.
  private var suspectTime: Double?
  /// The time of the last good fix since recording resumed.
  private var lastGood: Double?
  private var startsSegment = true
  private var notBefore = -Double.infinity

  init(_ policy: FixPolicy) {
    maximumAge = policy.maximumAge / .seconds(1)
    maximumAccuracy = policy.maximumAccuracy.meters
    maximumSpeed = policy.maximumSpeed
    minimumDistance = policy.minimumDistance.meters
    stillDuration = policy.stillDuration / .seconds(1)
    stillRadius = policy.stillRadius.meters
    signalGap = policy.signalGap / .seconds(1)
  }

  /// Shifts the previous times to a clock that was set, in a new segment. With an unlimited maximum
  /// age, times come from a foreign clock, so nothing is shifted.
  mutating func clockWasSet(by seconds: Double) {
    guard maximumAge < Self.anyAge else { return }
    last?.time += seconds
    anchor?.time += seconds
    suspect?.time += seconds
    lastTime += seconds
    notBefore += seconds
    startsSegment = true
  }

  /// Continues a route that was recorded earlier.
  mutating func goOn(from point: TrackPoint?) {
    guard let point, let time = point.time?.timeIntervalSinceReferenceDate else { return }
    last = Seen(point, time: time)
    lastTime = time
  }

  /// Ends the segment, and returns the last good fix if it isn't on the route: the exact end.
  mutating func endSegment() -> TrackPoint? {
    defer { keptBack = nil }
    anchor = nil
    suspect = nil
    lastGood = nil
    startsSegment = true
    return keptBack
  }

  /// Ignores fixes measured before this moment, unless the maximum age is unlimited.
  mutating func resume(at date: Date) {
    guard maximumAge < Self.anyAge else { return }
    let now = date.timeIntervalSinceReferenceDate
    // A last point in the future comes from a clock that was set back unnoticed.
    if lastTime > now { clockWasSet(by: now - lastTime) }
    notBefore = now
  }

  /// Thirty million years: no practical limit of age.
  private static let anyAge = 1e15

  /// Ten years: clocks that count weeks modulo 1,024 or that are set by hand can be that wrong.
  private static let yearsOff = 315_360_000.0

  mutating func evaluate(_ fix: LocationFix, _ point: TrackPoint, now: Date) -> Verdict {
    let time = fix.time.timeIntervalSinceReferenceDate
    let accuracy = fix.accuracy.meters
    // Comparisons with NaN are false.
    guard accuracy >= 0, time.isFinite else { return .reject(.invalid) }
    guard fix.coordinate.latitude != 0 || fix.coordinate.longitude != 0 else {
      return .reject(.nullIsland)
    }
    guard abs(now.timeIntervalSinceReferenceDate - time) <= maximumAge else {
      return .reject(.tooOld)
    }
    guard time >= notBefore else { return .reject(.beforeResuming) }
    guard isInOrder(time) else { return .reject(.outOfOrder) }
    guard accuracy <= maximumAccuracy else { return .reject(.inaccurate) }
    lastTime = time
    let seen = Seen(point, time: time)
    if let lastGood, time - lastGood >= signalGap { startsSegment = true }
    guard let last else { return accept(seen) }
    let way = last.meters(to: seen)
    if way > maximumSpeed * (time - last.time) {
      guard let suspect, suspect.meters(to: seen) <= maximumSpeed * (time - suspect.time) else {
        self.suspect = seen
        return .reject(.jump)
      }
      // Two fixes agree with each other and not with the route: they are right, but the path is
      // unknown.
      startsSegment = true
      return accept(seen)
    }
    if startsSegment { return accept(seen) }
    if let anchor, anchor.meters(to: seen) < max(stillRadius, accuracy) {
      if time - anchor.time >= stillDuration { return keepBack(point, .standingStill, time) }
    } else {
      anchor = seen
    }
    return way < minimumDistance ? keepBack(point, .tooNear, time) : accept(seen)
  }

  /// Whether a time follows the previous one; if it is off by years, whether it follows another
  /// such time.
  private mutating func isInOrder(_ time: Double) -> Bool {
    guard lastTime.isFinite, abs(time - lastTime) >= Self.yearsOff else {
      suspectTime = nil
      return time > lastTime
    }
    defer { suspectTime = time }
    guard let suspectTime, time > suspectTime, time - suspectTime < Self.yearsOff else {
      return false
    }
    // Two times agree: the receiver's clock was set, and what happened in between is unknown.
    startsSegment = true
    last = nil
    suspect = nil
    return true
  }

  private mutating func accept(_ seen: Seen) -> Verdict {
    if startsSegment { anchor = seen }
    defer { startsSegment = false }
    last = seen
    suspect = nil
    keptBack = nil
    lastGood = seen.time
    return .accept(startsSegment: startsSegment)
  }

  private mutating func keepBack(
    _ point: TrackPoint, _ reason: FixPolicy.Reason, _ time: Double
  ) -> Verdict {
    keptBack = point
    suspect = nil
    lastGood = time
    return .keepBack(reason)
  }
}
