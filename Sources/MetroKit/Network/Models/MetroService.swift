/// A pattern of trains on a line: which stops they serve, and how long that takes.
///
/// The Zhonghe-Xinlu line has two, which share `O01` to `O12`; a short turn such as that of 亞東醫院 is
/// one of its own. Trains run both ways, and the source's times, given for one direction, hold for
/// both.
///
/// Source: TDX, `S2STravelTime`.
public struct MetroService: Identifiable, Hashable, Sendable, Codable {
  /// The source's name of the pattern, such as `BL-1`.
  public var id: String
  /// The line.
  public var line: MetroLine.ID
  /// The stops, from the lowest code's end of the line to the other.
  public var stops: [MetroStation.Code]
  /// How long a train runs from each stop to the next, in seconds: one fewer than there are stops.
  public var runSeconds: [Int]
  /// How long a train stands at each stop, in seconds: as many as there are stops, 0 at both ends.
  public var stopSeconds: [Int]

  /// Makes a pattern.
  public init(
    id: String, line: MetroLine.ID, stops: [MetroStation.Code], runSeconds: [Int],
    stopSeconds: [Int]
  ) {
    self.id = id
    self.line = line
    self.stops = stops
    self.runSeconds = runSeconds
    self.stopSeconds = stopSeconds
  }
}
