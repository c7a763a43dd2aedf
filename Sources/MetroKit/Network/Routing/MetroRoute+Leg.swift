internal import FieldCore

extension MetroRoute {
  /// A part of a route without a change: a ride on one train, or a walk in the street.
  public struct Leg: Hashable, Sendable, Codable {
    /// The line that is ridden; nil for a walk between two stations.
    public var line: MetroLine.ID?
    /// The stations of the leg, both ends among them.
    public var stations: [MetroStation.ID]
    /// Where trains that serve the leg run to: the ends of all the line's patterns that stop at both
    /// its ends, that of the longest first. From 台北車站 to 府中 trains for 頂埔 and for 亞東醫院 will
    /// do, to 永寧 only the former. Empty for a walk.
    ///
    /// Some patterns run on some hours of some days only; the first one always does.
    public var headings: [MetroStation.ID]
    /// How long the leg takes, in seconds.
    public var seconds: Int

    /// Makes a leg.
    public init(
      line: MetroLine.ID?, stations: [MetroStation.ID], headings: [MetroStation.ID], seconds: Int
    ) {
      self.line = line
      self.stations = stations
      self.headings = headings
      self.seconds = seconds
    }

    /// Where the leg begins.
    public var from: MetroStation.ID { stations.first ?? MetroStation.ID(rawValue: "") }

    /// Where the leg ends.
    public var to: MetroStation.ID { stations.last ?? MetroStation.ID(rawValue: "") }

    /// How long the leg takes.
    public var duration: Duration { .seconds(seconds) }
  }
}

extension MetroRoute.Leg: Identifiable {
  /// The station where the leg begins, which differs for each leg of a route.
  public var id: MetroStation.ID { from }
}

extension MetroRoute.Leg: CustomStringConvertible {
  /// The line, or `walk`, and both ends, such as `BL 台北車站 > 府中`.
  public var description: String { "\(line?.rawValue ?? "walk") \(from) > \(to)".printable }
}
