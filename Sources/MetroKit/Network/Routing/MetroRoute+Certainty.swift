extension MetroRoute {
  /// The certainty of a route's duration.
  public enum Certainty: String, Hashable, Sendable, Codable, CaseIterable {
    /// The whole duration comes from the source: one ride, or none.
    case published
    /// The rides come from the source, but the time for changing trains is assumed.
    case estimatedTransfers
    /// A part of the route is a walk along the street between two stations, which no source
    /// confirms and whose time is assumed.
    case unconfirmedWalk
  }
}
