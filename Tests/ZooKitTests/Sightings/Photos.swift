import FieldCore
import FieldFakes
import Foundation
import TestSupport
import ZooKit

/// Photos and zoos for tests of sightings.
enum Photos {
  /// A photo that differs from those of other numbers.
  static func jpeg(_ number: Int = 0) -> Data { Data(FakeTaipeiOpenData.SmallPicture.jpeg(number)) }
}

/// A zoo that has nobody to ask.
struct NoSource: RecordSource {
  var dataSource: DataSource? { .taipeiZoo }
  var sources: ZooSources { [.animals: [self]] }

  func fetch(_ request: RecordRequest) async throws -> Batch<ZooRecord> {
    throw FieldError(.offline, "there is no network")
  }
}

extension Zoo {
  /// A zoo without a network.
  static func offline(
    _ storage: Storage = .inMemory, clock: any FieldClock = ManualClock(),
    limits: SightingLimits = SightingLimits(), seed: UInt64 = 1
  ) -> Zoo {
    let generator = Lock(SeededGenerator(seed: seed))
    return Zoo(
      sources: NoSource().sources, storage: storage, clock: clock, limits: limits,
      random: { generator.withLock { $0.next() } })
  }

  /// A zoo without a network and files, with photos of a test's own.
  static func offline(photos: any BlobStore) -> Zoo {
    let storage = Storage.inMemory
    return Zoo(
      sources: NoSource().sources, repository: storage.store("zoo"),
      sightings: storage.store("sightings"), photos: photos,
      pictures: AssetCache(storage: storage, transport: FakeTaipeiOpenData()))
  }
}

/// Photos in memory, at which something else happens, once.
final class HookedBlobs: BlobStore {
  typealias Hook = @Sendable () async throws -> Void

  private struct Hooks: Sendable {
    var beforeStatus: Hook?
    var afterPut: Hook?
    var beforeSweeps: Hook?
  }

  private let base = InMemoryBlobStore()
  private let hooks = Lock(Hooks())

  func beforeStatus(_ hook: @escaping Hook) { hooks.withLock { $0.beforeStatus = hook } }
  func afterPut(_ hook: @escaping Hook) { hooks.withLock { $0.afterPut = hook } }

  /// Sets a hook for every sweep of unclaimed blobs; the others are for the next call.
  func beforeSweeps(_ hook: @escaping Hook) { hooks.withLock { $0.beforeSweeps = hook } }

  func put(_ bytes: [UInt8]) async throws -> BlobLease {
    let lease = try await base.put(bytes)
    try await take(\.afterPut)?()
    return lease
  }

  func bytes(of id: BlobID) async throws -> [UInt8]? { try await base.bytes(of: id) }
  func contains(_ id: BlobID) async throws -> Bool { try await base.contains(id) }

  func status(of id: BlobID) async throws -> BlobStatus? {
    try await take(\.beforeStatus)?()
    return try await base.status(of: id)
  }

  func remove(_ id: BlobID) async throws { try await base.remove(id) }

  func sweep(keeping ids: Set<BlobID>) async throws -> Set<BlobID> {
    try await base.sweep(keeping: ids)
  }

  func claim(_ ids: Set<BlobID>) async throws { try await base.claim(ids) }

  func sweepUnclaimed(
    releasing ids: Set<BlobID>, keepingThoseOf blobsInUse: @Sendable () async throws -> Set<BlobID>?
  ) async throws {
    try await hooks.withLock(\.beforeSweeps)?()
    try await base.sweepUnclaimed(releasing: ids, keepingThoseOf: blobsInUse)
  }

  private func take(_ hook: any WritableKeyPath<Hooks, Hook?> & Sendable) -> Hook? {
    hooks.withLock { hooks in
      defer { hooks[keyPath: hook] = nil }
      return hooks[keyPath: hook]
    }
  }
}
