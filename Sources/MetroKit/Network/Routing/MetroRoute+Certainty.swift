extension MetroRoute {
  /// How sure a route's duration is.
  public enum Certainty: String, Hashable, Sendable, Codable, CaseIterable {
    /// All of it is the source's: one ride, or none.
    case published
    /// The rides are the source's, the time to change trains is assumed.
    case estimatedTransfers
    /// A part of the way is a walk in the street between two stations, which no source confirms, and
    /// whose time is assumed.
    case unconfirmedWalk
  }
}
