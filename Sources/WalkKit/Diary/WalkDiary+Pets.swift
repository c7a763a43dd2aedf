internal import FieldCore
internal import FieldFoundation

extension WalkDiary {
  /// The pets, the one that was registered first at the front.
  ///
  /// - Parameter archived: Whether those that were put aside are among them.
  public func pets(includingArchived archived: Bool = false) async throws -> [Pet] {
    try await core.read("the pets cannot be read") {
      try await core.backend.pets.pets().filter { archived || !$0.isArchived }
    }
  }

  /// The pet of this id, archived or not; nil when there is none.
  public func pet(_ id: Pet.ID) async throws -> Pet? {
    try await pets(includingArchived: true).first { $0.id == id }
  }

  /// Returns an empty form for a new pet.
  ///
  /// If the rules require a day of birth, it is today in the diary's zone, because a date picker shows a day
  /// from the start.
  public func registrationForm() -> PetRegistration {
    PetRegistration(name: "", birth: core.rules.required.contains(.birth) ? core.today : nil)
  }

  /// Registers a pet: its portrait and all that is said about it, as one step.
  ///
  /// Of any number of calls that want one name at a time, one succeeds. The name is decided before the
  /// portrait is stored, so a registration that is refused leaves nothing behind.
  ///
  /// - Throws: `FieldError` with the code `invalidInput` whose `problems` are all that is wrong, in the
  ///   order of the form (``PetRules`` gives them one by one);
  ///   `nameTaken` when another pet has the name; the codes of the store. Nothing is stored then.
  @discardableResult
  public func register(_ registration: PetRegistration) async throws -> Pet {
    try Self.check(
      core.rules.problems(of: registration, today: core.today), "this pet cannot be registered")
    return try await core.write("the pet cannot be registered") {
      let name = PetRules.trimmed(registration.name)
      try await requireFree(name, besides: nil)
      let lease = try await store(registration.photo)
      defer { lease?.end() }
      let id = core.newID(besides: try await core.backend.pets.pets().map(\.id.rawValue))
      let pet = Pet(
        id: Pet.ID(rawValue: id), name: name, breed: registration.breed ?? .other,
        gender: registration.gender, birth: registration.birth, weight: registration.weight,
        photo: lease.map { WalkPhoto(id: .init(rawValue: $0.id.hexadecimal), blob: $0.id) },
        registered: core.clock.now)
      try await core.backend.pets.add(pet)
      await core.claim(pet.blobs)
      return pet
    }
  }

  /// Changes single fields of a pet; the others stay as they are at that moment.
  ///
  /// - Returns: The pet as it is now.
  /// - Throws: `FieldError` with the code `invalidInput`, `nameTaken` or `unknownPet`, or of the store.
  ///   Nothing is changed then.
  @discardableResult
  public func update(_ id: Pet.ID, _ changes: PetChanges) async throws -> Pet {
    try Self.check(
      core.rules.problems(of: changes, today: core.today), "the pet cannot be changed like this")
    return try await core.write("the pet cannot be changed") {
      guard let before = try await core.backend.pets.pets().first(where: { $0.id == id }) else {
        throw FieldError.unknownPet(id)
      }
      if let name = changes.name { try await requireFree(PetRules.trimmed(name), besides: id) }
      let lease = try await store(changes.photo)
      defer { lease?.end() }
      let photo = lease.map { WalkPhoto(id: .init(rawValue: $0.id.hexadecimal), blob: $0.id) }
      let backend = core.backend
      func change() async throws -> Pet {
        try await backend.pets.update(id) { pet in
          pet = changes.applied(to: pet)
          if let photo { pet.photo = photo }
        }
      }
      guard photo != nil || changes.cleared.contains(.photo) else { return try await change() }
      let changed = try await core.releasing(before.blobs) { try await change() }
      await core.claim(changed.blobs)
      return changed
    }
  }

  /// Puts a pet aside: its walks stay, and it goes for no new ones. Its name stays taken.
  @discardableResult
  public func archive(_ id: Pet.ID) async throws -> Pet { try await setArchived(id, true) }

  /// Takes a pet back that was put aside.
  @discardableResult
  public func unarchive(_ id: Pet.ID) async throws -> Pet { try await setArchived(id, false) }

  /// Deletes a pet with all that belongs to it alone: its portrait, the walks that only it was on, their
  /// photos and routes. Walks with other pets stay, and are theirs.
  ///
  /// The records go in one step, and then the bytes that nothing else refers to; in files those of the
  /// last hour go when the diary is opened later. A walk that is being recorded goes on; without another pet it cannot be
  /// saved, and waits as a draft to be discarded.
  ///
  /// - Throws: `FieldError` with the code `unknownPet` when there is no such pet, or of the store;
  ///   nothing is deleted then.
  public func delete(_ id: Pet.ID) async throws {
    try await core.write("the pet cannot be deleted") {
      guard let pet = try await core.backend.pets.pets().first(where: { $0.id == id }) else {
        throw FieldError.unknownPet(id)
      }
      let alone = try await core.allWalks(of: id, in: nil)
        .filter { $0.pets.allSatisfy { $0.pet == id } }
      let isGone = try await core.releasing(pet.blobs + alone.flatMap(\.blobs)) {
        try await core.backend.pets.remove(id)
      }
      guard isGone else { throw FieldError.unknownPet(id) }
      await forgetFetched([pet.photo].compactMap { $0 } + alone.flatMap(\.photos))
    }
  }

  // MARK: The selected pet

  /// The pet that the owner has chosen; the first one when none was chosen, or it is gone or archived.
  ///
  /// - Returns: Nil when there is no pet: it is time to register one.
  public func selectedPet() async throws -> Pet? {
    try await core.read("the selected pet cannot be read") {
      let pets = try await core.backend.pets.pets().filter { !$0.isArchived }
      let chosen = try await core.backend.settings.selectedPet()
      return pets.first { $0.id == chosen } ?? pets.first
    }
  }

  /// Chooses a pet; the choice is there again after a restart.
  ///
  /// - Throws: `FieldError` with the code `unknownPet` or `petArchived`.
  public func select(_ id: Pet.ID) async throws {
    try await core.read("the selected pet cannot be kept") {
      _ = try await core.requireActive([id])
      try await core.backend.settings.select(id)
    }
  }

  // MARK: Helpers

  private func setArchived(_ id: Pet.ID, _ isArchived: Bool) async throws -> Pet {
    try await core.read("the pet cannot be changed") {
      try await core.backend.pets.update(id) { $0.isArchived = isArchived }
    }
  }

  private func requireFree(_ name: String, besides id: Pet.ID?) async throws {
    let key = Pet.nameKey(of: name)
    if try await core.backend.pets.pets().contains(where: { $0.id != id && $0.nameKey == key }) {
      throw FieldError.nameTaken(name)
    }
  }

  private func store(_ photo: Data?) async throws -> BlobLease? {
    guard let photo else { return nil }
    return try await core.backend.blobs.put([UInt8](photo))
  }

  private static func check(_ problems: [PetProblem], _ message: String) throws {
    guard !problems.isEmpty else { return }
    let list = problems.map(\.description)
    throw FieldError(
      .invalidInput, "\(message): \(list.joined(separator: "; "))", problems: list)
  }
}
