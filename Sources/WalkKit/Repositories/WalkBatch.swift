/// A set of records that belong together.
public struct WalkBatch: Hashable, Sendable, Codable {
  /// The pets.
  public var pets: [Pet]
  /// The walks.
  public var walks: [Walk]
  /// The places.
  public var places: [Place]
  /// The IDs of the batch's pets that are in the diary under other IDs, each with the diary's ID.
  public var aliases: [Pet.ID: Pet.ID]

  /// Creates a batch.
  public init(
    pets: [Pet] = [], walks: [Walk] = [], places: [Place] = [], aliases: [Pet.ID: Pet.ID] = [:]
  ) {
    self.pets = pets
    self.walks = walks
    self.places = places
    self.aliases = aliases
  }

  /// A Boolean value that indicates whether the batch contains no records; aliases don't count.
  public var isEmpty: Bool { pets.isEmpty && walks.isEmpty && places.isEmpty }
}
