internal import FieldCore

extension StoredWalks {
  /// Adds the new records of a batch in one commit.
  @concurrent
  package func add(_ batch: WalkBatch) async throws -> WalkBatch {
    try await changing { snapshot, changes in
      var added = WalkBatch()
      var keys = Set(Self.pets(in: snapshot).map(\.nameKey))
      var ids: Set<String> = []
      func isNew(_ id: String) -> Bool { snapshot[id: id] == nil && ids.insert(id).inserted }
      for pet in batch.pets where isNew(WalkRecord.id(of: pet.id)) {
        try Self.check(pet)
        guard keys.insert(pet.nameKey).inserted else { throw FieldError.nameTaken(pet.name) }
        changes.upsert(WalkRecord(.pet(pet)))
        added.pets.append(pet)
      }
      for walk in batch.walks where isNew(WalkRecord.id(of: walk.id)) {
        try Self.check(walk) {
          let id = WalkRecord.id(of: $0)
          return snapshot[id: id] != nil || ids.contains(id)
        }
        changes.upsert(WalkRecord(.walk(walk)))
        added.walks.append(walk)
      }
      var hasHome = Self.places(in: snapshot).contains { $0.kind == .home }
      for place in batch.places where isNew(WalkRecord.id(of: place.id)) {
        // An existing home is kept.
        if place.kind == .home, hasHome { continue }
        hasHome = hasHome || place.kind == .home
        changes.upsert(WalkRecord(.place(place)))
        added.places.append(place)
      }
      for (alias, pet) in batch.aliases {
        let record = WalkRecord(.alias(alias, of: pet))
        if snapshot[id: record.id] != record { changes.upsert(record) }
      }
      return added
    }
  }

  /// Returns the aliases of pets in imported documents.
  @concurrent
  package func aliases() async throws -> [Pet.ID: Pet.ID] {
    try await snapshot().aliases.reduce(into: [:]) { $0[$1.alias] = $1.pet }
  }
}
