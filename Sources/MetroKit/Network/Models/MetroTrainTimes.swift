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

// MARK: - Time

extension MetroTrainTimes {
  /// A time of a service day, which ends hours after midnight: 00:45 is later than 23:50.
  public struct Time: Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
    /// The minutes since midnight at the start of the service day; 00:45 of the night is 1485.
    public var minutes: Int

    /// Creates a time from the minutes since midnight at the start of the service day.
    public init(minutes: Int) { self.minutes = minutes }

    /// A Boolean value that indicates whether the time is on the next calendar day.
    public var isAfterMidnight: Bool { minutes >= 24 * 60 }

    /// Creates a time from a text such as `06:05`; times before 04:00 are on the next day.
    init?(_ text: some StringProtocol) {
      let bytes = Array(text.utf8)
      func number(at place: Int) -> Int? {
        let digits = bytes[place...].prefix(2).map { Int($0) - Int(UInt8(ascii: "0")) }
        return digits.allSatisfy { (0...9).contains($0) } ? digits[0] * 10 + digits[1] : nil
      }
      guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"), let hour = number(at: 0),
        let minute = number(at: 3), hour < 24, minute < 60
      else { return nil }
      minutes = (hour + (hour < 4 ? 24 : 0)) * 60 + minute
    }

    /// Returns a Boolean value that indicates whether the left time is earlier in the service day.
    public static func < (left: Self, right: Self) -> Bool { left.minutes < right.minutes }

    /// The time on the clock, such as `00:45`.
    public var description: String {
      let (hour, minute) = (minutes / 60 % 24, minutes % 60)
      return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }
  }
}
