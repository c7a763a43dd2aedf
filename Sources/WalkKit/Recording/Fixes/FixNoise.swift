/// An estimate of how far fixes scatter, from the last ten of them.
///
/// A fix that deviates from the line between its neighbors does so because of a turn or because of
/// noise. The median of the last nine deviations is the noise, because most fixes are no turns.
/// Errors that change slowly, over minutes, don't show in it; ``StillPlace`` bounds those.
struct FixNoise: Sendable {
  private static let capacity = 10
  /// How much the noise may exceed the newest deviation, so that it ends with the noisy fixes.
  private static let latestFactor = 8.0
  /// The seconds, and the number of fixes in them, from which a line is a better estimate of the
  /// position than the newest fix.
  private static let lineDuration = 10.0
  private static let lineCount = 5

  private var fixes: [(time: Double, place: SIMD3<Double>)] = []
  /// The squares of the deviations, each divided by its expected share of the variance.
  private var deviations: [Double] = []

  /// The standard deviation of the fixes in each direction, in meters; 0 while it is unknown.
  var meters: Double {
    guard let latest = deviations.last else { return 0 }
    let sorted = deviations.sorted()
    let middle = sorted.count / 2
    var typical =
      sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    // The median of the squares in two dimensions is 2 ln 2 variances; few have no good median.
    typical /= 1.386_294_361_119_890_6
    if sorted.count < 3 { typical = sorted.reduce(0, +) / Double(2 * sorted.count) }
    return min(typical.squareRoot(), Self.latestFactor * (latest / 2).squareRoot())
  }

  /// Adds a fix that is later than the previous one.
  mutating func add(_ place: SIMD3<Double>, at time: Double) {
    if fixes.count > 1 {
      let (first, middle) = (fixes[fixes.count - 2], fixes[fixes.count - 1])
      let share = (middle.time - first.time) / (time - first.time)
      let way = middle.place - (first.place + (place - first.place) * share)
      let variance = 1 + share * share + (1 - share) * (1 - share)
      deviations.append((way * way).sum() / variance)
      if deviations.count >= Self.capacity { deviations.removeFirst() }
    }
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
