internal import FieldCore

extension MetroRoute {
  /// A part of a route without a change: a ride on one train, or a walk along the street.
  public struct Leg: Hashable, Sendable, Codable, Identifiable, CustomStringConvertible {
    /// The line of the ride; `nil` for a walk between two stations.
    public var line: MetroLine.ID?
    /// The stations of the leg, including both ends.
    public var stations: [MetroStation.ID]
    /// The destinations of the trains that serve the leg; empty for a walk.
    ///
    /// These are the ends of all the line's patterns that stop at both ends of the leg, that of the
    /// longest pattern first. From 台北車站 to 府中, you can take trains for 頂埔 and for 亞東醫院; to 永寧, only
    /// the former. Some patterns run only at certain hours or on certain days; the first one always
    /// does.
    public var headings: [MetroStation.ID]
    /// The duration of the leg, in seconds.
    public var seconds: Int

    /// Creates a leg.
    public init(
      line: MetroLine.ID?, stations: [MetroStation.ID], headings: [MetroStation.ID], seconds: Int
    ) {
      self.line = line
      self.stations = stations
      self.headings = headings
      self.seconds = seconds
    }

    /// The first station of the leg.
    public var from: MetroStation.ID { stations.first ?? MetroStation.ID(rawValue: "") }

    /// The last station of the leg.
    public var to: MetroStation.ID { stations.last ?? MetroStation.ID(rawValue: "") }

    /// The duration of the leg.
    public var duration: Duration { .seconds(seconds) }

    /// The first station of the leg, which is unique for each leg of a route.
    public var id: MetroStation.ID { from }

    /// A description with the line, or `walk`, and both ends, such as `BL 台北車站 > 府中`.
    public var description: String { "\(line?.rawValue ?? "walk") \(from) > \(to)".printable }
  }
}
