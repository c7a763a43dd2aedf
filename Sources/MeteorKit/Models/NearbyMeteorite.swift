public import FieldCore

/// A meteorite and how far away it is.
public struct NearbyMeteorite: Hashable, Sendable, Codable {
  /// The meteorite.
  public var meteorite: Meteorite
  /// The length of the shortest way over the globe (WGS84).
  public var distance: Distance

  /// Makes a pair.
  public init(meteorite: Meteorite, distance: Distance) {
    self.meteorite = meteorite
    self.distance = distance
  }
}

extension NearbyMeteorite: Identifiable {
  /// The meteorite's id.
  public var id: Meteorite.ID { meteorite.id }
}

extension NearbyMeteorite: CustomStringConvertible {
  /// The meteorite and its distance.
  public var description: String { "\(meteorite), \(distance)" }
}
