extension MetroLine {
  /// The part of a line that leaves its trunk.
  public struct Branch: Hashable, Sendable, Codable {
    /// The stop of the trunk where the branch begins, such as `O12`.
    public var junction: MetroStation.Code
    /// The stops of the branch, from the junction outward, without it: `O50` to `O54`.
    public var stops: [MetroStation.Code]

    /// Makes a branch.
    public init(junction: MetroStation.Code, stops: [MetroStation.Code]) {
      self.junction = junction
      self.stops = stops
    }
  }
}

extension MetroLine.Branch: Identifiable {
  /// The stops, which differ for each branch of a line.
  public var id: [MetroStation.Code] { stops }
}
