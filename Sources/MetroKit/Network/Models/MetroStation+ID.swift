extension MetroStation {
  /// The key of a station: its Chinese name as the operator writes it, such as `台北車站`.
  ///
  /// A key is not resolved: for other spellings ask ``MetroNetwork/station(named:)``.
  public struct ID: RawRepresentable, Hashable, Sendable, Codable {
    /// The Chinese name.
    public var rawValue: String

    /// Makes a key from the Chinese name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }
}

extension MetroStation.ID: ExpressibleByStringLiteral {
  /// Makes a key from the Chinese name.
  public init(stringLiteral value: String) { self.init(rawValue: value) }
}

extension MetroStation.ID: CustomStringConvertible {
  /// The Chinese name.
  public var description: String { rawValue }
}
