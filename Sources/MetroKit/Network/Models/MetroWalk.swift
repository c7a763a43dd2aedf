/// Two stations with different names between which passengers change along the street.
///
/// In Taipei, these are 新埔 (`BL08`) and 新埔民生 (`Y17`), 320 m apart. None of the network's sources
/// confirms the walk; it is general knowledge. A route that uses it is therefore marked as
/// ``MetroRoute/Certainty-swift.enum/unconfirmedWalk``.
public struct MetroWalk: Hashable, Sendable, Codable {
  /// One of the stations.
  public var from: MetroStation.ID
  /// The other station; the walk is the same in both directions.
  public var to: MetroStation.ID

  /// Creates a pair of stations.
  public init(from: MetroStation.ID, to: MetroStation.ID) {
    self.from = from
    self.to = to
  }
}
