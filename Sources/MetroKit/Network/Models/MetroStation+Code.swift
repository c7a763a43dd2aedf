extension MetroStation {
  /// The code of a line's stop at a station, as on the signs: `BL12`, `R22A`.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable, CodingKeyRepresentable {
    /// The text of the code.
    public var rawValue: String

    /// Creates a code from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
  }
}

extension MetroStation.Code: ExpressibleByStringLiteral {
  /// Creates a code from its text.
  public init(stringLiteral value: String) { self.init(rawValue: value) }
}

extension MetroStation.Code: CustomStringConvertible {
  /// The text of the code.
  public var description: String { rawValue }
}
