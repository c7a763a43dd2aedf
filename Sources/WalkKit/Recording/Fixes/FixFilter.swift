internal import FieldCore
internal import FieldFoundation

/// Filters fixes one after another according to a ``FixPolicy``.
///
/// It stores a few dozen fixes, however long the walk is.
///
/// The fixes on the route are a subset of those that it is given, so that their legs add up to the
/// distance that was walked: a fix is on the route if it is farther from the last one than noise
/// explains. The numbers were tuned on simulated stops and on recorded tracks with noise added; see
/// Docs/reliability.md.
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
  /// The place that hasn't been left yet; only of use in a segment.
  private var stay = StillPlace()
  /// The scatter of the fixes since the segment began, at that time.
  private var noise = FixNoise()
  private var segmentStart = -Double.infinity
  /// An implausible fix, until the next one confirms or refutes it.
  private var suspect: Seen?
  /// The good fix after the last one on the route that would end it best.
  private var keptBack: (point: TrackPoint, way: Double)?
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

  /// Ends the segment, and returns the last good fix if it isn't on the route: the exact end. Of fixes
  /// that stand still, it is the one nearest the last on the route, because the way to another one is
  /// noise.
  mutating func endSegment() -> TrackPoint? {
    defer { keptBack = nil }
    suspect = nil
    lastGood = nil
    startsSegment = true
    return keptBack?.point
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
    return movement(seen, point, way: way, accuracy: accuracy)
  }

  /// The multiple of the noise that a fix must be away from the last point: a leg of that length is
  /// about as much longer because of noise as it is shorter because it cuts corners.
  private static let legFactor = 4.9
  /// The same if fixes are so frequent that those beside the line of the last seconds are left out.
  private static let lineLegFactor = 3.2
  /// The same for errors that last, which no other fix corrects.
  private static let lastingLegFactor = 6.5
  /// How much longer legs are in the first two minutes of a segment, in which the dog may not have left
  /// yet.
  private static let firstLegs = 2.0
  private static let firstDuration = 120.0
  /// The noise in meters below which all fixes are good: a dog doesn't walk at an even pace.
  private static let leastNoise = 0.25
  /// The multiple of the noise by which a fix may be beside the line of the last seconds.
  private static let sideFactor = 0.7

  /// Decides whether a good fix has moved.
  private mutating func movement(
    _ seen: Seen, _ point: TrackPoint, way: Double, accuracy: Double
  ) -> Verdict {
    let time = seen.time
    noise.add(seen.place.position, at: time)
    // Without a minimum distance, all fixes are wanted, noisy ones among them.
    let scatter = minimumDistance > 0 && noise.meters >= Self.leastNoise ? noise.meters : 0
    let isNoisy = scatter > 0
    if stay.holds(
      seen.place, at: time, mean: isNoisy ? noise.mean : nil,
      noise: isNoisy ? scatter * noise.meanShare : 0, radius: max(stillRadius, accuracy),
      duration: stillDuration)
    {
      // The nearest one, because any other makes the way longer by noise.
      if let keptBack, keptBack.way < way { return keepBack(keptBack.point, keptBack.way, time) }
      return keepBack(point, way, time)
    }
    guard isNoisy, let last else {
      return way >= minimumDistance ? accept(seen) : keepBack(point, way, time, .tooNear)
    }
    let side = noise.deviationFromLine
    let near = (side == nil ? Self.legFactor : Self.lineLegFactor) * scatter
    let lasting = Self.lastingLegFactor * noise.lastingMeters(after: time - last.time)
    let isNew = time - segmentStart < Self.firstDuration
    let leg = (isNew ? Self.firstLegs : 1) * (near * near + lasting * lasting).squareRoot()
    guard way >= max(minimumDistance, leg) else { return keepBack(point, way, time, .tooNear) }
    if way < 2 * leg, let side, side > Self.sideFactor * scatter {
      return keepBack(point, way, time, .tooNear)
    }
    return accept(seen)
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
    if startsSegment {
      stay = StillPlace()
      stay.move(to: seen.place, seen.place.position, at: seen.time)
      noise = FixNoise()
      noise.add(seen.place.position, at: seen.time)
      segmentStart = seen.time
    }
    defer { startsSegment = false }
    last = seen
    suspect = nil
    keptBack = nil
    lastGood = seen.time
    return .accept(startsSegment: startsSegment)
  }

  private mutating func keepBack(
    _ point: TrackPoint, _ way: Double, _ time: Double,
    _ reason: FixPolicy.Reason = .standingStill
  ) -> Verdict {
    keptBack = (point, way)
    suspect = nil
    lastGood = time
    return .keepBack(reason)
  }
}
