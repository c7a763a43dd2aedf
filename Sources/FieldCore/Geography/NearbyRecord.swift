/// A record and its distance from the location of a search.
public struct NearbyRecord<Record: Identifiable & Sendable>: Identifiable, Sendable {
  /// The record.
  public var record: Record
  /// The geodesic distance to the record's location (WGS84); paths on the ground are longer.
  public var distance: Distance
  /// The ID of the record.
  public var id: Record.ID { record.id }

  /// Creates a search result.
  public init(_ record: Record, distance: Distance) {
    self.record = record
    self.distance = distance
  }
}

extension NearbyRecord: Equatable where Record: Equatable {}
extension NearbyRecord: Hashable where Record: Hashable {}
extension NearbyRecord: Encodable where Record: Encodable {}
extension NearbyRecord: Decodable where Record: Decodable {}

extension NearbyRecord: CustomStringConvertible {
  /// The record and its distance.
  public var description: String { "\(record), \(distance)" }
}
