internal import FieldCore

/// A detector of the times spent standing still, in one pass over the samples of one
/// ``TrackMeter/Options/stillTime``.
///
/// A stop is a time of at least that length in which no two samples are farther apart than the
/// extent. The detector looks at positions, not speeds, because a receiver that lies still reports
/// a nonzero speed. It doesn't compare only the first and last position either, because someone who
/// turns back on a lawn hasn't stood still.
struct StopDetector: Sendable {
  private struct Sample {
    var time: Double
    var place: SIMD3<Double>
  }

  private let extent: Double
  private let window: Double
  /// The minimum time between stored samples, so that many fixes per second need no more space.
  private let spacing: Double
  /// The samples of a possible stop, beginning with its first, none farther apart than the extent.
  private var samples: [Sample] = []
  private var last: Sample?
  /// The time up to which stops have been reported.
  private var reportedUntil = -Double.infinity

  init(_ options: TrackMeter.Options) {
    extent = max(options.stillExtent.meters, 0)
    window = max(options.stillTime / .seconds(1), 0)
    spacing = window / 20
  }

  /// Starts over, as after a pause.
  mutating func reset() {
    samples.removeAll(keepingCapacity: true)
    last = nil
    reportedUntil = -.infinity
  }

  /// Adds a sample that isn't earlier than the previous one, and returns newly detected time of a
  /// stop.
  mutating func add(
    _ time: Double, at place: SIMD3<Double>, accuracy: Distance?
  ) -> ClosedRange<Double>? {
    let sample = Sample(time: time, place: place)
    defer { last = sample }
    guard let last, let first = samples.first else {
      samples = [sample]
      return nil
    }
    let reach = max(extent, min(accuracy?.meters ?? 0, 2 * extent))
    if time - last.time >= window {
      return addLongLeg(from: last, to: sample, first: first, reach: reach)
    }
    if let left = samples.lastIndex(where: { Self.distance($0, sample) >= reach }) {
      // The place has been left. The later samples may be the beginning of a stop.
      samples.removeSubrange(...left)
      keep(sample)
      return nil
    }
    keep(sample)
    return time - first.time >= window ? report(first.time...time) : nil
  }

  /// Treats a long leg as if it had an even speed, because nothing is known about the time in
  /// between.
  private mutating func addLongLeg(
    from last: Sample, to sample: Sample, first: Sample, reach: Double
  ) -> ClosedRange<Double>? {
    guard Self.distance(last, sample) * window < reach * (sample.time - last.time) else {
      samples = [sample]
      return nil
    }
    let start = Self.distance(first, sample) < reach ? first.time : last.time
    samples = [Sample(time: start, place: sample.place)]
    return report(start...sample.time)
  }

  private mutating func keep(_ sample: Sample) {
    if let latest = samples.last, sample.time - latest.time < spacing { return }
    samples.append(sample)
    // Keep the first sample as the beginning of the stop, and those in the window.
    if samples.count > 2, sample.time - samples[1].time > window {
      let fresh = samples.indices.dropFirst().first { sample.time - samples[$0].time <= window }
      samples.removeSubrange(1..<(fresh ?? samples.count - 1))
    }
  }

  private mutating func report(_ stop: ClosedRange<Double>) -> ClosedRange<Double>? {
    let start = max(stop.lowerBound, reportedUntil)
    guard start < stop.upperBound else { return nil }
    reportedUntil = stop.upperBound
    return start...stop.upperBound
  }

  /// Returns the straight-line distance, which equals that on the ground at such lengths.
  private static func distance(_ first: Sample, _ second: Sample) -> Double {
    let way = second.place - first.place
    return (way * way).sum().squareRoot()
  }
}
