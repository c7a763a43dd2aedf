internal import FieldCore
internal import FieldFoundation

extension WalkBackend {
  /// Returns this backend with an in-memory cache of pets and walks, for a backend on a server.
  ///
  /// A history is requested once, and again only after it has changed. Saving, changing, or
  /// removing a walk through this backend invalidates the pages of its own pets and no others.
  /// Changes by others appear after a refresh.
  ///
  /// - Parameter limit: The maximum number of cached pages, of which the oldest are removed first.
  ///   Defaults to 200.
  public func cachingReads(limit: Int = 200) -> WalkBackend {
    let cache = CachedWalks(base: self, limit: limit)
    var backend = self
    backend.pets = cache
    backend.walks = cache
    backend.batches = cache
    backend.lifetime = cache
    if let source { backend.source = CachedWalks.Source(base: source, cache: cache) }
    return backend
  }
}

/// Repositories that cache the results of others.
///
/// During a change, nothing is returned from the cache and nothing is added to it. Observers may
/// learn of a change before the call returns, and must then read the current state.
final class CachedWalks: Sendable, PetRepository, WalkRepository, WalkBatchRepository {
  private struct State: Sendable {
    var changeCount = 0
    /// A counter that increases at the beginning and end of each change, so that results requested
    /// before aren't cached.
    var generation = 0
    var pets: [Pet]?
    var pages: [WalkQuery: WalkPage] = [:]
    /// The queries of the pages, oldest first.
    var order: [WalkQuery] = []

    mutating func expireAll() {
      pets = nil
      (pages, order) = ([:], [])
    }

    /// Removes the pages of the pets, and those of all walks.
    mutating func expireWalks(of pets: Set<Pet.ID>) {
      order.removeAll { $0.pet.map(pets.contains) ?? true }
      let kept = Set(order)
      pages = pages.filter { kept.contains($0.key) }
    }

    /// Removes the pages of all pets named on cached pages with this walk; no others can contain it.
    mutating func expire(_ id: Walk.ID) {
      var pets: Set<Pet.ID> = []
      for (query, page) in pages {
        guard let walk = page.walks.first(where: { $0.id == id }) else { continue }
        pets.formUnion(walk.pets.map(\.pet))
        if let pet = query.pet { pets.insert(pet) }
      }
      expireWalks(of: pets)
    }
  }

  private let base: WalkBackend
  private let limit: Int
  private let state = Lock(State())

  init(base: WalkBackend, limit: Int) {
    self.base = base
    self.limit = max(limit, 1)
  }

  /// Makes a change and invalidates the affected part of the cache, even if the change fails,
  /// because it may have been partly made.
  private func changing<Result>(
    _ expire: (inout State) -> Void, _ body: () async throws -> Result
  ) async throws -> Result {
    state.withLock { state in
      state.changeCount += 1
      state.generation += 1
    }
    defer {
      state.withLock { state in
        state.changeCount -= 1
        state.generation += 1
        expire(&state)
      }
    }
    return try await body()
  }

  /// Returns the cached value, or reads it and caches it unless something changed in the meantime.
  private func kept<Value>(
    _ known: (State) -> Value?, orRead read: () async throws -> Value,
    keeping keep: (inout State, Value) -> Void
  ) async throws -> Value {
    let (value, generation) = state.withLock { state in
      (state.changeCount == 0 ? known(state) : nil, state.generation)
    }
    if let value { return value }
    let new = try await read()
    state.withLock { state in
      if state.generation == generation, state.changeCount == 0 { keep(&state, new) }
    }
    return new
  }

  /// A source that invalidates the cache after each refresh.
  struct Source: WalkRefreshing {
    let base: any WalkRefreshing
    let cache: CachedWalks

    var dataSource: DataSource { base.dataSource }

    var nextRefreshDate: Date { get async throws { try await base.nextRefreshDate } }

    var lastRefresh: Date? { get async throws { try await base.lastRefresh } }

    func refresh(_ when: RefreshTrigger) async throws -> RefreshReport {
      try await cache.changing({ $0.expireAll() }) { try await base.refresh(when) }
    }
  }

  func pets() async throws -> [Pet] {
    try await kept(\.pets, orRead: base.pets.pets) { $0.pets = $1 }
  }

  func add(_ pet: Pet) async throws {
    try await changing({ $0.pets = nil }) { try await base.pets.add(pet) }
  }

  func update(_ id: Pet.ID, _ change: @Sendable (inout Pet) throws -> Void) async throws -> Pet {
    try await changing({ $0.pets = nil }) { try await base.pets.update(id, change) }
  }

  func remove(_ id: Pet.ID) async throws -> Bool {
    // Its walks with other pets belong to those, too.
    try await changing({ $0.expireAll() }) { try await base.pets.remove(id) }
  }

  func walks(_ query: WalkQuery) async throws -> WalkPage {
    try await kept({ $0.pages[query] }) {
      try await base.walks.walks(query)
    } keeping: { state, page in
      if state.pages.updateValue(page, forKey: query) == nil { state.order.append(query) }
      while state.order.count > limit { state.pages[state.order.removeFirst()] = nil }
    }
  }

  func walk(_ id: Walk.ID) async throws -> Walk? { try await base.walks.walk(id) }

  func save(_ walk: Walk) async throws -> Walk {
    try await changing({ $0.expireWalks(of: Set(walk.pets.map(\.pet))) }) {
      try await base.walks.save(walk)
    }
  }

  func update(_ id: Walk.ID, _ change: @Sendable (inout Walk) throws -> Void) async throws -> Walk {
    let pets = Lock<Set<Pet.ID>>([])
    return try await changing({ state in state.expireWalks(of: pets.withLock { $0 }) }) {
      try await base.walks.update(id) { walk in
        pets.withLock { $0.formUnion(walk.pets.map(\.pet)) }
        try change(&walk)
        pets.withLock { $0.formUnion(walk.pets.map(\.pet)) }
      }
    }
  }

  func remove(_ id: Walk.ID) async throws -> Bool {
    try await changing({ $0.expire(id) }) { try await base.walks.remove(id) }
  }

  func add(_ batch: WalkBatch) async throws -> WalkBatch {
    try await changing({ $0.expireAll() }) { try await base.batches.add(batch) }
  }

  func aliases() async throws -> [Pet.ID: Pet.ID] { try await base.batches.aliases() }
}

extension CachedWalks: WalkStoreLifetime {
  func open() async throws -> OpeningReport { try await base.lifetime.open() }

  func close() async throws { try await base.lifetime.close() }

  func eraseAll() async throws {
    try await changing({ $0.expireAll() }) { try await base.lifetime.eraseAll() }
  }

  func makeDurable() async throws { try await base.lifetime.makeDurable() }

  func blobsInUse() async throws -> Set<BlobID> { try await base.lifetime.blobsInUse() }

  func updates() -> WalkDiaryUpdates { base.lifetime.updates() }
}
