public import FieldCore

/// An animal and how far away it is.
public struct NearbyAnimal: Hashable, Sendable, Codable {
  /// The animal.
  public var animal: Animal
  /// The place of the animal that is the nearest of its places.
  public var place: Coordinate
  /// The length of the shortest way to that place over the globe (WGS84); paths are longer.
  public var distance: Distance

  /// Makes a result.
  public init(animal: Animal, place: Coordinate, distance: Distance) {
    self.animal = animal
    self.place = place
    self.distance = distance
  }
}

extension NearbyAnimal: Identifiable {
  /// The animal's id.
  public var id: Animal.ID { animal.id }
}

extension NearbyAnimal: CustomStringConvertible {
  /// The animal and its distance.
  public var description: String { "\(animal), \(distance)" }
}
