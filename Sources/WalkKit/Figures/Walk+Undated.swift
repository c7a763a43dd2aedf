public import FieldFoundation

extension Walk {
  /// The start of walks whose documents don't state a date: the beginning of 1970, before any
  /// recorded walk.
  public static var undatedStart: Date { Date(timeIntervalSince1970: 0) }

  /// A Boolean value that indicates whether the date of the walk is unknown, as in some documents
  /// of the old app.
  ///
  /// Such a walk comes last in a history that is sorted newest first. It counts in all-time sums,
  /// but not for any day, week, or streak.
  public var isUndated: Bool { start == Self.undatedStart }
}
