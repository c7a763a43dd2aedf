/// The first and last trains of a day from a stop toward a destination.
///
/// Source: TDX, TRTC's `FirstLastTimetable`, which is the same for all days of the week.
public struct MetroTrainTimes: Hashable, Sendable, Codable, Identifiable {
  /// The stop from which the trains leave.
  public var code: MetroStation.Code
  /// The destination of the trains.
  public var destination: MetroStation.ID
  /// The departure time of the first train.
  public var first: Time
  /// The departure time of the last train, which is after midnight at many stops.
  public var last: Time

  /// Creates a pair of times.
  public init(code: MetroStation.Code, destination: MetroStation.ID, first: Time, last: Time) {
    self.code = code
    self.destination = destination
    self.first = first
    self.last = last
  }

  /// The destination, which is unique among the trains from one stop.
  public var id: MetroStation.ID { destination }
}
