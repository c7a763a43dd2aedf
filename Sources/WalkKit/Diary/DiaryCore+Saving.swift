internal import FieldCore

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
