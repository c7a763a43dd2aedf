import FieldCore
import WalkKit

/// Repositories that count what they are asked for, as a server would bill it.
final class CountingWalks: PetRepository, WalkRepository {
  private let base = StoredWalks(store: InMemoryStore<StoredWalks.Record>())
  private let counts = Lock<[Pet.ID: Int]>([:])

  /// How often each pet's history was asked for.
  var reads: [Pet.ID: Int] { counts.withLock { $0 } }

  var backend: WalkBackend {
    var backend = WalkBackend(base, blobs: InMemoryBlobStore())
    backend.pets = self
    backend.walks = self
    return backend
  }

  func pets() async throws -> [Pet] { try await base.pets() }

  func add(_ pet: Pet) async throws { try await base.add(pet) }

  func update(
    _ id: Pet.ID, _ change: @Sendable (inout Pet) throws -> Void
  ) async throws -> Pet { try await base.update(id, change) }

  func remove(_ id: Pet.ID) async throws -> Bool { try await base.remove(id) }

  func save(_ walk: Walk) async throws -> Walk { try await base.save(walk) }

  func walk(_ id: Walk.ID) async throws -> Walk? { try await base.walk(id) }

  func walks(_ query: WalkQuery) async throws -> WalkPage {
    if let pet = query.pet, query.limit == 50 { counts.withLock { $0[pet, default: 0] += 1 } }
    return try await base.walks(query)
  }

  func update(
    _ id: Walk.ID, _ change: @Sendable (inout Walk) throws -> Void
  ) async throws -> Walk { try await base.update(id, change) }

  func remove(_ id: Walk.ID) async throws -> Bool { try await base.remove(id) }
}
