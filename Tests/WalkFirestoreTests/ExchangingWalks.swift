import FieldCore
import FieldTesting
import TestSupport
import Testing
import WalkTesting

@testable import WalkFirestore
@testable import WalkKit

/// The repositories of a device that sends and receives between the operations of the conformance suite.
struct ExchangingWalks: PetRepository, WalkRepository, PlaceRepository, WalkSettings,
  WalkBatchRepository, WalkStoreLifetime
{
  private let base: WalkBackend
  private let exchange: @Sendable () async throws -> Void

  init(_ cloud: FirestoreWalks) {
    base = cloud.backend
    let count = Lock(0)
    exchange = {
      let number = count.withLock { count in
        count += 1
        return count
      }
      // A case with a hundred changes would take long.
      if number <= 10 || number.isMultiple(of: 10) { try await cloud.refresh(.now) }
    }
  }

  /// The backend to test.
  var backend: WalkBackend { WalkBackend(self, blobs: base.blobs) }

  /// Runs the suite, and then compares each diary with what another device receives of it.
  ///
  /// - Parameters:
  ///   - excluding: The cases to skip.
  ///   - makePair: Returns two devices with a diary of their own, which is empty.
  /// - Returns: The number of diaries in which a case left anything.
  static func conform(
    excluding: Set<WalkBackendConformance.Case> = [],
    sourceLocation: SourceLocation = #_sourceLocation,
    _ makePair: @escaping @Sendable () throws -> (FirestoreWalks, FirestoreWalks)
  ) async throws -> Int {
    let pairs = Lock<[(FirestoreWalks, FirestoreWalks)]>([])
    try await WalkBackendConformance.run(excluding: excluding, sourceLocation: sourceLocation) {
      let pair = try makePair()
      pairs.withLock { $0.append(pair) }
      return ExchangingWalks(pair.0).backend
    }
    var count = 0
    for (device, other) in pairs.withLock(\.self) {
      try await device.refresh(.now)
      let report = try await other.refresh(.now)
      let (sent, received) = (try await device.content(), try await other.content())
      #expect(received == sent, sourceLocation: sourceLocation)
      #expect(report.failures.isEmpty, sourceLocation: sourceLocation)
      #expect(try await device.pending().isEmpty, sourceLocation: sourceLocation)
      // Nobody else has edited anything.
      #expect(try await device.conflicts().isEmpty, sourceLocation: sourceLocation)
      if received != Device.Content(pets: [], walks: [], places: []) { count += 1 }
    }
    return count
  }

  private func exchanging<Result>(_ change: () async throws -> Result) async throws -> Result {
    let result = try await change()
    try await exchange()
    return result
  }

  // MARK: Pets

  func pets() async throws -> [Pet] { try await base.pets.pets() }

  func add(_ pet: Pet) async throws { try await exchanging { try await base.pets.add(pet) } }

  func update(_ id: Pet.ID, _ change: @Sendable (inout Pet) throws -> Void) async throws -> Pet {
    try await exchanging { try await base.pets.update(id, change) }
  }

  func remove(_ id: Pet.ID) async throws -> Bool {
    try await exchanging { try await base.pets.remove(id) }
  }

  // MARK: Walks

  func save(_ walk: Walk) async throws -> Walk {
    try await exchanging { try await base.walks.save(walk) }
  }

  func walk(_ id: Walk.ID) async throws -> Walk? { try await base.walks.walk(id) }

  func walks(_ query: WalkQuery) async throws -> WalkPage { try await base.walks.walks(query) }

  func update(_ id: Walk.ID, _ change: @Sendable (inout Walk) throws -> Void) async throws -> Walk {
    try await exchanging { try await base.walks.update(id, change) }
  }

  func remove(_ id: Walk.ID) async throws -> Bool {
    try await exchanging { try await base.walks.remove(id) }
  }

  // MARK: The rest

  func places() async throws -> [Place] { try await base.places.places() }

  func save(_ place: Place) async throws {
    try await exchanging { try await base.places.save(place) }
  }

  func remove(_ id: Place.ID) async throws -> Bool {
    try await exchanging { try await base.places.remove(id) }
  }

  func selectedPet() async throws -> Pet.ID? { try await base.settings.selectedPet() }

  func select(_ pet: Pet.ID?) async throws { try await base.settings.select(pet) }

  func add(_ batch: WalkBatch) async throws -> WalkBatch {
    try await exchanging { try await base.batches.add(batch) }
  }

  func aliases() async throws -> [Pet.ID: Pet.ID] { try await base.batches.aliases() }

  func open() async throws -> OpeningReport { try await base.lifetime.open() }

  func close() async throws { try await base.lifetime.close() }

  func eraseAll() async throws { try await base.lifetime.eraseAll() }

  func blobsInUse() async throws -> Set<BlobID> { try await base.lifetime.blobsInUse() }

  func updates() -> WalkDiaryUpdates { base.lifetime.updates() }
}
