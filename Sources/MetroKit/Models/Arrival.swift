internal import FieldCore
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
