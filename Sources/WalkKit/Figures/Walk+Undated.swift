public import FieldFoundation

extension Walk {
  /// The start of walks whose documents do not say when they were: the beginning of 1970, before any
  /// walk that was recorded.
  public static var undatedStart: Date { Date(timeIntervalSince1970: 0) }

  /// Whether it is not known when the walk was, as in some documents of the old app.
  ///
  /// Such a walk comes last in a history with the newest first. It counts in sums over all time, and
  /// for no day, week or streak.
  public var isUndated: Bool { start == Self.undatedStart }
}
