/// A change of what an owner noted about a walk; what is nil stays as it is.
public struct WalkChanges: Hashable, Sendable {
  /// The weather.
  public var weather: Weather?
  /// How bad the fine dust was.
  public var dust: DustGrade?
  /// All notes, in place of those before.
  public var notes: [WalkNote]?

  /// Makes a change.
  public init(weather: Weather? = nil, dust: DustGrade? = nil, notes: [WalkNote]? = nil) {
    self.weather = weather
    self.dust = dust
    self.notes = notes
  }
}
