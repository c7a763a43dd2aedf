public import FieldCore

/// An animal and its distance from the location of a search.
public struct NearbyAnimal: Hashable, Sendable, Codable, Identifiable, CustomStringConvertible {
  /// The animal.
  public var animal: Animal
  /// The nearest of the animal's places.
  public var place: Coordinate
  /// The geodesic distance to that place (WGS84); footpaths are longer.
  public var distance: Distance

  /// Creates a result.
  public init(animal: Animal, place: Coordinate, distance: Distance) {
    self.animal = animal
    self.place = place
    self.distance = distance
  }

  /// The animal's ID.
  public var id: Animal.ID { animal.id }

  /// A description with the animal and its distance.
  public var description: String { "\(animal), \(distance)" }
}

/// An area of the zoo and its distance from the location of a search.
public typealias NearbyArea = NearbyRecord<ZooArea>

extension NearbyArea {
  /// The area.
  public var area: ZooArea { record }
}
