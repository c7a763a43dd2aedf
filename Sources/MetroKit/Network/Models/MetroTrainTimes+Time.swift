extension MetroTrainTimes {
  /// A time of a day of service, which ends hours after midnight: 00:45 is later than 23:50.
  public struct Time: Hashable, Sendable, Codable {
    /// Minutes since the midnight that the day began with: 00:45 of the night is 1485.
    public var minutes: Int

    /// Makes a time from minutes since the midnight that the day of service began with.
    public init(minutes: Int) { self.minutes = minutes }

    /// Whether it falls on the next day of the calendar.
    public var isAfterMidnight: Bool { minutes >= 24 * 60 }

    /// The time that a text such as `06:05` says; before 04:00 it is one of the next day.
    init?(_ text: some StringProtocol) {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }),
        let hour = UInt8(parts[0]), let minute = UInt8(parts[1]), hour < 24, minute < 60
      else { return nil }
      minutes = (Int(hour) + (hour < 4 ? 24 : 0)) * 60 + Int(minute)
    }
  }
}

extension MetroTrainTimes.Time: Comparable {
  /// Whether the left time is earlier in the day of service.
  public static func < (left: Self, right: Self) -> Bool { left.minutes < right.minutes }
}

extension MetroTrainTimes.Time: CustomStringConvertible {
  /// The time of the clock, such as `00:45`.
  public var description: String {
    let (hour, minute) = (minutes / 60 % 24, minutes % 60)
    return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }
}
