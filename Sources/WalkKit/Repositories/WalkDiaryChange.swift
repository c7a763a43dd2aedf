/// A change in a diary.
public struct WalkDiaryChange: Hashable, Sendable, Codable {
  /// The pets that were added, changed, or removed, and those whose walks were.
  public var pets: Set<Pet.ID>
  /// The walks that were added, changed, or removed.
  public var walks: Set<Walk.ID>
  /// A Boolean value that indicates whether places have changed.
  public var places: Bool
  /// A Boolean value that indicates whether anything may have changed, so that you must read
  /// everything again.
  ///
  /// It is `true` for the first element of each observation, and after too many changes to list.
  public var everything: Bool

  /// Creates a change.
  public init(
    pets: Set<Pet.ID> = [], walks: Set<Walk.ID> = [], places: Bool = false,
    everything: Bool = false
  ) {
    self.pets = pets
    self.walks = walks
    self.places = places
    self.everything = everything
  }

  /// Returns a Boolean value that indicates whether you must read a pet and its walks again.
  public func affects(_ pet: Pet.ID) -> Bool { everything || pets.contains(pet) }
}
