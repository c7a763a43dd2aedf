internal import FieldCore

/// What has changed in a diary.
public struct WalkDiaryChange: Hashable, Sendable, Codable {
  /// The pets that are new, changed or gone, and those whose walks are: what was read of them is old.
  public var pets: Set<Pet.ID>
  /// The walks that are new, changed or gone.
  public var walks: Set<Walk.ID>
  /// Whether places have changed.
  public var places: Bool
  /// Whether anything may have changed, so that all has to be read again: so with the first element of
  /// each observation, and after so many changes that they are not told one by one.
  public var everything: Bool

  /// Makes a change.
  public init(
    pets: Set<Pet.ID> = [], walks: Set<Walk.ID> = [], places: Bool = false,
    everything: Bool = false
  ) {
    self.pets = pets
    self.walks = walks
    self.places = places
    self.everything = everything
  }

  /// Whether what was read about a pet is old.
  public func affects(_ pet: Pet.ID) -> Bool { everything || pets.contains(pet) }
}
