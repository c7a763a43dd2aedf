/// Where a diary keeps its pets.
///
/// ``StoredWalks`` is the one over any record store. `WalkBackendConformance` of `FieldTesting` proves
/// one of your own.
///
/// ### How to implement it
///
/// - What a call changes is changed whole or not at all, also when others change something at the same
///   time, in this process or in another.
/// - No two pets have the same ``Pet/nameKey``, archived ones included: of any number of calls at once
///   that want one name, one succeeds.
/// - Throw `FieldError`; what else is thrown becomes the `underlying` error of one.
public protocol PetRepository: Sendable {
  /// All pets, the one that was registered first at the front; those of one moment by their ids.
  func pets() async throws -> [Pet]

  /// Adds a pet.
  ///
  /// - Throws: `FieldError` with the code `nameTaken` when another pet has the name, `conflict` when
  ///   there is another pet of its id, `invalidInput` when the date of its registration is no number.
  ///   Adding the same pet again changes nothing.
  func add(_ pet: Pet) async throws

  /// Changes a pet as it is at that moment, and returns it; its id and the date of its registration
  /// stay, whatever `change` does to them.
  ///
  /// - Parameters:
  ///   - id: The pet's.
  ///   - change: It may run several times, so it must not do anything else.
  /// - Throws: `FieldError` with the code `unknownPet` or `nameTaken`; what `change` throws.
  @discardableResult
  func update(
    _ id: Pet.ID, _ change: @Sendable (inout Pet) throws -> Void
  ) async throws -> Pet

  /// Removes a pet, the walks that only it was on, and its part in the walks with others: in one step.
  ///
  /// - Returns: Whether it was there.
  @discardableResult
  func remove(_ id: Pet.ID) async throws -> Bool
}
