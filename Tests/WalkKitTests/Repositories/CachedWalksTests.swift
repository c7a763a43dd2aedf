import FieldCore
import Foundation
import TestSupport
import Testing
import WalkKit

/// A backend whose answers to changes come after the changes, as a server's do.
private final class SlowAnswers: PetRepository, WalkRepository, WalkBatchRepository {
  private let base = StoredWalks(store: InMemoryStore<StoredWalks.Record>())
  private let between = Lock<(@Sendable () async -> Void)?>(nil)

  /// What goes on between a change and the answer to it.
  func meanwhile(_ body: @escaping @Sendable () async -> Void) { between.withLock { $0 = body } }

  var backend: WalkBackend {
    var backend = WalkBackend(base, blobs: InMemoryBlobStore())
    backend.pets = self
    backend.walks = self
    backend.batches = self
    return backend
  }

  private func answering<Result>(_ body: () async throws -> Result) async throws -> Result {
    let result = try await body()
    await between.withLock({ $0 })?()
    return result
  }

  func pets() async throws -> [Pet] { try await base.pets() }
  func add(_ pet: Pet) async throws { try await answering { try await base.add(pet) } }
  func update(
    _ id: Pet.ID, _ change: @Sendable (inout Pet) throws -> Void
  ) async throws -> Pet { try await answering { try await base.update(id, change) } }
  func remove(_ id: Pet.ID) async throws -> Bool {
    try await answering { try await base.remove(id) }
  }
  func walk(_ id: Walk.ID) async throws -> Walk? { try await base.walk(id) }
  func walks(_ query: WalkQuery) async throws -> WalkPage { try await base.walks(query) }
  func save(_ walk: Walk) async throws -> Walk { try await answering { try await base.save(walk) } }
  func update(
    _ id: Walk.ID, _ change: @Sendable (inout Walk) throws -> Void
  ) async throws -> Walk { try await answering { try await base.update(id, change) } }
  func remove(_ id: Walk.ID) async throws -> Bool {
    try await answering { try await base.remove(id) }
  }
  func add(_ batch: WalkBatch) async throws -> WalkBatch {
    try await answering { try await base.add(batch) }
  }
}

@Suite("Repositories that cache their reads", .timeLimit(.minutes(10)))
struct CachedWalksTests {
  private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)
  private static let mesh = Pet(
    id: .init(rawValue: "m"), name: "mesh", breed: .other, registered: start)

  private static func walk(_ id: String) -> Walk {
    Walk(
      id: Walk.ID(rawValue: id), pets: [.init(pet: mesh.id, joined: start)], start: start,
      end: start + 60, utcOffset: .seoul)
  }

  /// A change, and what is there after it.
  enum Step: String, CaseIterable, Sendable {
    case save, update, remove, removePet, batch
  }

  @Test("show a change immediately, to every observer", arguments: Step.allCases)
  func meanwhile(step: Step) async throws {
    let server = SlowAnswers()
    let cached = server.backend.cachingReads()
    try await cached.pets.add(Self.mesh)
    _ = try await cached.walks.save(Self.walk("a"))
    let query = WalkQuery(pet: Self.mesh.id)
    #expect(try await cached.walks.walks(query).map(\.id.rawValue) == ["a"])
    #expect(try await cached.pets.pets().count == 1)
    let seen = Lock<[Walk]?>(nil)
    let pets = Lock<Int?>(nil)
    server.meanwhile {
      // As a screen does that `updates()` has told of the change.
      let walks = try? await cached.walks.walks(query).walks
      seen.withLock { $0 = walks }
      let count = try? await cached.pets.pets().count
      pets.withLock { $0 = count }
    }
    switch step {
    case .save: _ = try await cached.walks.save(Self.walk("b"))
    case .update: _ = try await cached.walks.update(.init(rawValue: "a")) { $0.weather = .rain }
    case .remove: _ = try await cached.walks.remove(.init(rawValue: "a"))
    case .removePet: _ = try await cached.pets.remove(Self.mesh.id)
    case .batch: _ = try await cached.batches.add(WalkBatch(walks: [Self.walk("b")]))
    }
    server.meanwhile {}
    let wanted = try await server.backend.walks.walks(query).walks
    #expect(seen.withLock { $0 } == wanted)
    #expect(try await cached.walks.walks(query).walks == wanted)
    #expect(pets.withLock { $0 } == (step == .removePet ? 0 : 1))
  }
}
