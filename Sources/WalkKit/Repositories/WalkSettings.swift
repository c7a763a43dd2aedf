/// Where a diary keeps what the owner has chosen.
public protocol WalkSettings: Sendable {
  /// The pet that was chosen last; nil when none was. It need not be there any more.
  func selectedPet() async throws -> Pet.ID?

  /// Keeps a choice.
  func select(_ pet: Pet.ID?) async throws
}
