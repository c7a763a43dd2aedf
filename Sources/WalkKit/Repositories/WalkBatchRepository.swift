/// Puts many records into a diary in one step: what an import needs.
public protocol WalkBatchRepository: Sendable {
  /// Adds what is new of a batch, all of it or nothing; a record whose id is there already is left as
  /// it is.
  ///
  /// - Returns: What was added.
  /// - Throws: `FieldError` with the code `nameTaken` or `unknownPet`; nothing is added then.
  func add(_ batch: WalkBatch) async throws -> WalkBatch
}

/// Records that belong together.
public struct WalkBatch: Hashable, Sendable, Codable {
  /// The pets.
  public var pets: [Pet]
  /// The walks.
  public var walks: [Walk]
  /// The places.
  public var places: [Place]

  /// Makes a batch.
  public init(pets: [Pet] = [], walks: [Walk] = [], places: [Place] = []) {
    self.pets = pets
    self.walks = walks
    self.places = places
  }

  /// Whether there is nothing in it.
  public var isEmpty: Bool { pets.isEmpty && walks.isEmpty && places.isEmpty }
}
