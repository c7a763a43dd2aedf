internal import FieldCore

/// Rows of a board that belong together: of one station, one destination or one line.
public struct ArrivalGroup<Key: Sendable & Hashable>: Sendable, Hashable, CustomStringConvertible {
  /// What they have in common; nil when the network does not know it.
  public var key: Key?
  /// The name of it: the network's, or the rows' own when the network does not know it.
  public var name: String
  /// The rows, in the source's order.
  public var arrivals: [Arrival]

  /// Makes a group.
  public init(key: Key?, name: String, arrivals: [Arrival]) {
    self.key = key
    self.name = name
    self.arrivals = arrivals
  }

  /// The name and the number of arrivals.
  public var description: String { "\(name): \(arrivals.count) arrivals".printable }
}

extension ArrivalGroup: Codable where Key: Codable {}

extension ArrivalGroup: Identifiable {
  /// The identifier of a group.
  public enum ID: Sendable, Hashable {
    /// The key of a group that the network knows.
    case key(Key)
    /// The name of a group that the network doesn't know.
    case name(String)
  }

  /// The key, or the name if there is no key.
  public var id: ID { key.map(ID.key) ?? .name(name) }
}
