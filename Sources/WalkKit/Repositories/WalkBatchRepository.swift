/// A type that adds many records to a diary in one step, for an import.
public protocol WalkBatchRepository: Sendable {
  /// Adds the new records of a batch, completely or not at all.
  ///
  /// Existing records with the same IDs aren't changed. The aliases of the batch are stored in the
  /// same step.
  ///
  /// - Returns: The records that were added.
  /// - Throws: `FieldError` with the code `walks.nameTaken` or `walks.unknownPet`. In each case,
  ///   nothing is added.
  func add(_ batch: WalkBatch) async throws -> WalkBatch

  /// Returns the aliases of pets in imported documents; see ``WalkBatch/aliases``.
  ///
  /// A repository that doesn't store aliases returns none. If a pet that was matched by its name is
  /// then renamed and has no walks, importing its document again adds it once more.
  func aliases() async throws -> [Pet.ID: Pet.ID]
}

extension WalkBatchRepository {
  /// Returns no aliases.
  public func aliases() async throws -> [Pet.ID: Pet.ID] { [:] }
}
