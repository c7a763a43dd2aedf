public import FieldCore
public import FieldFoundation

/// A train at a station, or on its way there, from a row of a feed.
///
/// A row without a ``countdown`` is an event: a train to ``destinationName`` is entering
/// ``stationName`` at ``updatedAt``. Rows of the members' feed have a countdown as of
/// ``updatedAt``.
///
/// The names are those of the feed (`淡水站`), with the matching stations of the network beside them.
/// If the network doesn't contain a station, its property is `nil` and the row is kept.
public struct Arrival: StoredRecord, Hashable, CustomStringConvertible {
  /// The identifier of the row, in this response and in later ones.
  public var id: ID
  /// The source's own ID of the row, its `_id`, as text; `nil` if the source gives none.
  ///
  /// The ID is only the row's position in one response.
  public var sourceID: String?
  /// The name of the station in the feed's spelling, such as `南港展覽館站`.
  public var stationName: String
  /// The name of the train's destination in the feed's spelling.
  public var destinationName: String
  /// The station's English name in the feed's spelling, such as `TaipeiMainStation`; `nil` if the
  /// feed gives none.
  public var stationEnglishName: String?
  /// The destination's English name in the feed's spelling, such as `DAAN`; `nil` if the feed gives
  /// none.
  public var destinationEnglishName: String?
  /// The station; `nil` if it isn't in the network.
  public var station: MetroStation.ID?
  /// The train's destination; `nil` if it isn't in the network.
  public var destination: MetroStation.ID?
  /// The line, if the feed names it or only one line runs from the station to the destination.
  public var line: MetroLine.ID?
  /// The time for which the row was valid; `nil` if the feed gives none.
  public var updatedAt: FeedTime?
  /// The time until the train arrives, or the reason why it's unknown; `nil` for an event.
  public var countdown: Countdown?
  /// The train number, such as `104`; `nil` if the feed gives none.
  public var trainNumber: String?
  /// The state of train service, if the feed gives it.
  public var service: Service?

  /// Creates an arrival; without an `id`, it's derived from the station, destination, and time.
  public init(
    id: ID? = nil,
    sourceID: String? = nil,
    stationName: String,
    destinationName: String,
    stationEnglishName: String? = nil,
    destinationEnglishName: String? = nil,
    station: MetroStation.ID? = nil,
    destination: MetroStation.ID? = nil,
    line: MetroLine.ID? = nil,
    updatedAt: FeedTime? = nil,
    countdown: Countdown? = nil,
    trainNumber: String? = nil,
    service: Service? = nil
  ) {
    self.sourceID = sourceID
    self.stationName = stationName
    self.destinationName = destinationName
    self.stationEnglishName = stationEnglishName
    self.destinationEnglishName = destinationEnglishName
    self.station = station
    self.destination = destination
    self.line = line
    self.updatedAt = updatedAt
    self.countdown = countdown
    self.trainNumber = trainNumber
    self.service = service
    if let id {
      self.id = id
    } else {
      let from = station?.rawValue ?? stationName
      let to = destination?.rawValue ?? destinationName
      self.id =
        countdown == nil
        ? ID(event: from, to, at: updatedAt) : ID(train: trainNumber, from, to)
    }
  }

  /// The expected time of the train, which is that of the event or the end of the countdown; `nil`
  /// if unknown.
  public var expectedAt: Date? {
    guard let instant = updatedAt?.instant else { return nil }
    guard let countdown else { return instant }
    return countdown.seconds.map { instant.addingTimeInterval(Double($0)) }
  }

  /// A description with the station, the destination, and the countdown or the feed's time.
  public var description: String {
    let time = countdown?.rawValue ?? updatedAt?.rawText
    return "\(stationName) > \(destinationName)\(time.map { ", \($0)" } ?? "")".printable
  }
}

// MARK: - Countdown

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

// MARK: - ID

extension Arrival {
  /// The identifier of an arrival; its text has no fixed format.
  ///
  /// The open feed has no train numbers, and the `_id` of a row is only its position. An event is
  /// therefore identified by its station, destination, and time: the same event has the same ID in
  /// every response that contains it, and in every feed that gives the same time. A row with a
  /// countdown is identified by its station, destination, and train number, so it keeps its ID
  /// while the countdown runs.
  ///
  /// Rows of one response that agree in all of these are numbered in order; the ID of the second
  /// ends with `#2`. Names that are in the network are replaced by the network's, so `淡水站` and `淡水`
  /// are the same.
  public typealias ID = RecordID<Arrival>
}

extension RecordID where Subject == Arrival {
  /// Creates the ID of an event. Its time is to the millisecond, in the same form for every feed, or
  /// the original text if it is unreadable.
  init(event station: String, _ destination: String, at time: FeedTime?) {
    let moment = time?.instant.map { String(Self.milliseconds(of: $0)) } ?? time?.rawText ?? ""
    self.init(rawValue: Self.beginning(ofEvent: station, destination) + moment)
  }

  /// Returns the prefix of an event's ID, which the text of its time follows.
  static func beginning(ofEvent station: String, _ destination: String) -> String {
    "\(station)>\(destination)@"
  }

  /// Creates the ID of a train with a countdown.
  init(train number: String?, _ station: String, _ destination: String) {
    self.init(rawValue: "\(station)>\(destination):\(number ?? "")")
  }

  /// Returns the ID of the n-th row, counting from 2, that agrees with this one in everything.
  func numbered(_ occurrence: Int) -> Self { Self(rawValue: "\(rawValue)#\(occurrence)") }

  /// Returns a date in milliseconds since 1970.
  static func milliseconds(of instant: Date) -> Int64 {
    Int64(limiting: instant.timeIntervalSince1970 * 1000)
  }
}

extension Arrival {
  /// The state of train service, with TDX's numbers.
  ///
  /// Only 0 has been observed in Taipei. The other names come from users of the service, who don't
  /// always agree on 1 and 2.
  public struct Service: RawRepresentable, Hashable, Sendable, Codable {
    /// The source's number.
    public var rawValue: Int
    /// Creates a value from the source's number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Trains run normally.
    public static var normal: Self { Self(rawValue: 0) }
    /// Trains are delayed.
    public static var delayed: Self { Self(rawValue: 1) }
    /// Trains take another route.
    public static var rerouted: Self { Self(rawValue: 2) }
    /// No trains run.
    public static var suspended: Self { Self(rawValue: 3) }
  }
}
