public import FieldCore

/// A place that the owner keeps: home, or a goal for walks.
public struct Place: Identifiable, Hashable, Codable, Sendable {
  /// What the place is known by.
  public var id: ID
  /// What the owner calls it.
  public var name: String
  /// What it is for.
  public var kind: Kind
  /// Where it is.
  public var coordinate: Coordinate

  /// Makes a place.
  public init(id: ID, name: String, kind: Kind = .goal, coordinate: Coordinate) {
    self.id = id
    self.name = name
    self.kind = kind
    self.coordinate = coordinate
  }

  /// The identifier of a place.
  public typealias ID = RecordID<Place>

  /// What a place is for: an open set.
  public struct Kind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The word for it.
    public var rawValue: String
    /// Makes a kind from its word.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The word for it.
    public var description: String { rawValue }

    /// Where walks begin and end; a diary has one at most.
    public static var home: Kind { Kind(rawValue: "home") }
    /// Where a walk may lead.
    public static var goal: Kind { Kind(rawValue: "goal") }
  }
}

extension Place: CustomStringConvertible {
  /// The kind of place and its name, such as `home: 집`.
  public var description: String { "\(kind): \(name)".printable }
}
