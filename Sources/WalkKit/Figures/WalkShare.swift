internal import FieldCore
internal import FieldFoundation

/// The part of a walk that counts in sums: all of it, or a pet's part.
///
/// Walks also come from files, so impossible values (negative, not a number, years of walking) are
/// replaced by the nearest possible ones.
struct WalkShare {
  let walk: Walk
  /// The fraction of the walk that counts, from 0 through 1.
  private(set) var part = 1.0

  /// Creates the share of a whole walk, or of the part that a pet was along for; `nil` if it wasn't
  /// there.
  ///
  /// Only the times at which a pet joined and left are known, not the places, so its share of the
  /// distance is its share of the time. If a pet joined twice, both times count, but never more
  /// than all.
  init?(_ walk: Walk, of pet: Pet.ID?) {
    self.walk = walk
    guard let pet else { return }
    let stays = walk.pets.filter { $0.pet == pet }
    guard !stays.isEmpty else { return nil }
    let whole = walk.end.timeIntervalSince(walk.start)
    guard whole > 0 else { return }
    let seconds = stays.reduce(0.0) { sum, stay in
      let from = max(stay.joined, walk.start)
      let to = min(stay.left ?? walk.end, walk.end)
      return sum + max(to.timeIntervalSince(from), 0)
    }
    // A date that isn't a number doesn't say when the pet joined or left.
    if seconds.isFinite { part = min(seconds / whole, 1) }
  }

  var distance: Distance { .meters(Self.meters(walk.distance) * part) }
  var climb: Distance? { walk.climb.map { .meters(Self.meters($0) * part) } }
  var duration: Duration { time(walk.duration) }
  var elapsed: Duration { time(walk.elapsed) }
  var movingTime: Duration { time(walk.movingTime) }

  private func time(_ duration: Duration) -> Duration {
    let bounded = min(max(duration, .zero), .seconds(315_576_000))
    return part == 1 ? bounded : bounded * part
  }

  /// No walk is longer than this, and the sum of a million such walks is still finite.
  private static func meters(_ distance: Distance) -> Double {
    distance.meters.isNaN ? 0 : min(max(distance.meters, 0), 40_075_017)
  }
}

extension Duration {
  /// The length in seconds, including the fraction.
  var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
