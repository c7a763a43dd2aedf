/// The preference for one route over another.
public enum RoutePreference: String, Hashable, Sendable, Codable, CaseIterable {
  /// The shortest time; if the times are equal, the fewest transfers.
  case fewestMinutes
  /// The fewest transfers; if those are equal, the shortest time.
  case fewestTransfers
}
