/// A type that stores the owner's settings.
public protocol WalkSettings: Sendable {
  /// Returns the pet that was selected last, which may not exist anymore, or `nil` if none was.
  func selectedPet() async throws -> Pet.ID?

  /// Stores the selected pet.
  func select(_ pet: Pet.ID?) async throws
}
