internal import FieldCore

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension WalkBackend {
  /// This backend with what was read of pets and walks kept in memory: for one that has to ask a server.
  ///
  /// A history is asked for once, and again only after it has changed: what is saved, changed or
  /// removed through this backend makes the pages of its own pets old, and no others. What others
  /// have changed shows after a refresh.
  ///
  /// - Parameter limit: How many pages are kept at most; the oldest go first.
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

/// Repositories that remember what others gave.
final class CachedWalks: Sendable {
  private struct State: Sendable {
    /// Grows with each change, so that what was asked before it is not kept.
    var generation = 0
    var pets: [Pet]?
    var pages: [WalkQuery: WalkPage] = [:]
    /// The queries of the pages, the oldest first.
    var order: [WalkQuery] = []
  }

  private let base: WalkBackend
  private let limit: Int
  private let state = Lock(State())

  init(base: WalkBackend, limit: Int) {
    self.base = base
    self.limit = max(limit, 1)
  }

  /// What was read about these pets is old; nil for all of them.
  private func expire(_ pets: Set<Pet.ID>?, petsThemselves: Bool = false) {
    state.withLock { state in
      state.generation += 1
      if pets == nil || petsThemselves { state.pets = nil }
      guard let pets else {
        state.pages = [:]
        state.order = []
        return
      }
      state.order.removeAll { $0.pet.map(pets.contains) ?? true }
      let kept = Set(state.order)
      state.pages = state.pages.filter { kept.contains($0.key) }
    }
  }

  /// The pets of the walks of this id in what is kept: only their pages can have it.
  private func pets(of walk: Walk.ID) -> Set<Pet.ID> {
    state.withLock { state in
      var pets: Set<Pet.ID> = []
      for (query, page) in state.pages {
        guard let known = page.walks.first(where: { $0.id == walk }) else { continue }
        pets.formUnion(known.pets.map(\.pet))
        if let pet = query.pet { pets.insert(pet) }
      }
      return pets
    }
  }

  /// Makes what is kept old when a refresh has brought something.
  struct Source: WalkRefreshing {
    let base: any WalkRefreshing
    let cache: CachedWalks

    var dataSource: DataSource { base.dataSource }

    var nextRefreshDate: Date { get async throws { try await base.nextRefreshDate } }

    func refresh(_ when: RefreshTrigger) async throws -> RefreshReport {
      defer { cache.expire(nil) }
      return try await base.refresh(when)
    }
  }
}

extension CachedWalks: PetRepository {
  func pets() async throws -> [Pet] {
    let (kept, generation) = state.withLock { ($0.pets, $0.generation) }
    if let kept { return kept }
    let pets = try await base.pets.pets()
    state.withLock { if $0.generation == generation { $0.pets = pets } }
    return pets
  }

  func add(_ pet: Pet) async throws {
    defer { expire([pet.id], petsThemselves: true) }
    try await base.pets.add(pet)
  }

  @discardableResult
  func update(
    _ id: Pet.ID, _ change: @Sendable (inout Pet) throws -> Void
  ) async throws -> Pet {
    defer { expire([], petsThemselves: true) }
    return try await base.pets.update(id, change)
  }

  @discardableResult
  func remove(_ id: Pet.ID) async throws -> Bool {
    // Its walks with others are the others' too.
    defer { expire(nil) }
    return try await base.pets.remove(id)
  }
}

extension CachedWalks: WalkRepository {
  func walks(_ query: WalkQuery) async throws -> WalkPage {
    let (kept, generation) = state.withLock { ($0.pages[query], $0.generation) }
    if let kept { return kept }
    let page = try await base.walks.walks(query)
    state.withLock { state in
      guard state.generation == generation else { return }
      if state.pages.updateValue(page, forKey: query) == nil { state.order.append(query) }
      while state.order.count > limit { state.pages[state.order.removeFirst()] = nil }
    }
    return page
  }

  func walk(_ id: Walk.ID) async throws -> Walk? { try await base.walks.walk(id) }

  @discardableResult
  func save(_ walk: Walk) async throws -> Walk {
    defer { expire(Set(walk.pets.map(\.pet))) }
    return try await base.walks.save(walk)
  }

  @discardableResult
  func update(
    _ id: Walk.ID, _ change: @Sendable (inout Walk) throws -> Void
  ) async throws -> Walk {
    let pets = Lock(pets(of: id))
    defer { expire(pets.withLock { $0 }) }
    return try await base.walks.update(id) { walk in
      pets.withLock { $0.formUnion(walk.pets.map(\.pet)) }
      try change(&walk)
      pets.withLock { $0.formUnion(walk.pets.map(\.pet)) }
    }
  }

  @discardableResult
  func remove(_ id: Walk.ID) async throws -> Bool {
    defer { expire(pets(of: id)) }
    return try await base.walks.remove(id)
  }
}

extension CachedWalks: WalkBatchRepository {
  func add(_ batch: WalkBatch) async throws -> WalkBatch {
    defer { expire(nil) }
    return try await base.batches.add(batch)
  }

  func aliases() async throws -> [Pet.ID: Pet.ID] { try await base.batches.aliases() }
}

extension CachedWalks: WalkStoreLifetime {
  func open() async throws -> OpeningReport { try await base.lifetime.open() }

  func close() async throws { try await base.lifetime.close() }

  func eraseAll() async throws {
    defer { expire(nil) }
    try await base.lifetime.eraseAll()
  }

  func blobsInUse() async throws -> Set<BlobID> { try await base.lifetime.blobsInUse() }

  func updates() -> WalkDiaryUpdates { base.lifetime.updates() }
}
