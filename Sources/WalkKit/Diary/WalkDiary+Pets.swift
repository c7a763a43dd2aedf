internal import FieldCore
internal import FieldFoundation

extension WalkDiary {
  /// Returns the pets in the order of their registration.
  ///
  /// ```swift
  /// for pet in try await diary.pets() { print(pet.name, pet.breed as Any) }
  /// ```
  ///
  /// - Parameter archived: Pass `true` to include archived pets. Defaults to `false`.
  public func pets(includingArchived archived: Bool = false) async throws -> [Pet] {
    try await core.read("The pets can't be read.") {
      try await core.stored.pets().filter { archived || !$0.isArchived }
    }
  }

  /// Returns the pet with an ID, archived or not, or `nil` if there is none.
  ///
  /// ```swift
  /// if let pet = try await diary.pet(mesh.id) { print(pet.name, pet.isArchived) }
  /// ```
  public func pet(_ id: Pet.ID) async throws -> Pet? {
    try await pets(includingArchived: true).first { $0.id == id }
  }

  /// Returns an empty form for a new pet.
  ///
  /// If the rules require a day of birth, it is set to today in the diary's time zone, because a
  /// date picker always shows a day.
  public func registrationForm() -> PetRegistration {
    PetRegistration(name: "", birth: core.rules.required.contains(.birth) ? core.today : nil)
  }

  /// Registers a pet with its portrait and all other values, in one step.
  ///
  /// If several concurrent calls use the same name, only one succeeds. The name is checked before
  /// the portrait is stored, so a rejected registration leaves nothing behind.
  ///
  /// ```swift
  /// let mesh = try await diary.register(
  ///   PetRegistration(name: "mesh", breed: .welshCorgi, weight: .kilograms(10), photo: jpeg))
  /// print(mesh.id)
  /// ```
  ///
  /// - Throws: `FieldError` with the code `input.invalid`, whose `problems` lists everything that
  ///   is wrong in the order of the form (``PetRules`` returns the individual problems);
  ///   `walks.nameTaken` if another pet has the name; or the codes of the store. In each case,
  ///   nothing is stored.
  @discardableResult
  public func register(_ registration: PetRegistration) async throws -> Pet {
    try Self.check(
      core.rules.problems(of: registration, today: core.today), "This pet can't be registered.")
    return try await core.write("The pet can't be registered.") {
      let name = PetRules.trimmed(registration.name)
      try await requireFree(name, besides: nil)
      let lease = try await store(registration.photo)
      defer { lease?.end() }
      let id = core.newID(besides: try await core.stored.pets().map(\.id.rawValue))
      let pet = Pet(
        id: Pet.ID(rawValue: id), name: name, breed: registration.breed ?? .other,
        gender: registration.gender, birth: registration.birth, weight: registration.weight,
        photo: lease.map { WalkPhoto(id: .init(rawValue: $0.id.hexadecimal), blob: $0.id) },
        registered: core.clock.now)
      try await core.stored.add(pet)
      await core.stored.claim(Set(pet.blobs))
      return pet
    }
  }

  /// Changes individual fields of a pet; the others keep their current values.
  ///
  /// ```swift
  /// try await diary.update(mesh.id, PetChanges(weight: .kilograms(11)))
  /// ```
  ///
  /// - Returns: The changed pet.
  /// - Throws: `FieldError` with the code `input.invalid`, `walks.nameTaken`, or
  ///   `walks.unknownPet`, or a code of the store. In each case, nothing is changed.
  @discardableResult
  public func update(_ id: Pet.ID, _ changes: PetChanges) async throws -> Pet {
    try Self.check(
      core.rules.problems(of: changes, today: core.today), "The changes to the pet are invalid.")
    return try await core.write("The pet can't be changed.") {
      guard let before = try await core.stored.pets().first(where: { $0.id == id }) else {
        throw FieldError.unknownPet(id)
      }
      if let name = changes.name { try await requireFree(PetRules.trimmed(name), besides: id) }
      let lease = try await store(changes.photo)
      defer { lease?.end() }
      let photo = lease.map { WalkPhoto(id: .init(rawValue: $0.id.hexadecimal), blob: $0.id) }
      let isReplaced = photo != nil || changes.cleared.contains(.photo)
      let changed = try await core.stored.releasing(isReplaced ? Set(before.blobs) : []) {
        try await core.stored.updatePet(id) { pet in
          pet = changes.applied(to: pet)
          if let photo { pet.photo = photo }
        }
      }
      if isReplaced { await core.stored.claim(Set(changed.blobs)) }
      return changed
    }
  }

  /// Archives a pet: its walks are kept and its name stays taken, but it can't go for new walks.
  ///
  /// ```swift
  /// try await diary.archive(mesh.id)
  /// print(try await diary.pets().contains(mesh))  // false; its walks are kept
  /// ```
  @discardableResult
  public func archive(_ id: Pet.ID) async throws -> Pet { try await setArchived(id, true) }

  /// Restores an archived pet.
  @discardableResult
  public func unarchive(_ id: Pet.ID) async throws -> Pet { try await setArchived(id, false) }

  /// Deletes a pet and everything that belongs only to it.
  ///
  /// That includes its portrait, the walks that only it was on, and their photos and routes. Walks
  /// with other pets are kept for those.
  ///
  /// The records are deleted in one step, and then the bytes that nothing else refers to. In files,
  /// bytes of the last hour are deleted when the diary is opened later. A walk that is being
  /// recorded continues. If it has no other pet, it can't be saved, and remains as a draft that can
  /// be discarded.
  ///
  /// - Throws: `FieldError` with the code `walks.unknownPet` if there is no such pet, or a code of
  ///   the store. In each case, nothing is deleted.
  public func delete(_ id: Pet.ID) async throws {
    try await core.write("The pet can't be deleted.") {
      guard let pet = try await core.stored.pets().first(where: { $0.id == id }) else {
        throw FieldError.unknownPet(id)
      }
      let alone = try await core.allWalks(of: id, in: nil)
        .filter { $0.pets.allSatisfy { $0.pet == id } }
      let isGone = try await core.stored.releasing(Set(pet.blobs + alone.flatMap(\.blobs))) {
        try await core.stored.removePet(id)
      }
      guard isGone else { throw FieldError.unknownPet(id) }
      await forgetFetched([pet.photo].compactMap { $0 } + alone.flatMap(\.photos))
    }
  }

  // MARK: The selected pet

  /// Returns the pet that the owner has selected.
  ///
  /// If none is selected, or if the selected pet was deleted or archived, the first pet is
  /// returned.
  ///
  /// ```swift
  /// if let pet = try await diary.selectedPet() { print(pet.name) }
  /// ```
  ///
  /// - Returns: The pet, or `nil` if there is no pet that isn't archived.
  public func selectedPet() async throws -> Pet? {
    try await core.read("The selected pet can't be read.") {
      let pets = try await core.stored.pets().filter { !$0.isArchived }
      let chosen = try await core.stored.selectedPet()
      return pets.first { $0.id == chosen } ?? pets.first
    }
  }

  /// Selects a pet persistently.
  ///
  /// ```swift
  /// try await diary.select(mesh.id)
  /// print(try await diary.selectedPet()?.name ?? "none")
  /// ```
  ///
  /// - Throws: `FieldError` with the code `walks.unknownPet` or `walks.petArchived`.
  public func select(_ id: Pet.ID) async throws {
    try await core.read("The selected pet can't be stored.") {
      _ = try await core.requireActive([id])
      try await core.stored.select(id)
    }
  }

  // MARK: Helpers

  private func setArchived(_ id: Pet.ID, _ isArchived: Bool) async throws -> Pet {
    try await core.read("The pet can't be changed.") {
      try await core.stored.updatePet(id) { $0.isArchived = isArchived }
    }
  }

  private func requireFree(_ name: String, besides id: Pet.ID?) async throws {
    let key = Pet.nameKey(of: name)
    if try await core.stored.pets().contains(where: { $0.id != id && $0.nameKey == key }) {
      throw FieldError.nameTaken(name)
    }
  }

  private func store(_ photo: Data?) async throws -> BlobLease? {
    guard let photo else { return nil }
    return try await core.stored.blobs.put([UInt8](photo))
  }

  private static func check(_ problems: [PetProblem], _ message: String) throws {
    guard !problems.isEmpty else { return }
    let list = problems.map(\.description)
    throw FieldError(.invalidInput, "\(message): \(list.joined(separator: "; "))", problems: list)
  }
}
