public import FieldCore

/// A place that the owner has saved: home, or a goal for walks.
public struct Place: Identifiable, Hashable, Codable, Sendable, CustomStringConvertible {
  /// The identifier of the place.
  public var id: ID
  /// The owner's name for the place.
  public var name: String
  /// The purpose of the place.
  public var kind: Kind
  /// The location of the place.
  public var coordinate: Coordinate

  /// Creates a place.
  public init(id: ID, name: String, kind: Kind = .goal, coordinate: Coordinate) {
    self.id = id
    self.name = name
    self.kind = kind
    self.coordinate = coordinate
  }

  /// The identifier of a place.
  public typealias ID = RecordID<Place>

  /// The purpose of a place, as an open set of names.
  public struct Kind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name of the kind.
    public var rawValue: String
    /// Creates a kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name of the kind.
    public var description: String { rawValue }

    /// The place where walks begin and end; a diary has one at most.
    public static var home: Kind { Kind(rawValue: "home") }
    /// A possible destination of a walk.
    public static var goal: Kind { Kind(rawValue: "goal") }
  }

  /// The kind of place and its name, such as `home: 집`.
  public var description: String { "\(kind): \(name)".printable }
}
