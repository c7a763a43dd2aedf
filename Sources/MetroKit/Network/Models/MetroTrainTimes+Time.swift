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
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }),
        let hour = UInt8(parts[0]), let minute = UInt8(parts[1]), hour < 24, minute < 60
      else { return nil }
      minutes = (Int(hour) + (hour < 4 ? 24 : 0)) * 60 + Int(minute)
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
