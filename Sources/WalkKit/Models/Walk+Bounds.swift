#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Walk {
  /// Why no history can hold the walk; nil when it can.
  ///
  /// A time that is no number has no place in an order, and a duration of more than 30,000 years, as
  /// a damaged document may have it, overflows where durations are taken apart or added up.
  var flaw: String? {
    let moments = [start, end] + pets.flatMap { [$0.joined, $0.left ?? $0.joined] }
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
