// Numbers from servers, files, and other processes may be anything: `1e300` and NaN are valid in
// JSON, in Firestore, and in a stored record. The initializers of the standard library trap on
// those that a type can't hold, and one such number would end every process that reads it. Convert
// foreign numbers with the initializers below, or check them first.

extension FixedWidthInteger {
  /// Creates the whole number nearest to a floating-point number: the smallest or largest one if it
  /// is out of range, and zero for NaN.
  package init(limiting number: Double) {
    let whole = number.rounded()
    if let exact = Self(exactly: whole) {
      self = exact
    } else if whole.isNaN {
      self = 0
    } else {
      self = whole < 0 ? .min : .max
    }
  }
}

extension Duration {
  /// The longest duration that ``init(limiting:)`` creates, some 30,000 years.
  ///
  /// Durations of this length can be added a billion times and compared with any date.
  package static var longest: Duration { .seconds(Int64(1) << 40) }

  /// Creates a duration from seconds: at most ``longest`` in either direction, and zero for NaN.
  package init(limiting seconds: Double) {
    let limit = Double(Int64(1) << 40)
    self = .seconds(seconds.isNaN ? 0 : min(max(seconds, -limit), limit))
  }
}
