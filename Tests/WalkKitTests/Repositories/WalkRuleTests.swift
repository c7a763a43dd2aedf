import FieldCore
import FieldTesting
import Foundation
import TestSupport
import Testing
import WalkTestSupport

@testable import WalkKit

@Suite("The rules of a diary", .timeLimit(.minutes(60)))
struct WalkRuleTests {
  @Test("A diary in memory keeps every rule", arguments: WalkRule.all)
  func inMemory(rule: WalkRule) async throws {
    try await rule.check(WalkProbe(StoredWalks(storage: .inMemory)))
  }

  @Test(
    "A diary in files keeps every rule, also after it is opened again", arguments: WalkRule.ofFiles)
  func inFiles(rule: WalkRule) async throws {
    let folder = try TemporaryFolder()
    let open = { @Sendable in StoredWalks(storage: .directory(folder.url)) }
    try await rule.check(WalkProbe(open(), reopen: open))
  }

  @Test(
    "A diary keeps every rule over a store that does no more than the protocol requires",
    arguments: WalkRule.all)
  func overTheProtocol(rule: WalkRule) async throws {
    let store = PlainStore(base: InMemoryStore<WalkRecord>())
    try await rule.check(WalkProbe(StoredWalks(store: store, blobs: InMemoryBlobStore())))
  }

  @Test("The stores that a diary is tested over satisfy the contract of stores")
  func contract() async throws {
    try await RecordStoreConformance.run { PlainStore(base: InMemoryStore()) }
  }
}

/// A store as an app writes it: what isn't required is the protocol's own.
private struct PlainStore<Record: StoredRecord>: RecordStore {
  let base: InMemoryStore<Record>

  func snapshot() async throws -> Snapshot<Record> { try await base.snapshot() }

  func commit(
    _ changes: Changes<Record>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    try await base.commit(changes, checkpoint: checkpoint, expecting: expecting)
  }

  func updates() -> SnapshotUpdates<Record> { base.updates() }

  func close() async { await base.close() }
}
