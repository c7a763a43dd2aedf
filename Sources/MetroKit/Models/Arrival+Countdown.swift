extension Arrival {
  /// The time until a train arrives, or the reason why it's unknown, in the feed's own text.
  ///
  /// ```swift
  /// print(Arrival.Countdown("00:41").seconds as Any)    // 41
  /// print(Arrival.Countdown("列車進站") == .arriving)    // true
  /// ```
  ///
  /// The feed gives minutes and seconds, with up to three digits for the minutes, or one of several
  /// sentences, whose number grows now and then.
  public struct Countdown: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The feed's text, such as `00:41`.
    public var rawValue: String

    /// Creates a countdown from the feed's text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a countdown from the feed's text.
    public init(_ text: String) { rawValue = text }

    /// Creates a countdown of some seconds, in the feed's format; negative numbers count as 0.
    public init(seconds: Int) {
      let (minutes, rest) = max(0, seconds).quotientAndRemainder(dividingBy: 60)
      rawValue = "\(minutes < 10 ? "0" : "")\(minutes):\(rest < 10 ? "0" : "")\(rest)"
    }

    /// The train is entering the station (列車進站).
    public static var arriving: Self { Self("列車進站") }
    /// The feed is waiting for data (資料擷取中).
    public static var waitingForData: Self { Self("資料擷取中") }
    /// The last train has left (營運時間已過).
    public static var serviceEnded: Self { Self("營運時間已過") }
    /// The platform is out of service (月台暫停服務).
    public static var platformClosed: Self { Self("月台暫停服務") }

    /// The seconds until the train arrives, 0 if it is entering the station; `nil` if the feed
    /// doesn't say.
    public var seconds: Int? {
      if self == .arriving { return 0 }
      let parts = rawValue.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let minutes = Self.number(parts[0], digits: 1...3),
        let seconds = Self.number(parts[1], digits: 2...2), seconds < 60
      else { return nil }
      return minutes * 60 + seconds
    }

    /// The time until the train arrives; `nil` if the feed doesn't say.
    public var remaining: Duration? { seconds.map { .seconds($0) } }

    private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
      let bytes = text.utf8
      let isNumber = digits.contains(bytes.count) && bytes.allSatisfy { (0x30...0x39).contains($0) }
      return isNumber ? Int(text) : nil
    }

    /// The feed's text.
    public var description: String { rawValue }
  }
}

extension Arrival.Countdown: ExpressibleByStringLiteral {
  /// Creates a countdown from the feed's text.
  public init(stringLiteral value: String) { self.init(value) }
}
