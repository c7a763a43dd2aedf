internal import FieldCore
internal import FieldFoundation

/// What a walk adds to sums: all of it, or a pet's part.
///
/// Walks come from files too, so what cannot be (below zero, no number, years of walking) is taken for
/// the nearest that can.
struct WalkShare {
  let walk: Walk
  /// The part of the walk that counts, 0 to 1.
  let part: Double

  /// All of a walk, or the part that a pet was along for; nil when the pet was not there.
  ///
  /// Where a pet joined or left on the way is not known, only when; so it has as much of the distance
  /// as it has of the time. Who joins twice has both times, never more than all.
  init?(_ walk: Walk, of pet: Pet.ID?) {
    self.walk = walk
    guard let pet else {
      part = 1
      return
    }
    let stays = walk.pets.filter { $0.pet == pet }
    guard !stays.isEmpty else { return nil }
    let whole = walk.end.timeIntervalSince(walk.start)
    guard whole > 0 else {
      part = 1
      return
    }
    let seconds = stays.reduce(0.0) { sum, stay in
      let from = max(stay.joined, walk.start)
      let to = min(stay.left ?? walk.end, walk.end)
      return sum + max(to.timeIntervalSince(from), 0)
    }
    // A moment that is no number says nothing of when the pet came or went.
    part = seconds.isFinite ? min(seconds / whole, 1) : 1
  }

  var distance: Distance { .meters(Self.meters(walk.distance) * part) }
  var climb: Distance? { walk.climb.map { .meters(Self.meters($0) * part) } }
  var duration: Duration { time(walk.duration) }
  var elapsed: Duration { time(walk.elapsed) }
  var movingTime: Duration { time(walk.movingTime) }

  private func time(_ duration: Duration) -> Duration {
    let bounded = Self.bounded(duration)
    return part == 1 ? bounded : bounded * part
  }

  /// Nobody walks farther; and a million such walks still add up.
  private static func meters(_ distance: Distance) -> Double {
    distance.meters.isNaN ? 0 : min(max(distance.meters, 0), 40_075_017)
  }

  private static func bounded(_ duration: Duration) -> Duration {
    min(max(duration, .zero), .seconds(315_576_000))
  }
}

extension Duration {
  /// The length in seconds, with the fraction.
  var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
