import FieldCore
import FieldFakes
import FieldTesting
import FirestoreFakes
import Foundation
import TestSupport
import Testing

@testable import FieldFirestore
@testable import WalkFirestore
@testable import WalkKit

/// A device with a diary in a fake database.
struct Device: Sendable {
  let cloud: FirestoreWalks
  let diary: WalkDiary
  let stored: StoredWalks
  let clock: ManualClock

  /// 2026-01-01 12:00 in Seoul.
  static let noon = Date(timeIntervalSince1970: 1_767_236_400)

  init(
    _ server: FakeFirestore, over transport: (any Transport)? = nil, storage: Storage = .inMemory,
    photos: FakeStorage? = nil, uploads: (any Transport)? = nil,
    clock: ManualClock = ManualClock(now: noon), seed: UInt64 = 1, routePartSize: Int? = nil,
    largestPhoto: Int? = nil
  ) {
    var firestore = server.configuration
    firestore.retry = .never
    var bucket = photos?.configuration
    bucket?.retry = .never
    bucket?.chunkSize = 1 << 10
    if let largestPhoto { bucket?.maximumDownloadSize = largestPhoto }
    var configuration = WalkFirestoreConfiguration.firestore(firestore, photos: bucket)
    configuration.outbox.lease = .zero
    configuration.routePartSize = routePartSize ?? configuration.routePartSize
    let chance = Lock(SeededGenerator(seed: seed))
    let random: @Sendable () -> Double = {
      chance.withLock { Double.random(in: 0..<1, using: &$0) }
    }
    let router = Router(
      firestore: transport ?? server, storage: uploads ?? photos ?? server)
    cloud = FirestoreWalks(
      configuration, storage: storage, transport: router, clock: clock, random: random)
    stored = cloud.stored
    diary = WalkDiary(cloud, rules: PetRules(required: []), random: random)
    self.clock = clock
  }

  /// Sends requests of the bucket to the bucket.
  private struct Router: Transport {
    let firestore: any Transport
    let storage: any Transport

    func send(_ request: TransportRequest) async throws -> TransportResponse {
      request.url.host == "storage.example"
        ? try await storage.send(request) : try await firestore.send(request)
    }
  }

  static func pet(_ id: String, _ name: String? = nil, day: Double = 0) -> Pet {
    Pet(
      id: Pet.ID(rawValue: id), name: name ?? "name \(id)", breed: .beagle,
      registered: noon + day * 86_400)
  }

  static func walk(_ id: String, of pets: [String], hour: Double = 0) -> Walk {
    let start = noon + hour * 3_600
    return Walk(
      id: Walk.ID(rawValue: id),
      pets: pets.map { .init(pet: Pet.ID(rawValue: $0), joined: start) }, start: start,
      end: start + 1_800, utcOffset: .seoul, distance: .meters(1_234.5))
  }

  /// What the diary contains, in order.
  func content() async throws -> Content { try await cloud.content() }

  struct Content: Equatable {
    var pets: [Pet]
    var walks: [Walk]
    var places: [Place]
  }

  /// Refreshes until nothing waits.
  static func settle(_ devices: Device..., sourceLocation: SourceLocation = #_sourceLocation)
    async throws
  {
    for _ in 0..<6 {
      for device in devices {
        device.clock.advance(by: .seconds(4_000))
        try await device.cloud.refresh(.now)
      }
    }
    for device in devices {
      let left = try await device.cloud.pending()
      #expect(left.isEmpty, "\(left.operations)", sourceLocation: sourceLocation)
    }
  }
}

extension FirestoreWalks {
  /// What the diary contains, in order.
  func content() async throws -> Device.Content {
    var query = WalkQuery(limit: 1_000)
    var walks: [Walk] = []
    repeat {
      let page = try await stored.walks(query)
      walks += page.walks
      query.after = page.next
    } while query.after != nil
    return Device.Content(
      pets: try await stored.pets(), walks: walks,
      places: try await stored.places().sorted { $0.id.rawValue < $1.id.rawValue })
  }
}

extension FakeFirestore {
  /// The documents of the diary, without the times of their changes.
  var diary: [String: FirestoreFields] {
    var found: [String: FirestoreFields] = [:]
    for document in documents where document.path.parent == "diary" {
      var fields = document.fields
      fields["changedAt"] = nil
      // A map stays when its last element is deleted.
      for name in ["photos", "notes", "pets", "edited", "seen", "exact"]
      where fields[name]?.map?.isEmpty == true {
        fields[name] = nil
      }
      found[document.path.id] = fields
    }
    return found
  }

  var receiptCount: Int { documents.count { $0.path.parent == "receipts" } }
}

func failure(
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async -> FieldError? {
  do {
    try await body()
    return nil
  } catch {
    return error as? FieldError ?? FieldError(.init(rawValue: "other"), "\(error)")
  }
}
