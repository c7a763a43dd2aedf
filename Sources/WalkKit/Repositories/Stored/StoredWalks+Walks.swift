internal import FieldCore

extension StoredWalks {
  /// Saves a walk, once.
  @concurrent
  @discardableResult
  package func save(_ walk: Walk) async throws -> Walk {
    try await changing { snapshot, changes in
      if case .walk(let present)? = snapshot[id: WalkRecord.id(of: walk.id)]?.content {
        return present
      }
      try Self.check(walk) { snapshot[id: WalkRecord.id(of: $0)] != nil }
      changes.upsert(WalkRecord(.walk(walk)))
      return walk
    }
  }

  /// Returns the walk with an ID, or `nil` if there is none.
  @concurrent
  package func walk(_ id: Walk.ID) async throws -> Walk? {
    try await snapshot()[id: WalkRecord.id(of: id)]?.walk
  }

  /// Returns a page of walks.
  @concurrent
  package func walks(_ query: WalkQuery) async throws -> WalkPage {
    try Task.checkCancellation()
    return try await view().page(query)
  }

  /// Changes a walk and returns it.
  @concurrent
  @discardableResult
  package func updateWalk(
    _ id: Walk.ID, _ change: @Sendable (inout Walk) throws -> Void
  ) async throws -> Walk {
    try await changing { snapshot, changes in
      guard let before = snapshot[id: WalkRecord.id(of: id)]?.walk else {
        throw FieldError.unknownWalk(id)
      }
      var walk = before
      try change(&walk)
      walk.id = before.id
      guard walk != before else { return walk }
      try Self.check(walk) { snapshot[id: WalkRecord.id(of: $0)] != nil }
      changes.upsert(WalkRecord(.walk(walk)))
      return walk
    }
  }

  /// Removes a walk.
  @concurrent
  @discardableResult
  package func removeWalk(_ id: Walk.ID) async throws -> Bool {
    try await removeRecord(WalkRecord.id(of: id))
  }

  /// Throws for a walk that a history can't contain: one with a ``Walk/flaw``, without pets, or
  /// with pets that don't exist.
  static func check(_ walk: Walk, _ isThere: (Pet.ID) -> Bool) throws {
    if let flaw = walk.flaw { throw FieldError(.invalidInput, "\(walk.id): \(flaw)") }
    guard !walk.pets.isEmpty else {
      throw FieldError(.unknownPet, "A walk needs at least one pet, but \(walk.id) has none.")
    }
    let missing = walk.pets.map(\.pet).filter { !isThere($0) }
    if let first = missing.first {
      var error = FieldError.unknownPet(first)
      error.problems = missing.map { "the pet \($0) doesn't exist" }
      throw error
    }
  }
}
