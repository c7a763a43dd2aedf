internal import FieldCore

/// The rows of a board that share a station, a destination, or a line.
public struct ArrivalGroup<Key: Sendable & Hashable>: Sendable, Hashable, CustomStringConvertible {
  /// The key that the rows share; `nil` if it isn't in the network.
  public var key: Key?
  /// The name of the key: the network's, or the rows' own if it isn't in the network.
  public var name: String
  /// The rows, in source order.
  public var arrivals: [Arrival]

  /// Creates a group.
  public init(key: Key?, name: String, arrivals: [Arrival]) {
    self.key = key
    self.name = name
    self.arrivals = arrivals
  }

  /// A description with the name and the number of arrivals.
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
