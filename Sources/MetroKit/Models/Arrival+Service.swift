extension Arrival {
  /// How the trains run, as TDX numbers it.
  ///
  /// Only 0 has been seen in Taipei. Of the others the names are those that users of the service give
  /// them, who do not agree on 1 and 2 in every place.
  public struct Service: RawRepresentable, Hashable, Sendable, Codable {
    /// The source's number.
    public var rawValue: Int
    /// Makes a value from the source's number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The trains run as they should.
    public static var normal: Self { Self(rawValue: 0) }
    /// The trains are late.
    public static var delayed: Self { Self(rawValue: 1) }
    /// The trains run another way.
    public static var rerouted: Self { Self(rawValue: 2) }
    /// No trains run.
    public static var suspended: Self { Self(rawValue: 3) }
  }
}
