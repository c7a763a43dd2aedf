public import FieldCore

/// What a metro tells its passengers about its trains, as TDX has it.
public struct MetroAlert: Identifiable, Hashable, Codable, Sendable {
  /// The source's id.
  public var id: ID
  /// The heading.
  public var title: String
  /// The text; nil when there is none.
  public var text: String?
  /// How the trains run; nil when the source does not say.
  public var status: Status?
  /// The lines that are concerned.
  public var lines: [MetroLine.ID]
  /// The stations that are concerned and known to the network.
  public var stations: [MetroStation.ID]
  /// The names of the stations that are concerned, as the source has them.
  public var stationNames: [String]
  /// When the alert was published.
  public var publishedAt: FeedTime?
  /// When the alert was changed last.
  public var updatedAt: FeedTime?

  /// Makes an alert.
  public init(
    id: ID, title: String, text: String? = nil, status: Status? = nil,
    lines: [MetroLine.ID] = [], stations: [MetroStation.ID] = [], stationNames: [String] = [],
    publishedAt: FeedTime? = nil, updatedAt: FeedTime? = nil
  ) {
    self.id = id
    self.title = title
    self.text = text
    self.status = status
    self.lines = lines
    self.stations = stations
    self.stationNames = stationNames
    self.publishedAt = publishedAt
    self.updatedAt = updatedAt
  }

  /// Whether this is the one that TDX gives when there is nothing to tell: id 0, 正常營運.
  public var saysAllIsNormal: Bool { id.rawValue == "0" && (status ?? .normal) == .normal }

  /// The identifier of an alert, as the source assigns it.
  public typealias ID = RecordID<MetroAlert>

  /// How the trains run, as TDX numbers it in alerts.
  public struct Status: RawRepresentable, Hashable, Sendable, Codable {
    /// The source's number.
    public var rawValue: Int
    /// Makes a value from the source's number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The trains run as they should.
    public static var normal: Self { Self(rawValue: 1) }
  }
}

extension MetroAlert: CustomStringConvertible {
  /// The ID and the heading.
  public var description: String { "\(id): \(title)".printable }
}
