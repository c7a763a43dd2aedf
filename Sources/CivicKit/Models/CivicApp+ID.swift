extension CivicApp {
  /// The key of an app, as the source has it.
  public struct ID: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringLiteral,
    CustomStringConvertible
  {
    /// The text of the key.
    public let rawValue: String
    /// Makes a key from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Makes a key from its text.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
    /// The text of the key.
    public var description: String { rawValue }
  }
}
