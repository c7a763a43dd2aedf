/// An estimate of how far fixes scatter, and of how that grows with the time between them.
///
/// A fix that deviates from the line between its neighbors does so because of a turn or because of
/// noise. The median of the last nine deviations is the noise, because most fixes are no turns.
/// Errors that last show only between fixes that are farther apart, so it is estimated at several
/// intervals, up to ``longestInterval``, if fixes are dense. Between sparse fixes, most deviations are
/// turns. ``StillPlace`` bounds errors that change more slowly.
struct FixNoise: Sendable {
  /// The seconds from which noise isn't told from turns.
  private static let longestInterval = 16.0
  private static let capacity = 10
  /// How much the noise may exceed the newest deviation, so that it ends with the noisy fixes.
  private static let latestFactor = 8.0
  /// How much noise grows at most if the time doubles, as a random walk does; a turn grows faster.
  private static let largestGrowth = 1.41
  /// The mean seconds between fixes up to which a deviation is rather an error that lasts than a turn:
  /// three fixes have to be within ``longestInterval``.
  private static let denseInterval = 6.0
  /// The seconds, and the number of fixes in them, from which a line is a better estimate of the
  /// position than the newest fix.
  private static let lineDuration = 10.0
  private static let lineCount = 5
  /// The number of deviations from which their median says something about errors that last.
  private static let lastingCount = 5
  /// The time over which ``mean`` averages, in seconds.
  private static let meanDuration = 5.0

  private var fixes: [(time: Double, place: SIMD3<Double>)] = []
  private var scales = [1.0, 2, 4, 8, longestInterval].map { Deviations(interval: $0) }
  /// The mean position of the last seconds, in which errors that don't last hardly show.
  private(set) var mean = SIMD3<Double>()
  /// The standard deviation of the mean, as a share of that of fixes whose errors don't last.
  private(set) var meanShare = 1.0

  /// The standard deviation of the fixes in each direction, in meters, as it shows from one to the
  /// next; 0 while it is unknown.
  var meters: Double {
    let squares = scales[0].squares
    guard let latest = squares.last else { return 0 }
    // Few deviations have no good median.
    let typical =
      squares.count < 3
      ? squares.reduce(0, +) / Double(2 * squares.count) : scales[0].medianVariance
    return min(typical.squareRoot(), Self.latestFactor * (latest / 2).squareRoot())
  }

  /// Whether fixes are dense enough to tell errors that last from turns.
  private var isDense: Bool {
    guard let first = fixes.first, let newest = fixes.last else { return false }
    return newest.time - first.time <= Self.denseInterval * Double(fixes.count - 1)
  }

  /// Returns the part of the standard deviation that shows only after some seconds, because errors
  /// last; 0 if fixes aren't dense.
  func lastingMeters(after seconds: Double) -> Double {
    guard isDense else { return 0 }
    let known = scales.dropFirst().filter {
      $0.interval <= seconds && $0.squares.count >= Self.lastingCount
    }
    let all = known.reduce(meters) { meters, scale in
      max(meters, min(scale.medianVariance.squareRoot(), Self.largestGrowth * meters))
    }
    return max(all * all - meters * meters, 0).squareRoot()
  }

  /// Adds a fix that is later than the previous one.
  mutating func add(_ place: SIMD3<Double>, at time: Double) {
    if let last = fixes.last {
      let newest = (time - last.time) / (time - last.time + Self.meanDuration)
      mean += (place - mean) * newest
      meanShare = (newest / (2 - newest)).squareRoot()
    } else {
      mean = place
    }
    for index in scales.indices { scales[index].add(place, at: time) }
    fixes.append((time, place))
    if fixes.count > Self.capacity { fixes.removeFirst() }
  }

  /// The distance of the newest fix from where a straight line through the last seconds ends, in
  /// meters; `nil` if there are too few fixes.
  var deviationFromLine: Double? {
    guard let newest = fixes.last else { return nil }
    let window = fixes.filter { newest.time - $0.time <= Self.lineDuration }
    guard window.count >= Self.lineCount else { return nil }
    var line = RunningLine()
    for fix in window { line.add(fix.place, at: fix.time) }
    let way = newest.place - line.place(at: newest.time)
    return (way * way).sum().squareRoot()
  }

  /// The deviations of fixes from the lines between their neighbors, all of them an interval apart.
  private struct Deviations: Sendable {
    /// The seconds between the fixes; those that come a little early count.
    let interval: Double
    private var first: (time: Double, place: SIMD3<Double>)?
    private var middle: (time: Double, place: SIMD3<Double>)?
    /// The squares of the last deviations, each divided by its expected share of the variance.
    private(set) var squares: [Double] = []

    init(interval: Double) { self.interval = interval }

    mutating func add(_ place: SIMD3<Double>, at time: Double) {
      if let middle, time - middle.time < interval - 0.5 { return }
      if let first, let middle {
        let share = (middle.time - first.time) / (time - first.time)
        let way = middle.place - (first.place + (place - first.place) * share)
        let variance = 1 + share * share + (1 - share) * (1 - share)
        squares.append((way * way).sum() / variance)
        if squares.count >= FixNoise.capacity { squares.removeFirst() }
      }
      (first, middle) = (middle, (time, place))
    }

    /// The variance in each direction; there must be a deviation.
    var medianVariance: Double {
      let sorted = squares.sorted()
      let middle = sorted.count / 2
      let median =
        sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
      // The median of the squares in two dimensions is 2 ln 2 variances.
      return median / 1.386_294_361_119_890_6
    }
  }
}

/// The straight line at an even speed that fits fixes best, without storing them.
struct RunningLine: Sendable {
  private var start: (time: Double, place: SIMD3<Double>)?
  private(set) var count = 0
  /// The means relative to the first fix, so that squares keep their precision.
  private var meanTime = 0.0
  private var meanPlace = SIMD3<Double>()
  private var squaredTime = 0.0
  private var squaredPlace = 0.0
  private var product = SIMD3<Double>()

  /// The time of the first fix.
  var startTime: Double? { start?.time }

  mutating func add(_ place: SIMD3<Double>, at time: Double) {
    let start = self.start ?? (time, place)
    self.start = start
    count += 1
    let (time, place) = (time - start.time, place - start.place)
    let (timeStep, placeStep) = (time - meanTime, place - meanPlace)
    meanTime += timeStep / Double(count)
    meanPlace += placeStep / Double(count)
    squaredTime += timeStep * (time - meanTime)
    squaredPlace += (placeStep * (place - meanPlace)).sum()
    product += placeStep * (time - meanTime)
  }

  /// The mean position.
  var center: SIMD3<Double> { (start?.place ?? SIMD3()) + meanPlace }

  func place(at time: Double) -> SIMD3<Double> {
    guard let start, squaredTime > 0 else { return center }
    return center + product * ((time - start.time - meanTime) / squaredTime)
  }

  /// The standard deviation in each direction, in meters; 0 for fewer than four fixes.
  ///
  /// It is that around the line if the line explains nine tenths of the spread, which means that the
  /// fixes are going somewhere.
  var spread: Double {
    guard count > 3 else { return 0 }
    let explained = squaredTime > 0 ? (product * product).sum() / squaredTime : 0
    let rest = max(squaredPlace - explained, 0)
    return rest > squaredPlace / 10
      ? (squaredPlace / Double(2 * (count - 1))).squareRoot()
      : (rest / Double(2 * (count - 2))).squareRoot()
  }
}
