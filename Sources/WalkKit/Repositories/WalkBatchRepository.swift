/// Puts many records into a diary in one step: what an import needs.
public protocol WalkBatchRepository: Sendable {
  /// Adds what is new of a batch, all of it or nothing; a record whose id is there already is left as
  /// it is.
  ///
  /// - Returns: What was added.
  /// - Throws: `FieldError` with the code `nameTaken` or `unknownPet`; nothing is added then.
  func add(_ batch: WalkBatch) async throws -> WalkBatch
}
