/// What makes one route better than another.
public enum RoutePreference: String, Hashable, Sendable, Codable, CaseIterable {
  /// The shortest time; of routes that take the same, the one with fewer transfers.
  case fewestMinutes
  /// The fewest transfers; of routes that have as many, the shortest time.
  case fewestTransfers
}
