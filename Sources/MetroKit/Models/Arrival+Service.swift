extension Arrival {
  /// The state of train service, with TDX's numbers.
  ///
  /// Only 0 has been observed in Taipei. The other names come from users of the service, who don't
  /// always agree on 1 and 2.
  public struct Service: RawRepresentable, Hashable, Sendable, Codable {
    /// The source's number.
    public var rawValue: Int
    /// Creates a value from the source's number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Trains run normally.
    public static var normal: Self { Self(rawValue: 0) }
    /// Trains are delayed.
    public static var delayed: Self { Self(rawValue: 1) }
    /// Trains take another route.
    public static var rerouted: Self { Self(rawValue: 2) }
    /// No trains run.
    public static var suspended: Self { Self(rawValue: 3) }
  }
}
