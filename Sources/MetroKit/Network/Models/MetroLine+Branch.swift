extension MetroLine {
  /// A part of a line that leaves its trunk.
  public struct Branch: Hashable, Sendable, Codable, Identifiable {
    /// The trunk's stop where the branch begins, such as `O12`.
    public var junction: MetroStation.Code
    /// The branch's stops, from the junction outward and without it: `O50` through `O54`.
    public var stops: [MetroStation.Code]

    /// Creates a branch.
    public init(junction: MetroStation.Code, stops: [MetroStation.Code]) {
      self.junction = junction
      self.stops = stops
    }

    /// The stops, which are unique for each branch of a line.
    public var id: [MetroStation.Code] { stops }
  }
}
