/// A table of the zoo's data.
public enum ZooTable: String, CaseIterable, Codable, Sendable, Hashable {
  /// The animals (動物資料), with a row for every place where an animal is shown.
  case animals
  /// The areas (館區簡介).
  case areas
  /// The plants (植物資料), with a row for every place.
  case plants
  /// The events (行事曆), with a row for every day and activity.
  case events
}
