public import FieldCore

extension TrackMeter {
  /// Options for calculating the statistics of a track.
  public struct Options: Sendable, Hashable, Codable {
    /// The minimum change of elevation that counts (hysteresis).
    ///
    /// Defaults to 3 m.
    ///
    /// Elevations are noisy. A difference of at least this much from the last elevation that
    /// counted is added as a whole, and the next one is measured from there. With 0, every step
    /// counts. Use 3 m for a barometer, and 10 m for elevations from GPS only. The same hike
    /// measured 586 m with 0, 461 m with 3 m, and 219 m with 10 m. Each segment starts over.
    public var climbThreshold: Distance
    /// The length of a split.
    ///
    /// Defaults to 1 km. Pass zero or less for no splits.
    public var splitLength: Distance
    /// The largest distance between positions that count as one place.
    ///
    /// Defaults to 10 m.
    ///
    /// If a fix is less accurate, its accuracy is used instead, up to twice this extent.
    public var stillExtent: Distance
    /// The minimum time within ``stillExtent`` that counts as standing still.
    ///
    /// Defaults to 20 s.
    ///
    /// The time since the arrival is then subtracted from the moving time retroactively. A single
    /// leg of at least this duration counts as standing still if it is slower than the extent in
    /// this time: 1.8 km/h.
    public var stillTime: Duration
    /// The time between two points of a segment from which the leg between them is a gap.
    ///
    /// A gap isn't measured or drawn. Defaults to `nil`, which means that only segments separate
    /// points.
    public var longestGap: Duration?

    /// Creates options.
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
