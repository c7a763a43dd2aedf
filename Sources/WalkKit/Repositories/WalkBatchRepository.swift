/// Puts many records into a diary in one step: what an import needs.
public protocol WalkBatchRepository: Sendable {
  /// Adds what is new of a batch, all of it or nothing; a record whose id is there already is left as
  /// it is. The batch's aliases are kept in the same step.
  ///
  /// - Returns: The records that were added.
  /// - Throws: `FieldError` with the code `nameTaken` or `unknownPet`; nothing is added then.
  func add(_ batch: WalkBatch) async throws -> WalkBatch

  /// What documents that were imported call pets that are here, as ``WalkBatch/aliases`` said.
  ///
  /// A repository that does not keep them returns none: a pet that was found by its name, has got another
  /// one and has no walks is then added once more when its document is imported again.
  func aliases() async throws -> [Pet.ID: Pet.ID]
}

extension WalkBatchRepository {
  /// No aliases.
  public func aliases() async throws -> [Pet.ID: Pet.ID] { [:] }
}
