extension Meteorite {
  /// Whether a meteorite was seen to fall.
  public struct Fall: RawRepresentable, Hashable, Sendable, Codable, CodingKeyRepresentable {
    /// The source's word.
    public var rawValue: String
    /// Makes a value from the source's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Its fall was seen, and it was collected.
    public static var fell: Self { Self(rawValue: "Fell") }
    /// It was found later.
    public static var found: Self { Self(rawValue: "Found") }
    /// The source does not say.
    public static var unknown: Self { Self(rawValue: "") }
  }

  /// Whether a meteorite is one still.
  public struct NameType: RawRepresentable, Hashable, Sendable, Codable {
    /// The source's word.
    public var rawValue: String
    /// Makes a value from the source's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A meteorite.
    public static var valid: Self { Self(rawValue: "Valid") }
    /// An object that weathering on Earth has changed so much that it no longer is a meteorite.
    public static var relict: Self { Self(rawValue: "Relict") }
  }
}
