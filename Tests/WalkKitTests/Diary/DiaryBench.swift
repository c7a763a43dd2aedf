import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import Testing

@testable import WalkKit

/// A diary for tests, with what it is made of.
struct DiaryBench {
  let clock: ManualClock
  let storage: Storage
  let diary: WalkDiary

  /// 2026-01-01 12:00 in Seoul.
  static let noon = Date(timeIntervalSince1970: 1_767_236_400)

  static let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3])

  init(
    storage: Storage = .inMemory, records: (any WalkRepository)? = nil,
    blobs: (any BlobStore)? = nil,
    transport: any Transport = StubTransport { _ in }, rules: PetRules = PetRules(required: []),
    conditions: WalkConditions = WalkConditions(), seed: UInt64 = 1
  ) {
    clock = ManualClock(now: Self.noon)
    self.storage = storage
    let random = Lock(seed)
    diary = WalkDiary(
      repository: records ?? storage.store(StoredWalks.storeName),
      blobs: blobs ?? storage.blobStore(StoredWalks.storeName), storage: storage,
      transport: transport, clock: clock, rules: rules, conditions: conditions,
      random: {
        random.withLock { state in
          // The high bits of a linear congruence are good enough for ids.
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          return Double(state >> 11) / Double(1 << 53)
        }
      })
  }

  /// A whole registration.
  static func form(_ name: String, photo: Data? = jpeg) throws -> PetRegistration {
    PetRegistration(
      name: name, breed: .welshCorgi, gender: .male, birth: try CalendarDay("2020-01-01"),
      weight: .kilograms(10), photo: photo)
  }

  /// A walk that is over, with its photos among drafts.
  func finished(
    _ id: String, of pets: [Pet], hour: Double = 0, photos: [[UInt8]] = [], points: Int = 3,
    reward: Bool = false
  ) async throws -> FinishedWalk {
    let start = Self.noon + hour * 3_600
    let drafts = InMemoryBlobStore()
    var draftPhotos: [DraftPhoto] = []
    for (number, bytes) in photos.enumerated() {
      let lease = try await drafts.put(bytes)
      draftPhotos.append(
        DraftPhoto(
          id: .init(rawValue: "\(id)-\(number)"), blob: lease.id, takenAt: start + Double(number)))
    }
    let track = try (0..<points).map { number in
      TrackPoint(
        coordinate: try Coordinate(latitude: 37.5 + Double(number) / 10_000, longitude: 127),
        time: start + Double(number) * 10)
    }
    var walk = Walk(
      id: Walk.ID(rawValue: id), pets: pets.map { .init(pet: $0.id, joined: start) },
      start: start, end: start + 1_200, utcOffset: .seoul, distance: .meters(800))
    if reward { walk.reward = WalkReward(of: walk.id, earned: start + 60) }
    return FinishedWalk(
      walk: walk, route: WalkRoute(segments: points == 0 ? [] : [track]), photos: draftPhotos,
      drafts: drafts)
  }

  /// Saves a walk as a recorder does.
  @discardableResult
  func save(
    _ id: String, of pets: [Pet], hour: Double = 0, photos: [[UInt8]] = [], points: Int = 3,
    reward: Bool = false
  ) async throws -> Walk {
    try await diary.core.save(
      finished(id, of: pets, hour: hour, photos: photos, points: points, reward: reward))
  }
}

/// The code that a body throws; nil when it throws none of ours.
func code(_ body: () async throws -> Void) async -> FieldError.Code? {
  do {
    try await body()
    return nil
  } catch {
    return (error as? FieldError)?.code
  }
}
