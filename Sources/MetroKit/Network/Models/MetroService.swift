/// A train pattern on a line: the stops it serves, and its travel times.
///
/// The Zhonghe-Xinlu line has two, which share `O01` through `O12`. A short turn, such as the one
/// at 亞東醫院, is a pattern of its own. Trains run both ways; the source's times are for one direction
/// and apply to both.
///
/// Source: TDX, `S2STravelTime`.
public struct MetroService: Identifiable, Hashable, Sendable, Codable {
  /// The source's name for the pattern, such as `BL-1`.
  public var id: String
  /// The line.
  public var line: MetroLine.ID
  /// The stops, from the end of the line with the lowest code to the other.
  public var stops: [MetroStation.Code]
  /// The running times from each stop to the next, in seconds: one fewer than there are stops.
  public var runSeconds: [Int]
  /// The dwell times at each stop, in seconds: as many as there are stops, 0 at both ends.
  public var stopSeconds: [Int]

  /// Creates a pattern.
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
