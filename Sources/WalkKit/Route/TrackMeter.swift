public import FieldCore
internal import FieldFoundation

/// Measures a track point by point, live or from a file.
///
/// ```swift
/// var meter = TrackMeter()
/// for point in points { meter.add(point) }
/// meter.breakSegment()  // a pause: nothing is counted across it
/// print(meter.figures.distance, meter.figures.movingTime as Any)
/// ```
///
/// A point costs the same at the beginning and after a day, and what is kept does not grow but for one
/// ``Split`` a kilometre, of which there are 10,000 at most; the last one takes what comes after.
public struct TrackMeter: Sendable {
  /// What the figures mean where that is a choice.
  public let options: Options

  /// The elevations that count, in metres: from the bottom of the sea to the end of the air. What lies
  /// outside is a fault of the file, and would drown every climb.
  static var elevations: ClosedRange<Double> { -12_000...100_000 }

  private var pointCount = 0
  private var segmentCount = 0
  private var distance = 0.0
  private var elapsed: Double?
  private var recorded: Double?
  private var still = 0.0
  /// The last point of the segment.
  private var lastPlace: GeodesicPoint?
  /// The last time of the segment, and how far the way had gone then.
  private var lastTimed: (time: Double, distance: Double)?
  /// The last time of the track.
  private var lastTime: Double?
  private var stops: StopDetector
  private var climb: ClimbMeter
  private var splits: SplitLedger

  /// Makes a meter that has seen nothing.
  public init(options: Options = Options()) {
    self.options = options
    stops = StopDetector(options)
    climb = ClimbMeter(threshold: options.climbThreshold.meters)
    splits = SplitLedger(length: options.splitLength.meters)
  }

  /// Takes the next point of the segment.
  public mutating func add(_ point: TrackPoint) {
    let time = point.time.map(\.timeIntervalSinceReferenceDate).flatMap { $0.isFinite ? $0 : nil }
    if let time, let last = lastTimed, let limit = options.longestGap,
      time - last.time >= limit / .seconds(1)
    {
      breakSegment()
    }
    pointCount += 1
    let place = GeodesicPoint(point.coordinate)
    if let lastPlace {
      distance += Geodesic.meters(from: lastPlace, to: place)
      splits.extend(to: distance)
    } else {
      segmentCount += 1
    }
    lastPlace = place
    if let time { add(time, at: place, accuracy: point.accuracy) }
    if let elevation = point.elevation, Self.elevations.contains(elevation),
      let change = climb.add(elevation, at: distance)
    {
      splits.spread(change, to: distance)
    }
  }

  /// Ends the segment: the leg to the next point is a pause or a gap and counts as nothing.
  public mutating func breakSegment() {
    lastPlace = nil
    lastTimed = nil
    stops.reset()
    climb.breakSegment()
  }

  private mutating func add(_ time: Double, at place: GeodesicPoint, accuracy: Distance?) {
    if let lastTime {
      elapsed = (elapsed ?? 0) + (Self.isCounted(time - lastTime) ? time - lastTime : 0)
    }
    lastTime = time
    defer { lastTimed = (time, distance) }
    guard let last = lastTimed, Self.isCounted(time - last.time) else {
      // The first time of a segment, or of a clock that has been set anew.
      if lastTimed != nil { recorded = recorded ?? 0 }
      splits.beginTimes()
      stops.reset()
      _ = stops.add(time, at: place.position, accuracy: accuracy)
      return
    }
    recorded = (recorded ?? 0) + (time - last.time)
    splits.spread(from: last, to: (time, distance))
    if let stop = stops.add(time, at: place.position, accuracy: accuracy) {
      still += stop.upperBound - stop.lowerBound
      splits.add(still: stop)
    }
  }

  /// Whether a step from time to time can be a walk's: not backwards, and not of ten years, by which
  /// clocks go wrong that count weeks modulo 1024 or begin in 1901.
  private static func isCounted(_ step: Double) -> Bool { (0..<315_360_000).contains(step) }

  /// What the points until now come to. Each call builds the splits anew.
  public var figures: TrackFigures {
    TrackFigures(
      distance: .meters(distance), elapsedTime: elapsed.map(Duration.init(measured:)),
      movingTime: recorded.map { Duration(measured: max($0 - still, 0)) },
      climb: climb.gain.map(Distance.meters), descent: climb.loss.map(Distance.meters),
      splits: splits.splits(total: distance), pointCount: pointCount, segmentCount: segmentCount)
  }
}

extension Duration {
  /// Seconds that were counted with doubles, to the millisecond, which is what they are good for.
  init(measured seconds: Double) { self = .milliseconds(Int64((seconds * 1000).rounded())) }
}
