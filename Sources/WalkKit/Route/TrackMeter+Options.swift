public import FieldCore

extension TrackMeter {
  /// What the figures of a track mean where that is a choice.
  public struct Options: Sendable, Hashable, Codable {
    /// The rise or fall that has to come together before it counts (hysteresis); 3 m.
    ///
    /// Elevations tremble. From the last elevation that counted, a difference of at least this much
    /// counts as a whole, and the next one is measured from there; at 0 every step counts. Three metres
    /// are right for a barometer; for elevations of GPS alone 10 m are. The same hike measured 586 m with
    /// 0, 461 m with 3 m and 219 m with 10 m. Each segment begins anew.
    public var climbThreshold: Distance
    /// How long a split is; 1 km. Nothing above zero means no splits.
    public var splitLength: Distance
    /// How far apart places may lie that are still one place; 10 m. Where a fix is less accurate, its
    /// accuracy takes this place, up to twice the extent.
    public var stillExtent: Distance
    /// How long all places have to lie within ``stillExtent`` of each other for standing still; 20 s.
    ///
    /// All the time since the arrival is then taken from the moving time, after the fact. A single leg
    /// of at least this duration is standing still when it is slower than the extent in this time:
    /// 1.8 km/h.
    public var stillTime: Duration
    /// The time between two points of a segment from which on the leg between them is a gap, neither
    /// measured nor drawn; nil, the default, when only the segments tell.
    public var longestGap: Duration?

    /// Makes options.
    public init(
      climbThreshold: Distance = .meters(3), splitLength: Distance = .kilometers(1),
      stillExtent: Distance = .meters(10), stillTime: Duration = .seconds(20),
      longestGap: Duration? = nil
    ) {
      self.climbThreshold = climbThreshold
      self.splitLength = splitLength
      self.stillExtent = stillExtent
      self.stillTime = stillTime
      self.longestGap = longestGap
    }
  }
}
