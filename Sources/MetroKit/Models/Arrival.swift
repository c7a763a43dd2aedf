internal import FieldCore
public import FieldFoundation

/// A train at a station, or on its way to it, as a row of a feed tells it.
///
/// A row without a ``countdown`` is an event: a train to ``destinationName`` is entering
/// ``stationName`` at ``updatedAt``. Rows of the members' feed have a countdown, which was right at
/// ``updatedAt``.
///
/// The names are kept as the feed writes them (`淡水站`), and beside them what they mean in the network;
/// a station that the network does not know is nil there, and its row is kept.
public struct Arrival: Identifiable, Hashable, Codable, Sendable {
  /// What tells this row from the others, in this answer and in the next.
  public var id: ID
  /// The source's own id of the row, its `_id`, as text; nil when the source gives none.
  ///
  /// It is the position of the row in one answer and says nothing about the next.
  public var sourceID: String?
  /// The name of the station as the feed writes it, such as `南港展覽館站`.
  public var stationName: String
  /// The name of the station that the train goes to, as the feed writes it.
  public var destinationName: String
  /// The name of the station in English as the feed writes it, such as `TaipeiMainStation`; nil when it
  /// gives none.
  public var stationEnglishName: String?
  /// The name of the destination in English as the feed writes it, such as `DAAN`; nil when it gives
  /// none.
  public var destinationEnglishName: String?
  /// The station, or nil when the network does not know it.
  public var station: MetroStation.ID?
  /// The station that the train goes to, or nil when the network does not know it.
  public var destination: MetroStation.ID?
  /// The line, when the feed names it or one line alone goes from the station to the destination.
  public var line: MetroLine.ID?
  /// When the row was true; nil when the feed gives no time.
  public var updatedAt: FeedTime?
  /// How long the train still takes, or why that is not known; nil for an event.
  public var countdown: Countdown?
  /// The number of the train, such as `104`; nil when the feed gives none.
  public var trainNumber: String?
  /// How the trains run, when the feed says so.
  public var service: Service?

  /// Makes an arrival; without an `id` it gets the one that its station, destination and time make.
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

  /// When the train is expected: the time of an event, or the countdown's end; nil when that is not
  /// known.
  public var expectedAt: Date? {
    guard let instant = updatedAt?.instant else { return nil }
    guard let countdown else { return instant }
    return countdown.seconds.map { instant.addingTimeInterval(Double($0)) }
  }
}

extension Arrival: CustomStringConvertible {
  /// The station, the destination, and the countdown or the time of the feed.
  public var description: String {
    let time = countdown?.rawValue ?? updatedAt?.rawText
    return "\(stationName) > \(destinationName)\(time.map { ", \($0)" } ?? "")".printable
  }
}
