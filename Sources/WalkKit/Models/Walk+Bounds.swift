internal import FieldFoundation

extension Walk {
  /// Why no history can hold the walk; nil when it can.
  ///
  /// A time that is no number has no place in an order, and ends the process that prints it; a duration of
  /// more than 30,000 years, as a damaged document may have it, overflows where durations are taken apart or
  /// added up.
  var flaw: String? {
    var moments = [start, end] + pets.flatMap { [$0.joined, $0.left ?? $0.joined] }
    moments += notes.map(\.time) + photos.compactMap(\.takenAt)
    moments += [reward?.earned, reward?.claimed, air?.measuredAt].compactMap { $0 }
    guard moments.allSatisfy(\.timeIntervalSinceReferenceDate.isFinite) else {
      return "the walk has a time that is no number"
    }
    let possible = Duration.seconds(-1 << 40)...Duration.seconds(1 << 40)
    guard [duration, elapsed, movingTime].allSatisfy(possible.contains) else {
      return "the walk has a duration that no walk can have"
    }
    return nil
  }
}

extension Pet {
  /// Why no diary can hold the pet; nil when it can. As with walks, a time has to be a number.
  var flaw: String? {
    let moments = [registered, photo?.takenAt].compactMap { $0 }
    return moments.allSatisfy(\.timeIntervalSinceReferenceDate.isFinite)
      ? nil : "the pet has a time that is no number"
  }
}
