public import FieldCore
internal import FieldFoundation

/// A meter that measures a track point by point, live or from a file.
///
/// ```swift
/// var meter = TrackMeter()
/// for point in points { meter.add(point) }
/// meter.breakSegment()  // a pause: nothing is counted across it
/// print(meter.figures.distance, meter.figures.movingTime as Any)
/// ```
///
/// The cost of adding a point doesn't grow with the track, and neither does the memory, except for
/// one ``Split`` per kilometer. There are at most 10,000 splits, the last of which includes
/// everything after it.
public struct TrackMeter: Sendable {
  /// The options for the calculation.
  public let options: Options

  /// The valid elevations in meters, from the sea floor to the top of the atmosphere. Others are
  /// errors in the file and would dominate the climb.
  static var elevations: ClosedRange<Double> { -12_000...100_000 }

  private var pointCount = 0
  private var segmentCount = 0
  private var distance = 0.0
  private var elapsed: Double?
  private var recorded: Double?
  private var still = 0.0
  /// The last point of the segment.
  private var lastPlace: GeodesicPoint?
  /// The last time in the segment, with the distance at that time.
  private var lastTimed: (time: Double, distance: Double)?
  /// The last time in the track.
  private var lastTime: Double?
  private var stops: StopDetector
  private var climb: ClimbMeter
  private var splits: SplitLedger

  /// Creates a meter without points.
  public init(options: Options = Options()) {
    self.options = options
    stops = StopDetector(options)
    climb = ClimbMeter(threshold: options.climbThreshold.meters)
    splits = SplitLedger(length: options.splitLength.meters)
  }

  /// Adds the next point of the segment.
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

  /// Ends the segment; the leg to the next point is a pause or a gap and isn't counted.
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
      // This is the first time in a segment, or after a clock change.
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

  /// Returns whether a step between times is plausible: not backward, and not ten years, by which
  /// clocks go wrong that count weeks modulo 1,024 or begin in 1901.
  private static func isCounted(_ step: Double) -> Bool { (0..<315_360_000).contains(step) }

  /// The statistics of the points so far; each access rebuilds the splits.
  public var figures: TrackFigures {
    TrackFigures(
      distance: .meters(distance), elapsedTime: elapsed.map(Duration.init(measured:)),
      movingTime: recorded.map { Duration(measured: max($0 - still, 0)) },
      climb: climb.gain.map(Distance.meters), descent: climb.loss.map(Distance.meters),
      splits: splits.splits(total: distance), pointCount: pointCount, segmentCount: segmentCount)
  }

  /// Options for calculating the statistics of a track.
  public struct Options: Sendable, Hashable, Codable {
    /// The minimum change of elevation that counts (hysteresis).
    ///
    /// Defaults to 3 m.
    ///
    /// Elevations are noisy. A difference of at least this much from the last elevation that
    /// counted is added as a whole, and the next one is measured from there. With 0, every step
    /// counts. Use 3 m for a barometer, and 10 m for elevations from GPS only. The same hike
    /// measured 586 m with 0, 461 m with 3 m, and 219 m with 10 m. Each segment starts over.
    public var climbThreshold: Distance
    /// The length of a split.
    ///
    /// Defaults to 1 km. Pass zero or less for no splits.
    public var splitLength: Distance
    /// The largest distance between positions that count as one place.
    ///
    /// Defaults to 10 m.
    ///
    /// If a fix is less accurate, its accuracy is used instead, up to twice this extent.
    public var stillExtent: Distance
    /// The minimum time within ``stillExtent`` that counts as standing still.
    ///
    /// Defaults to 20 s.
    ///
    /// The time since the arrival is then subtracted from the moving time retroactively. A single
    /// leg of at least this duration counts as standing still if it is slower than the extent in
    /// this time: 1.8 km/h.
    public var stillTime: Duration
    /// The time between two points of a segment from which the leg between them is a gap.
    ///
    /// A gap isn't measured or drawn. Defaults to `nil`, which means that only segments separate
    /// points.
    public var longestGap: Duration?

    /// Creates options.
    public init(
      climbThreshold: Distance = .meters(3), splitLength: Distance = .kilometers(1),
      stillExtent: Distance = .meters(10), stillTime: Duration = .seconds(20),
      longestGap: Duration? = nil
    ) {
      self.climbThreshold = climbThreshold
      self.splitLength = splitLength
      self.stillExtent = stillExtent
      self.stillTime = stillTime
      self.longestGap = longestGap
    }
  }
}

extension Duration {
  /// Creates a duration from seconds measured as a double, rounded to the millisecond.
  init(measured seconds: Double) { self = .milliseconds(Int64(limiting: seconds * 1000)) }
}
