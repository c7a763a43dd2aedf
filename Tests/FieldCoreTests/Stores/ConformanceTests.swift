import FieldCore
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("The contract of record stores")
struct StoreConformanceTests {
  typealias Sample = RecordStoreConformance.Sample

  @Test("is kept in memory")
  func inMemory() async {
    await RecordStoreConformance.run { InMemoryStore<Sample>() }
  }

  @Test("is kept in a file")
  func inFile() async throws {
    let folder = try TemporaryFolder()
    await RecordStoreConformance.run {
      FileStore<Sample>(folder.url.appending(path: "\(UUID().uuidString).store"))
    } reopening: { store in
      let path = try store.core().path
      try await store.close()
      return FileStore<Sample>(URL(filePath: path))
    }
  }

  @Test("is kept in a file with deferred durability")
  func deferred() async throws {
    let folder = try TemporaryFolder()
    await RecordStoreConformance.run {
      FileStore<Sample>(
        folder.url.appending(path: "\(UUID().uuidString).store"), durability: .deferred)
    } reopening: { store in
      let path = try store.core().path
      try await store.close()
      return FileStore<Sample>(URL(filePath: path), durability: .deferred)
    }
  }

  @Test("is kept by the stores that a storage gives", arguments: [true, false])
  func storage(inMemory: Bool) async throws {
    let folder = try TemporaryFolder()
    let storage: Storage = inMemory ? .inMemory : .directory(folder.url)
    let number = Counter()
    await RecordStoreConformance.run {
      AnyStore(store: try storage.records("s\(number.next())", of: Sample.self))
    }
  }

  @Test("is seen to be broken by a store that breaks it")
  func brokenStore() async {
    let failures = await RecordStoreConformance.failures {
      ForgetfulStore(inner: InMemoryStore())
    }
    #expect(failures.contains { $0.name.hasPrefix("steps are applied in order") })
    #expect(failures.contains { $0.name.hasPrefix("removing everything") })
  }
}

/// A store that loses removals.
private struct ForgetfulStore: RecordStore {
  typealias Record = RecordStoreConformance.Sample
  let inner: InMemoryStore<Record>

  func snapshot() async throws -> Snapshot<Record> { try await inner.snapshot() }

  func commit(
    _ changes: Changes<Record>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    var kept = Changes<Record>()
    for case .upserts(let records) in changes.runs { for record in records { kept.upsert(record) } }
    return try await inner.commit(kept, checkpoint: checkpoint, expecting: expecting)
  }

  func updates() -> SnapshotUpdates<Record> { inner.updates() }
}

/// A store behind an existential.
private struct AnyStore: RecordStore {
  typealias Record = RecordStoreConformance.Sample
  let store: any RecordStore<Record>

  func snapshot() async throws -> Snapshot<Record> { try await store.snapshot() }

  func commit(
    _ changes: Changes<Record>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    try await store.commit(changes, checkpoint: checkpoint, expecting: expecting)
  }

  func updates() -> SnapshotUpdates<Record> { store.updates() }
}

final class Counter: Sendable {
  private let value = Lock(0)

  func next() -> Int {
    value.withLock { value in
      value += 1
      return value
    }
  }
}
