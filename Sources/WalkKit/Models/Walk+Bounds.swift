internal import FieldCore
internal import FieldFoundation

extension Walk {
  /// The reason that no history can contain the walk; `nil` if there is none.
  ///
  /// A date that isn't a number has no place in an order and crashes the process that prints it, and
  /// one of `1e300` seconds does that to a process that computes with it. A duration of more than 30,000 years, which a damaged document may contain, overflows when
  /// durations are split or added.
  package var flaw: String? {
    var moments = [start, end] + pets.flatMap { [$0.joined, $0.left ?? $0.joined] }
    moments += notes.map(\.time) + photos.compactMap(\.takenAt)
    moments += [reward?.earned, reward?.claimed, air?.measuredAt].compactMap { $0 }
    guard moments.allSatisfy(\.isPossible) else {
      return "the walk has a time that isn't a number or is more than 30,000 years away"
    }
    let limits = Duration.zero - .longest ... .longest
    guard [duration, elapsed, movingTime].allSatisfy(limits.contains) else {
      return "the walk has an impossible duration"
    }
    return nil
  }
}

extension Pet {
  /// The reason that no diary can contain the pet, such as a date that isn't a number; or `nil`.
  package var flaw: String? {
    let moments = [registered, photo?.takenAt].compactMap { $0 }
    return moments.allSatisfy(\.isPossible)
      ? nil : "the pet has a time that isn't a number or is more than 30,000 years away"
  }
}

extension Date {
  /// A Boolean value that indicates whether the date can be that of an event.
  fileprivate var isPossible: Bool {
    timeIntervalSinceReferenceDate.magnitude <= Duration.longest / .seconds(1)
  }
}
