extension MetroStation {
  /// The code of a line's stop at a station, as the signs show it: `BL12`, `R22A`.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable, CodingKeyRepresentable {
    /// The text of the code.
    public var rawValue: String

    /// Makes a code from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
  }
}

extension MetroStation.Code: ExpressibleByStringLiteral {
  /// Makes a code from its text.
  public init(stringLiteral value: String) { self.init(rawValue: value) }
}

extension MetroStation.Code: CustomStringConvertible {
  /// The text of the code.
  public var description: String { rawValue }
}
