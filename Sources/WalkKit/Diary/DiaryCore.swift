internal import FieldCore
internal import FieldFoundation

/// What the parts of a diary share.
final class DiaryCore: Sendable {
  let backend: WalkBackend
  let assets: AssetCache
  let clock: any FieldClock
  let rules: PetRules
  let zone: FixedZone
  let conditions: WalkConditions
  private let random: @Sendable () -> Double
  /// One at a time stores what consists of bytes and a record, or removes such: so the name of a pet
  /// is decided before its portrait is stored, and no bytes go that a record is about to refer to.
  private let writing = AsyncLock()
  let engine: KitEngine

  init(
    backend: WalkBackend, assets: AssetCache, clock: any FieldClock, rules: PetRules,
    zone: FixedZone, conditions: WalkConditions, random: @escaping @Sendable () -> Double
  ) {
    self.backend = backend
    self.assets = assets
    self.clock = clock
    self.rules = rules
    self.zone = zone
    self.conditions = conditions
    self.random = random
    engine = Self.engine(of: backend, clock: clock)
  }

  /// The engine of a backend, which has its own stores: it opens and closes them by hooks.
  private static func engine(of backend: WalkBackend, clock: any FieldClock) -> KitEngine {
    var hooks = KitEngine.Hooks()
    hooks.opened = {
      let report = try await backend.lifetime.open()
      do {
        try await Self.sweepBlobs(of: backend)
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        // What can't be removed now is removed at a later opening. A diary on a full or protected device
        // is read all the same.
      }
      return report
    }
    hooks.closing = { try await backend.lifetime.close() }
    let parts = [backend.source].compactMap(\.self).map { source in
      RefreshPart("walks", policy: .always) {
        RefreshPart.Status(lastSuccess: try await source.lastRefresh)
      } schedule: {
        try await source.nextRefreshDate
      } work: {
        try await source.refresh($0.trigger)
      }
    }
    return KitEngine(
      "walks", dataSources: [backend.source?.dataSource].compactMap(\.self), stores: [],
      clock: clock, parts: parts, hooks: hooks)
  }

  var today: CalendarDay { CalendarDay(clock.now, in: zone) }

  /// A text that no other id has: 128 bits by chance.
  func newID() -> String {
    var text = ""
    for _ in 0..<4 {
      let number = random()
      let part = number.isFinite ? UInt32(min(max(number, 0), 1) * Double(UInt32.max)) : 0
      let digits = String(part, radix: 16)
      text += String(repeating: "0", count: 8 - digits.count) + digits
    }
    return text
  }

  /// An id that none of these is: a source of chance that begins anew with each start draws the same
  /// ones again.
  func newID(besides taken: some Sequence<String>) -> String {
    let taken = Set(taken)
    var id = newID()
    while taken.contains(id) { id += "-\(newID())" }
    return id
  }

  // MARK: Removing

  private static func sweepBlobs(
    of backend: WalkBackend, releasing ids: Set<BlobID> = []
  ) async throws {
    let lifetime = backend.lifetime
    try await backend.blobs.sweepUnclaimed(releasing: ids) {
      let blobs = try await lifetime.blobsInUse()
      // Asked last: a part is set aside before it is cut off.
      return try await lifetime.open().hasUnreadParts ? nil : blobs
    }
  }

  /// Removes everything, even if the records can't be read.
  func eraseAll() async throws {
    try await writing.withLock {
      let lifetime = backend.lifetime
      var blobs: Set<BlobID> = []
      do {
        blobs = try await lifetime.blobsInUse()
      } catch let error as FieldError where error.isUnreadableStore {}
      try await releasing(Array(blobs)) { try await lifetime.eraseAll() }
      for blob in blobs { try await backend.blobs.remove(blob) }
      // Blobs whose records are lost are claimed and known to nobody else.
      try await backend.blobs.sweep(keepingThoseOf: { try await lifetime.blobsInUse() })
      try await assets.removeAll()
    }
  }

  // MARK: Running

  /// Reads something; what a repository of an app's own throws becomes the underlying error.
  func read<Result: Sendable>(
    _ message: String, _ body: () async throws -> Result
  ) async throws -> Result {
    try await engine.openIfNeeded()
    return try await FieldError.wrapping(message, body)
  }

  /// Changes something that has bytes; one at a time.
  func write<Result: Sendable>(
    _ message: String, _ body: () async throws -> Result
  ) async throws -> Result {
    try await engine.openIfNeeded()
    return try await writing.withLock { try await FieldError.wrapping(message, body) }
  }

  /// Runs what removes or replaces records, and then removes those of their blobs that nothing refers to
  /// any more.
  ///
  /// They are swept and not removed one by one: a sweep spares what is on lease, and in files what is so
  /// young that another process may be about to refer to it. That goes at a later opening, as does what
  /// cannot be removed just now; the records are what counts.
  func releasing<Result: Sendable>(
    _ blobs: [BlobID], _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      // So that they go even if this process dies in between.
      try await backend.blobs.release(Set(blobs))
    } catch {}
    let result: Result
    do {
      result = try await body()
    } catch {
      await claim(blobs)
      throw error
    }
    do {
      try await Self.sweepBlobs(of: backend, releasing: Set(blobs))
    } catch {}
    return result
  }

  /// Notes that the records of these blobs are durable. If that fails, the next sweep does it.
  func claim(_ blobs: [BlobID]) async {
    do {
      try await backend.blobs.claim(Set(blobs))
    } catch {}
  }

  /// The same for blobs of which only some may be in use.
  func claimIfInUse(_ blobs: [BlobID]) async {
    do {
      let used = try await backend.lifetime.blobsInUse()
      try await backend.blobs.claim(used.intersection(blobs))
    } catch {}
  }

  /// Throws unless all of these pets are there and not archived.
  func requireActive(_ ids: [Pet.ID]) async throws {
    let pets = Dictionary(
      try await backend.pets.pets().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for id in ids {
      guard let pet = pets[id] else { throw FieldError.unknownPet(id) }
      if pet.isArchived {
        throw FieldError(.petArchived, "\(pet.name) is archived; take it back with unarchive first")
      }
    }
  }

  /// All walks of a pet and a period, the newest first.
  func allWalks(of pet: Pet.ID?, in period: Range<Date>?) async throws -> [Walk] {
    var query = WalkQuery(pet: pet, period: period, limit: 1_000)
    var walks: [Walk] = []
    repeat {
      let page = try await backend.walks.walks(query)
      walks += page.walks
      query.after = page.next
    } while query.after != nil
    return walks
  }
}
