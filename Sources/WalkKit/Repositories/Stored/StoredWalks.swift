package import FieldCore

/// The pets, walks, places, and settings of a diary in its store, and the rules that each commit keeps.
///
/// Related records are changed in one commit, and checked against the content that it changes. Commits of
/// other processes are visible to the next call.
package final class StoredWalks: Sendable {
  /// The name of the stores in a `Storage`.
  package static let storeName = "walks"

  package let store: any WalkRepository
  /// The store for the bytes of photos and routes.
  package let blobs: any BlobStore
  private let newest = Lock<WalkView?>(nil)

  package init(store: any WalkRepository, blobs: any BlobStore = InMemoryBlobStore()) {
    self.store = store
    self.blobs = blobs
  }

  /// Creates the content of a storage, in its stores of the name ``storeName``.
  package convenience init(storage: Storage) {
    self.init(store: storage.store(Self.storeName), blobs: storage.blobStore(Self.storeName))
  }

  func snapshot() async throws -> Snapshot<WalkRecord> { try await store.snapshot() }

  /// Returns the current content with the order of its walks, which follows the changes.
  func view() async throws -> WalkView {
    let snapshot = try await snapshot()
    let last = newest.withLock { $0 }
    if let last, last.snapshot.revision == snapshot.revision { return last }
    let view = WalkView(snapshot, after: last)
    newest.withLock { newest in
      // Another call may have stored a newer view in the meantime.
      if let newest, newest.snapshot.revision > snapshot.revision { return }
      newest = view
    }
    return view
  }

  func changing<Result>(
    _ body: (Snapshot<WalkRecord>, inout Changes<WalkRecord>) throws -> Result
  ) async throws -> Result {
    try await store.updating { snapshot, changes, _ in try body(snapshot, &changes) }
  }

  /// Removes one record, or returns `false` if it doesn't exist.
  func removeRecord(_ id: String) async throws -> Bool {
    try await changing { snapshot, changes in
      guard snapshot[id: id] != nil else { return false }
      changes.remove(id)
      return true
    }
  }

  /// Syncs the store to the device.
  package func makeDurable() async throws { _ = try await store.durableSnapshot() }

  /// Returns the blobs that records refer to, after syncing the records to the device.
  @concurrent
  package func blobsInUse() async throws -> Set<BlobID> {
    var ids: Set<BlobID> = []
    for record in try await store.durableSnapshot() { record.forEachBlob { ids.insert($0) } }
    return ids
  }

  /// Returns the changes as they happen.
  package func updates() -> WalkDiaryUpdates {
    SnapshotUpdates(following: { [store] in store.updates() })
      .scan(nil) { (last: inout Snapshot<WalkRecord>?, snapshot) in
        guard let change = WalkDiaryChange(from: last, to: snapshot) else { return nil }
        last = snapshot
        return change
      }
  }

  // MARK: Blobs

  /// Runs a closure that removes or replaces records, and then removes those of their blobs that
  /// nothing refers to anymore.
  ///
  /// The blobs are swept instead of being removed individually. A sweep spares blobs that are on
  /// lease and, in files, recent ones that another process may be about to refer to. Those are
  /// removed at a later opening, and so is anything that can't be removed now. Only the records
  /// matter.
  package func releasing<Result: Sendable>(
    _ ids: Set<BlobID>, _ body: () async throws -> Result
  ) async throws -> Result {
    guard !ids.isEmpty else { return try await body() }
    // Releases the blobs first, so that they are removed even if this process is killed in between.
    // If that fails, they stay, or the sweep below releases them.
    try? await blobs.release(ids)
    let result: Result
    do {
      result = try await body()
    } catch {
      await claim(ids)
      throw error
    }
    try? await sweepBlobs(releasing: ids)
    return result
  }

  /// Claims blobs whose records are durable. If that fails, the next sweep does it.
  package func claim(_ ids: Set<BlobID>) async { try? await blobs.claim(ids) }

  /// Removes the blobs that no record refers to any longer.
  package func sweepBlobs(releasing ids: Set<BlobID> = []) async throws {
    try await blobs.sweepUnclaimed(releasing: ids) {
      // Opened first, because a failed commit may have reappeared.
      _ = try await store.open()
      let blobs = try await blobsInUse()
      // Call this last, because a part is set aside before it is cut off.
      return try await store.open().hasUnreadParts ? nil : blobs
    }
  }
}

// MARK: - Batches

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

// MARK: - Pets

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

// MARK: - Places

extension StoredWalks {
  /// Returns all places, sorted by name.
  @concurrent
  package func places() async throws -> [Place] { Self.places(in: try await snapshot()) }

  /// Adds or replaces a place; there is one home at most.
  @concurrent
  package func save(_ place: Place) async throws {
    try await changing { snapshot, changes in
      if place.kind == .home {
        for other in Self.places(in: snapshot) where other.kind == .home && other.id != place.id {
          changes.remove(WalkRecord.id(of: other.id))
        }
      }
      changes.upsert(WalkRecord(.place(place)))
    }
  }

  /// Removes a place.
  @concurrent
  @discardableResult
  package func removePlace(_ id: Place.ID) async throws -> Bool {
    try await removeRecord(WalkRecord.id(of: id))
  }

  static func places(in snapshot: Snapshot<WalkRecord>) -> [Place] {
    snapshot.all(.place, \.place).sorted { ($0.name, $0.id.rawValue) < ($1.name, $1.id.rawValue) }
  }
}

extension StoredWalks {
  /// Returns the pet that was selected last.
  @concurrent
  package func selectedPet() async throws -> Pet.ID? {
    guard case .choice(let pet)? = try await snapshot()[id: WalkRecord.choice]?.content else {
      return nil
    }
    return pet
  }

  /// Stores the selected pet.
  @concurrent
  package func select(_ pet: Pet.ID?) async throws {
    try await store.commit(
      Changes(upserting: [WalkRecord(.choice(pet))]), checkpoint: nil, expecting: nil)
  }
}

// MARK: - Walks

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
