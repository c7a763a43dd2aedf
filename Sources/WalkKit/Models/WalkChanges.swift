/// A change of what an owner noted about a walk; what is nil stays as it is.
public struct WalkChanges: Hashable, Sendable, Codable {
  /// The weather.
  public var weather: WalkWeather?
  /// How bad the fine dust was.
  public var dust: DustGrade?
  /// All notes, in place of those before.
  public var notes: [WalkNote]?
  /// What is not known any more; a new value of the same change wins.
  public var cleared: Set<Field>

  /// Makes a change.
  public init(
    weather: WalkWeather? = nil, dust: DustGrade? = nil, notes: [WalkNote]? = nil,
    clearing cleared: Set<Field> = []
  ) {
    self.weather = weather
    self.dust = dust
    self.notes = notes
    self.cleared = cleared
  }

  /// What may not be known about a walk: an open set.
  public struct Field: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The word for it.
    public var rawValue: String
    /// Makes a field from its word.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The word for it.
    public var description: String { rawValue }

    /// The weather.
    public static var weather: Field { Field(rawValue: "weather") }
    /// The grade of the fine dust.
    public static var dust: Field { Field(rawValue: "dust") }
    /// What was measured in the air.
    public static var air: Field { Field(rawValue: "air") }
  }
}
