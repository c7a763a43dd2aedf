public import FieldCore

/// An alert from a metro to its passengers, as published on TDX.
public struct MetroAlert: Identifiable, Hashable, Codable, Sendable, CustomStringConvertible {
  /// The source's ID.
  public var id: ID
  /// The heading.
  public var title: String
  /// The text; `nil` if there is none.
  public var text: String?
  /// The state of train service; `nil` if the source doesn't say.
  public var status: Status?
  /// The affected lines.
  public var lines: [MetroLine.ID]
  /// The affected stations that are in the network.
  public var stations: [MetroStation.ID]
  /// The names of the affected stations, in the source's spelling.
  public var stationNames: [String]
  /// The time when the alert was published.
  public var publishedAt: FeedTime?
  /// The time when the alert was last changed.
  public var updatedAt: FeedTime?

  /// Creates an alert.
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

  /// A Boolean value that indicates whether this is TDX's alert for normal service: ID 0, 正常營運.
  public var saysAllIsNormal: Bool { id.rawValue == "0" && (status ?? .normal) == .normal }

  /// A Boolean value that indicates whether the alert names neither lines nor stations, so that it
  /// concerns the whole network.
  public var isOfWholeNetwork: Bool { lines.isEmpty && stations.isEmpty && stationNames.isEmpty }

  /// The identifier of an alert, as the source assigns it.
  public typealias ID = RecordID<MetroAlert>

  /// The state of train service, with the numbers that TDX uses in alerts.
  public struct Status: RawRepresentable, Hashable, Sendable, Codable {
    /// The source's number.
    public var rawValue: Int
    /// Creates a value from the source's number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Trains run normally.
    public static var normal: Self { Self(rawValue: 1) }
  }

  /// A description with the ID and the heading.
  public var description: String { "\(id): \(title)".printable }
}
