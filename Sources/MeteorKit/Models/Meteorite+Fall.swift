extension Meteorite {
  /// A value that indicates whether a meteorite was seen falling.
  public struct Fall: RawRepresentable, Hashable, Sendable, Codable, CodingKeyRepresentable {
    /// The source's word.
    public var rawValue: String
    /// Creates a value from the source's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The fall was seen, and the meteorite was collected.
    public static var fell: Self { Self(rawValue: "Fell") }
    /// The meteorite was found later.
    public static var found: Self { Self(rawValue: "Found") }
    /// The source doesn't say.
    public static var unknown: Self { Self(rawValue: "") }
  }

  /// A value that indicates whether an object is still a meteorite.
  public struct NameType: RawRepresentable, Hashable, Sendable, Codable {
    /// The source's word.
    public var rawValue: String
    /// Creates a value from the source's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The object is a meteorite.
    public static var valid: Self { Self(rawValue: "Valid") }
    /// The object was so altered by weathering on Earth that it is no longer a meteorite.
    public static var relict: Self { Self(rawValue: "Relict") }
  }
}
