internal import FieldCore

/// Finds the times in which somebody stood still, in one pass and with the samples of one
/// ``TrackMeter/Options/stillTime`` in hand.
///
/// A stop is a time of at least that length in which no two samples lie farther apart than the extent. It
/// is looked for by where the samples lie, not by speed, since the speed of a receiver that lies still is
/// not zero; and not by the distance between beginning and end, since who turns back on a lawn has not
/// stood there.
struct StopDetector: Sendable {
  private struct Sample {
    var time: Double
    var place: SIMD3<Double>
  }

  private let extent: Double
  private let window: Double
  /// What is kept apart from each other at least, so that many fixes a second need no more room.
  private let spacing: Double
  /// The candidate's beginning first; none is farther from another than the extent.
  private var samples: [Sample] = []
  private var last: Sample?
  /// Until when stops have been told.
  private var toldUntil = -Double.infinity

  init(_ options: TrackMeter.Options) {
    extent = max(options.stillExtent.meters, 0)
    window = max(options.stillTime / .seconds(1), 0)
    spacing = window / 20
  }

  /// Begins anew, as after a pause.
  mutating func reset() {
    samples.removeAll(keepingCapacity: true)
    last = nil
    toldUntil = -.infinity
  }

  /// Takes a sample that is not earlier than the one before, and tells the time that has turned out to
  /// be a stop and has not been told before.
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
      // The place has been left. What came after may be the beginning of a stop.
      samples.removeSubrange(...left)
      keep(sample)
      return nil
    }
    keep(sample)
    return time - first.time >= window ? tell(first.time...time) : nil
  }

  /// Nothing is known of what was between: the leg counts as it would at an even speed.
  private mutating func addLongLeg(
    from last: Sample, to sample: Sample, first: Sample, reach: Double
  ) -> ClosedRange<Double>? {
    guard Self.distance(last, sample) * window < reach * (sample.time - last.time) else {
      samples = [sample]
      return nil
    }
    let start = Self.distance(first, sample) < reach ? first.time : last.time
    samples = [Sample(time: start, place: sample.place)]
    return tell(start...sample.time)
  }

  private mutating func keep(_ sample: Sample) {
    if let latest = samples.last, sample.time - latest.time < spacing { return }
    samples.append(sample)
    // The first one stays, as the candidate's beginning, and of the rest what the window holds.
    if samples.count > 2, sample.time - samples[1].time > window {
      let fresh = samples.indices.dropFirst().first { sample.time - samples[$0].time <= window }
      samples.removeSubrange(1..<(fresh ?? samples.count - 1))
    }
  }

  private mutating func tell(_ stop: ClosedRange<Double>) -> ClosedRange<Double>? {
    let start = max(stop.lowerBound, toldUntil)
    guard start < stop.upperBound else { return nil }
    toldUntil = stop.upperBound
    return start...stop.upperBound
  }

  /// Through the earth, which is the same at such lengths.
  private static func distance(_ first: Sample, _ second: Sample) -> Double {
    let way = second.place - first.place
    return (way * way).sum().squareRoot()
  }
}
