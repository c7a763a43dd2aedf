/// Two stations of different names between which one changes in the street.
///
/// In Taipei these are 新埔 (`BL08`) and 新埔民生 (`Y17`), 320 m apart. No source that the network is made
/// of says so: it is general knowledge, which is why a route that uses it is marked as
/// ``MetroRoute/Certainty-swift.enum/unconfirmedWalk``.
public struct MetroWalk: Hashable, Sendable, Codable {
  /// One of the stations.
  public var from: MetroStation.ID
  /// The other one. The way is the same in both directions.
  public var to: MetroStation.ID

  /// Makes a pair.
  public init(from: MetroStation.ID, to: MetroStation.ID) {
    self.from = from
    self.to = to
  }
}
