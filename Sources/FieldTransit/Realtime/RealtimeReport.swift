public import FieldFoundation

/// A report about the messages that were applied to a timetable.
public struct RealtimeReport: Sendable, Hashable {
  /// The moment of the oldest message that was applied; `nil` if none was.
  public internal(set) var date: Date?
  /// The number of messages that weren't applied, because they were too old or didn't say when they were made.
  public internal(set) var staleMessageCount = 0
  /// The number of trips with predicted times.
  public internal(set) var predictedTripCount = 0
  /// The number of trips that don't run.
  public internal(set) var canceledTripCount = 0
  /// The number of trips that run although the timetable doesn't have them, among those with predicted times.
  public internal(set) var addedTripCount = 0
  /// The number of trips of the messages that aren't in the timetable on that day, or about which nothing usable is said.
  public internal(set) var unusedTripCount = 0
}
