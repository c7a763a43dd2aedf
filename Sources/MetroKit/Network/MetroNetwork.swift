internal import FieldCore

/// The lines and stations of a metro: names, places, and how to get from one to another.
///
/// ```swift
/// let route = try MetroNetwork.taipei.route(from: "動物園", to: "淡水")
/// print(route.stations.map(\.name), route.transfers, route.duration)
/// ```
///
/// A network is a value that never changes; copies share their content. ``taipei`` is compiled in. A
/// newer one can be read from a file; see ``init(reading:)``.
public struct MetroNetwork: Sendable, CustomStringConvertible {
  let content: NetworkContent

  init(content: NetworkContent) { self.content = content }

  /// The metro of Taipei: the five lines of TRTC and the Circular line, 118 stations with 135 codes.
  ///
  /// The airport line and the Sanying line are not in it, since the source has no travel times of
  /// theirs. ``version`` tells of which day the facts are.
  public static var taipei: MetroNetwork { builtIn }

  // What is compiled in is what a test reads; should it be unreadable all the same, a host goes on
  // with a network that knows no station.
  private static let builtIn =
    (try? MetroNetwork(reading: TaipeiNetwork.bytes)) ?? MetroNetwork(content: .empty)

  /// The day of the facts, such as `2026-07-24`.
  public var version: String { content.version }

  /// The lines, in the source's order.
  public var lines: [MetroLine] { content.lines }

  /// The stations, each once, in the order of the lines.
  public var stations: [MetroStation] { content.stations }

  /// The patterns of trains, short turns among them.
  public var services: [MetroService] { content.services }

  /// The stations between which one changes in the street.
  public var walks: [MetroWalk] { content.walks }

  /// The line with this key.
  public func line(_ id: MetroLine.ID) -> MetroLine? {
    content.lines.first { $0.id == id }
  }

  /// The station with this key, which is its Chinese name to the letter.
  public func station(_ id: MetroStation.ID) -> MetroStation? {
    content.position(of: id).map { content.stations[$0] }
  }

  /// The station that has this code.
  public func station(code: MetroStation.Code) -> MetroStation? {
    content.stationOfCode[code].map { content.stations[Int($0)] }
  }

  /// The stations of a line: those of its trunk, then those of each branch.
  public func stations(of line: MetroLine.ID) -> [MetroStation] {
    (self.line(line)?.codes ?? []).compactMap { station(code: $0) }
  }

  /// The first and the last train of the day from a stop, one pair for each destination; nil where
  /// the source does not know, as on the Circular line.
  public func trainTimes(at code: MetroStation.Code) -> [MetroTrainTimes]? {
    content.trainTimes[code]
  }

  /// The version and the numbers of lines and stations.
  public var description: String {
    "\(version): \(lines.count) lines, \(stations.count) stations".printable
  }
}

extension MetroNetwork {
  /// The lines whose trains run from one station to another without a change.
  ///
  /// What a feed calls a destination can be the end of any pattern, so this tells the line of an
  /// arrival; two lines run between some stations, such as 忠孝復興 and 南港展覽館.
  public func lines(from: MetroStation.ID, toward destination: MetroStation.ID) -> [MetroLine.ID] {
    guard let from = content.position(of: from), let to = content.position(of: destination),
      from != to
    else { return [] }
    var found: [MetroLine.ID] = []
    for (index, service) in content.services.enumerated()
    where content.place(of: from, in: index) != nil && content.place(of: to, in: index) != nil {
      if !found.contains(service.line) { found.append(service.line) }
    }
    return found
  }
}
