/// A record and its distance from where a search began.
public struct NearbyRecord<Record: Identifiable & Sendable>: Identifiable, Sendable {
  /// The record.
  public var record: Record
  /// The length of the shortest way to its place over the globe (WGS84); paths are longer.
  public var distance: Distance
  /// The identifier of the record.
  public var id: Record.ID { record.id }

  /// Creates a result of a search.
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
