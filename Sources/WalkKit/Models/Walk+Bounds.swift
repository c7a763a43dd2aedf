internal import FieldFoundation

extension Walk {
  /// The reason that no history can contain the walk; `nil` if there is none.
  ///
  /// A date that isn't a number has no place in an order and crashes the process that prints it. A
  /// duration of more than 30,000 years, which a damaged document may contain, overflows when
  /// durations are split or added.
  package var flaw: String? {
    var moments = [start, end] + pets.flatMap { [$0.joined, $0.left ?? $0.joined] }
    moments += notes.map(\.time) + photos.compactMap(\.takenAt)
    moments += [reward?.earned, reward?.claimed, air?.measuredAt].compactMap { $0 }
    guard moments.allSatisfy(\.timeIntervalSinceReferenceDate.isFinite) else {
      return "the walk has a time that isn't a number"
    }
    let possible = Duration.seconds(-1 << 40)...Duration.seconds(1 << 40)
    guard [duration, elapsed, movingTime].allSatisfy(possible.contains) else {
      return "the walk has an impossible duration"
    }
    return nil
  }
}

extension Pet {
  /// The reason that no diary can contain the pet, such as a date that isn't a number; or `nil`.
  package var flaw: String? {
    let moments = [registered, photo?.takenAt].compactMap { $0 }
    return moments.allSatisfy(\.timeIntervalSinceReferenceDate.isFinite)
      ? nil : "the pet has a time that isn't a number"
  }
}
