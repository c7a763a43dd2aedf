import FieldCore
import TestSupport
import Testing
import WalkTestSupport

@testable import WalkFirestore
@testable import WalkKit

/// The store of a device that sends and receives after each commit.
struct ExchangingStore: ForwardingRecordStore {
  typealias Record = WalkRecord

  private let base: any WalkRepository
  private let exchange: @Sendable () async throws -> Void

  init(_ cloud: FirestoreWalks) {
    base = cloud.stored.store
    let count = Lock(0)
    exchange = {
      let number = count.withLock { count in
        count += 1
        return count
      }
      // A rule with a hundred changes would take long.
      if number <= 10 || number.isMultiple(of: 10) { try await cloud.refresh(.now) }
    }
  }

  func target() -> any RecordStore<WalkRecord> { base }

  func commit(
    _ changes: Changes<WalkRecord>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    let revision = try await base.commit(changes, checkpoint: checkpoint, expecting: expecting)
    try await exchange()
    return revision
  }

  func update(
    _ body: (Snapshot<WalkRecord>, inout Changes<WalkRecord>, inout Checkpoint?) throws -> Void
  ) async throws -> Revision {
    let revision = try await base.update(body)
    try await exchange()
    return revision
  }
}

extension WalkProbe {
  /// Creates a probe of a device that sends and receives after each commit.
  init(_ cloud: FirestoreWalks, reopen: (@Sendable () async throws -> StoredWalks)? = nil) {
    self.init(
      StoredWalks(store: ExchangingStore(cloud), blobs: cloud.stored.blobs), reopen: reopen)
  }
}

extension WalkRule {
  /// Checks the rule on a device that sends and receives meanwhile, and then what another device receives.
  ///
  /// - Returns: `true` if the rule has left anything in the diary.
  func checkExchanging(
    _ device: FirestoreWalks, with other: FirestoreWalks,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Bool {
    try await check(WalkProbe(device))
    try await device.refresh(.now)
    let report = try await other.refresh(.now)
    let (sent, received) = (try await device.content(), try await other.content())
    #expect(received == sent, sourceLocation: sourceLocation)
    #expect(report.failures.isEmpty, sourceLocation: sourceLocation)
    #expect(try await device.pending().isEmpty, sourceLocation: sourceLocation)
    // Nobody else has edited anything.
    #expect(try await device.conflicts().isEmpty, sourceLocation: sourceLocation)
    return received != Device.Content(pets: [], walks: [], places: [])
  }
}
