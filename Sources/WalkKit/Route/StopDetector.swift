internal import FieldCore

/// Finds the times in which somebody stood still, in one pass and with the samples of one
/// ``TrackMeter/Options/stillTime`` in hand.
///
/// A stop is a time of at least that length in which no sample is farther than the radius from the
/// first one. It is looked for by where the samples lie, not by speed: the speed of a receiver that lies
/// still is not zero, and turning back on a lawn is no stop though it ends where it began.
struct StopDetector: Sendable {
  private struct Sample {
    var time: Double
    var place: SIMD3<Double>
  }

  private let radius: Double
  private let window: Double
  /// What is kept apart from each other at least, so that many fixes a second need no more room.
  private let spacing: Double
  /// The candidate's beginning first; all others are within the radius of it.
  private var samples: [Sample] = []
  private var last: Sample?
  /// Until when stops have been told.
  private var toldUntil = -Double.infinity

  init(_ options: TrackMeter.Options) {
    radius = max(options.stillRadius.meters, 0)
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
    let reach = max(radius, min(accuracy?.meters ?? 0, 2 * radius))
    if time - last.time >= window {
      return addLongLeg(from: last, to: sample, first: first, reach: reach)
    }
    if Self.distance(first, sample) < reach {
      keep(sample)
      return time - first.time >= window ? tell(first.time...time) : nil
    }
    // It has been left. A later sample may be the beginning of a stop.
    let start = samples.indices.dropFirst().first { start in
      Self.distance(samples[start], sample) < reach
        && samples[start...].allSatisfy { Self.distance(samples[start], $0) < reach }
    }
    if let start {
      samples.removeSubrange(..<start)
      keep(sample)
    } else {
      samples = [sample]
    }
    return nil
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
    if let latest = samples.last, samples.count > 1, sample.time - latest.time < spacing { return }
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
