internal import FieldCore

extension StoredWalks {
  /// Returns all pets in the order of their registration.
  @concurrent
  package func pets() async throws -> [Pet] { Self.pets(in: try await snapshot()) }

  /// Adds a pet; its name is checked in the commit that adds it.
  @concurrent
  package func add(_ pet: Pet) async throws {
    try await changing { snapshot, changes in
      if let present = snapshot[id: WalkRecord.id(of: pet.id)]?.pet {
        guard present == pet else {
          throw FieldError(.conflict, "There is already a pet with the ID \(pet.id).")
        }
        return
      }
      try Self.check(pet)
      try Self.requireFree(pet, among: Self.pets(in: snapshot))
      changes.upsert(WalkRecord(.pet(pet)))
    }
  }

  /// Changes a pet and returns it.
  @concurrent
  @discardableResult
  package func updatePet(
    _ id: Pet.ID, _ change: @Sendable (inout Pet) throws -> Void
  ) async throws -> Pet {
    try await changing { snapshot, changes in
      guard let before = snapshot[id: WalkRecord.id(of: id)]?.pet else {
        throw FieldError.unknownPet(id)
      }
      var pet = before
      try change(&pet)
      pet.id = before.id
      pet.registered = before.registered
      guard pet != before else { return pet }
      try Self.check(pet)
      try Self.requireFree(pet, among: Self.pets(in: snapshot))
      changes.upsert(WalkRecord(.pet(pet)))
      return pet
    }
  }

  /// Removes a pet and everything that belongs only to it, in one commit.
  @concurrent
  @discardableResult
  package func removePet(_ id: Pet.ID) async throws -> Bool {
    try await changing { snapshot, changes in
      guard snapshot[id: WalkRecord.id(of: id)] != nil else { return false }
      changes.remove(WalkRecord.id(of: id))
      for case .walk(var walk) in snapshot.lazy.map(\.content) where walk.includes(id) {
        walk.pets.removeAll { $0.pet == id }
        for place in walk.notes.indices where walk.notes[place].pet == id {
          walk.notes[place].pet = nil
        }
        if walk.pets.isEmpty {
          changes.remove(WalkRecord.id(of: walk.id))
        } else {
          changes.upsert(WalkRecord(.walk(walk)))
        }
      }
      for (alias, pet) in snapshot.aliases where pet == id {
        changes.remove(WalkRecord.id(ofAlias: alias))
      }
      if case .choice(id)? = snapshot[id: WalkRecord.choice]?.content {
        changes.remove(WalkRecord.choice)
      }
      return true
    }
  }

  static func pets(in snapshot: Snapshot<WalkRecord>) -> [Pet] {
    snapshot.all(.pet, \.pet)
      .sorted { ($0.registered, $0.id.rawValue) < ($1.registered, $1.id.rawValue) }
  }

  /// Throws for a pet that a diary can't contain, which is one with a ``Pet/flaw``.
  static func check(_ pet: Pet) throws {
    if let flaw = pet.flaw { throw FieldError(.invalidInput, "\(pet.id): \(flaw)") }
  }

  static func requireFree(_ pet: Pet, among pets: [Pet]) throws {
    let key = pet.nameKey
    if pets.contains(where: { $0.id != pet.id && $0.nameKey == key }) {
      throw FieldError.nameTaken(pet.name)
    }
  }
}

extension FieldError {
  static func unknownPet(_ id: Pet.ID) -> FieldError {
    FieldError(.unknownPet, "There is no pet with the ID \(id). It may have been deleted.")
  }

  static func nameTaken(_ name: String) -> FieldError {
    let message = "There is already a pet named \"\(name)\". Choose another name."
    return FieldError(
      .nameTaken, message, problems: [PetProblem(.name, "another pet has it").description])
  }

  static func unknownWalk(_ id: Walk.ID) -> FieldError {
    FieldError(.unknownWalk, "There is no walk with the ID \(id). It may have been deleted.")
  }
}
