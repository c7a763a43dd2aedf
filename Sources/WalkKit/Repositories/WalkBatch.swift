/// Records that belong together.
public struct WalkBatch: Hashable, Sendable, Codable {
  /// The pets.
  public var pets: [Pet]
  /// The walks.
  public var walks: [Walk]
  /// The places.
  public var places: [Place]
  /// What a document calls pets that are in the diary under other ids: each of its ids, and the pet's.
  public var aliases: [Pet.ID: Pet.ID]

  /// Makes a batch.
  public init(
    pets: [Pet] = [], walks: [Walk] = [], places: [Place] = [], aliases: [Pet.ID: Pet.ID] = [:]
  ) {
    self.pets = pets
    self.walks = walks
    self.places = places
    self.aliases = aliases
  }

  /// Whether there is no record in it; names that are learned are none.
  public var isEmpty: Bool { pets.isEmpty && walks.isEmpty && places.isEmpty }
}
