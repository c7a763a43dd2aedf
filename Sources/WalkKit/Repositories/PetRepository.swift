/// A type that stores a diary's pets.
///
/// ``StoredWalks`` implements it over any record store. Test your own implementation with
/// `WalkBackendConformance` in `WalkTesting`.
///
/// ### How to implement it
///
/// - Make each change completely or not at all, even with concurrent changes in this or another
///   process.
/// - No two pets may have the same ``Pet/nameKey``, including archived ones. If several concurrent
///   calls use the same name, only one may succeed.
/// - Throw `FieldError`. Other errors become the `underlying` error of one.
public protocol PetRepository: Sendable {
  /// Returns all pets in the order of their registration, and by ID if they were registered at
  /// once.
  func pets() async throws -> [Pet]

  /// Adds a pet.
  ///
  /// - Throws: `FieldError` with the code `walks.nameTaken` if another pet has the name,
  ///   `store.conflict` if there is another pet with its ID, and `input.invalid` if the date of its
  ///   registration isn't a number. Adding the same pet again changes nothing.
  func add(_ pet: Pet) async throws

  /// Changes the current state of a pet and returns it.
  ///
  /// The ID and the date of registration are kept, even if `change` modifies them.
  ///
  /// - Parameters:
  ///   - id: The ID of the pet.
  ///   - change: A closure that may run several times, so it must have no other side effects.
  /// - Throws: `FieldError` with the code `walks.unknownPet` or `walks.nameTaken`, and the errors
  ///   of `change`.
  @discardableResult
  func update(_ id: Pet.ID, _ change: @Sendable (inout Pet) throws -> Void) async throws -> Pet

  /// Removes a pet, the walks that only it was on, and its part in the walks with others, in one
  /// step.
  ///
  /// - Returns: `true` if the pet existed.
  @discardableResult
  func remove(_ id: Pet.ID) async throws -> Bool
}
