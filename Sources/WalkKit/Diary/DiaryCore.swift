internal import FieldCore
internal import FieldFoundation

/// The state that the parts of a diary share.
final class DiaryCore: Sendable {
  let stored: StoredWalks
  let assets: AssetCache
  let clock: any FieldClock
  let rules: PetRules
  let zone: FixedZone
  let conditions: WalkConditions
  private let random: @Sendable () -> Double
  /// A lock for storing or removing records together with their bytes. The name of a pet is decided
  /// before its portrait is stored, and bytes that a record is about to refer to aren't removed.
  private let writing = AsyncLock()
  let engine: KitEngine

  init(
    stored: StoredWalks, refresh: WalkRefresh?, assets: AssetCache, clock: any FieldClock,
    rules: PetRules, zone: FixedZone, conditions: WalkConditions, observer: FieldObserver?,
    random: @escaping @Sendable () -> Double
  ) {
    self.stored = stored
    self.assets = assets
    self.clock = clock
    self.rules = rules
    self.zone = zone
    self.conditions = conditions
    self.random = random
    var hooks = KitEngine.Hooks()
    hooks.opened = {
      do {
        try await stored.sweepBlobs()
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        // Blobs that can't be removed now are removed the next time. A diary on a full or read-only
        // disk can still be read.
      }
    }
    engine = KitEngine(
      "walks", dataSources: [refresh?.dataSource].compactMap(\.self), stores: [stored.store],
      clock: clock, parts: [refresh?.part].compactMap(\.self), hooks: hooks,
      observer: observer)
  }

  var today: CalendarDay { CalendarDay(clock.now, in: zone) }

  /// Returns a random ID of 128 bits.
  func newID() -> String {
    let parts = (0..<4).map { _ in
      let number = random()
      let part = number.isFinite ? UInt32(min(max(number, 0), 1) * Double(UInt32.max)) : 0
      return part.digits(8, radix: 16)
    }
    return parts.joined()
  }

  /// Returns an ID that isn't among the given ones, because a random source that starts over with
  /// each launch draws the same IDs again.
  func newID(besides taken: some Sequence<String>) -> String {
    let taken = Set(taken)
    var id = newID()
    while taken.contains(id) { id += "-\(newID())" }
    return id
  }

  // MARK: Removing

  /// Removes everything, even if the records can't be read.
  func eraseAll() async throws {
    try await writing.withLock {
      var blobs: Set<BlobID> = []
      do {
        blobs = try await stored.blobsInUse()
      } catch let error as FieldError where error.isUnreadableStore {}
      try await stored.releasing(blobs) { try await stored.store.eraseAll() }
      try await stored.makeDurable()
      for blob in blobs { try await stored.blobs.remove(blob) }
      // Blobs whose records are lost are claimed, but nothing else refers to them.
      try await stored.blobs.sweep(keepingThoseOf: { try await stored.blobsInUse() })
      try await assets.removeAll()
    }
  }

  // MARK: Running

  /// Reads something, wrapping errors that an app's own store throws.
  func read<Result: Sendable>(
    _ message: String, _ body: () async throws -> Result
  ) async throws -> Result {
    try await engine.openIfNeeded()
    return try await FieldError.wrapping(message, body)
  }

  /// Changes something that has bytes, one call at a time.
  func write<Result: Sendable>(
    _ message: String, _ body: () async throws -> Result
  ) async throws -> Result {
    try await engine.openIfNeeded()
    return try await writing.withLock { try await FieldError.wrapping(message, body) }
  }

  /// Throws unless all pets exist and none is archived.
  func requireActive(_ ids: [Pet.ID]) async throws {
    let pets = try await stored.pets()
    for id in ids {
      guard let pet = pets.first(where: { $0.id == id }) else { throw FieldError.unknownPet(id) }
      if pet.isArchived {
        throw FieldError(.petArchived, "\(pet.name) is archived. Call unarchive first.")
      }
    }
  }

  func allWalks(of pet: Pet.ID?, in period: Range<Date>?) async throws -> [Walk] {
    var query = WalkQuery(pet: pet, period: period, limit: 1_000)
    var walks: [Walk] = []
    repeat {
      let page = try await stored.walks(query)
      walks += page.walks
      query.after = page.next
    } while query.after != nil
    return walks
  }
}

// MARK: - Saving

extension DiaryCore: WalkSaving {
  /// Stores photos and route, and then the walk that refers to them, completely or not at all.
  ///
  /// Until the walk is stored, its bytes are on lease; if it isn't, they are swept afterward. Pets
  /// that were deleted in the meantime are removed from the walk, as long as another pet remains.
  @concurrent
  func save(_ finished: FinishedWalk) async throws -> Walk {
    try await engine.openIfNeeded()
    if let saved = try await durableWalk(finished.walk.id) { return saved }
    var walk = await conditions.completed(
      finished.walk, at: finished.route.start?.coordinate, clock: clock)
    return try await write("The walk can't be saved.") {
      var leases: [BlobLease] = []
      defer { for lease in leases { lease.end() } }
      walk.photos = []
      for draft in finished.photos {
        var photo = WalkPhoto(
          id: draft.id, takenAt: draft.takenAt, coordinate: draft.coordinate)
        if let bytes = try await finished.bytes(of: draft) {
          let lease = try await stored.blobs.put(bytes)
          leases.append(lease)
          photo.blob = lease.id
        }
        walk.photos.append(photo)
      }
      if !finished.route.isEmpty {
        let lease = try await stored.blobs.put(finished.route.encoded())
        leases.append(lease)
        walk.routeBlob = lease.id
      }
      let saved = try await store(walk)
      // The store may defer its syncs.
      try await stored.makeDurable()
      await stored.claim(Set(saved.blobs))
      return saved
    }
  }

  func admit(_ pets: [Pet.ID]) async throws {
    try await read("The pets can't be read.") { try await requireActive(pets) }
  }

  @concurrent
  func savedWalk(_ id: Walk.ID) async throws -> Walk? {
    try await read("The walk can't be read.") { try await stored.walk(id) }
  }

  func durableWalk(_ id: Walk.ID) async throws -> Walk? {
    guard try await savedWalk(id) != nil else { return nil }
    return try await read("The walk can't be synced.") {
      try await stored.makeDurable()
      // A commit that failed in another process may have been undone in the meantime.
      return try await stored.walk(id)
    }
  }

  private func store(_ walk: Walk) async throws -> Walk {
    var walk = walk
    while true {
      do {
        return try await stored.save(walk)
      } catch let error as FieldError where error.code == .unknownPet {
        let there = Set(try await stored.pets().map(\.id))
        let left = walk.pets.filter { there.contains($0.pet) }
        // Trying again with the same pets would fail in the same way.
        guard !left.isEmpty, left.count < walk.pets.count else { throw error }
        walk.pets = left
        for place in walk.notes.indices {
          if let pet = walk.notes[place].pet, !there.contains(pet) { walk.notes[place].pet = nil }
        }
      }
    }
  }
}
