/// Records that belong together.
public struct WalkBatch: Hashable, Sendable, Codable {
  /// The pets.
  public var pets: [Pet]
  /// The walks.
  public var walks: [Walk]
  /// The places.
  public var places: [Place]

  /// Makes a batch.
  public init(pets: [Pet] = [], walks: [Walk] = [], places: [Place] = []) {
    self.pets = pets
    self.walks = walks
    self.places = places
  }

  /// Whether there is nothing in it.
  public var isEmpty: Bool { pets.isEmpty && walks.isEmpty && places.isEmpty }
}
