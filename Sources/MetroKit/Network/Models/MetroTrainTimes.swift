/// The first and the last train of a day from a stop toward a destination.
///
/// Source: TDX, `FirstLastTimetable` of TRTC, which is the same for all days of the week.
public struct MetroTrainTimes: Hashable, Sendable, Codable {
  /// The stop that the trains leave.
  public var code: MetroStation.Code
  /// The station that they run to.
  public var destination: MetroStation.ID
  /// When the first train leaves.
  public var first: Time
  /// When the last train leaves, after midnight at many stops.
  public var last: Time

  /// Makes a pair of times.
  public init(code: MetroStation.Code, destination: MetroStation.ID, first: Time, last: Time) {
    self.code = code
    self.destination = destination
    self.first = first
    self.last = last
  }
}

extension MetroTrainTimes: Identifiable {
  /// The destination, which differs for all trains that leave one stop.
  public var id: MetroStation.ID { destination }
}
