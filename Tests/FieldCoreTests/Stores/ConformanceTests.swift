import FieldCore
import FieldTesting
import Foundation
import TestSupport
import Testing

/// The stores of the package that the suite's own tests do not run it on.
@Suite("The contract of record stores")
struct StoreConformanceTests {
  @Test("the contract of record stores is satisfied by a file with deferred durability")
  func deferred() async throws {
    try await RecordStoreConformance.run(reopening: { folder in
      FileStore<ConformanceRecord>(
        folder.appending(path: "deferred.store"), durability: .deferred)
    })
  }

  @Test("the contract of record stores is satisfied by the stores of a storage in memory")
  func inMemory() async throws {
    let storage = Storage.inMemory
    let number = Lock(0)
    try await RecordStoreConformance.run {
      let next = number.withLock { number in
        number += 1
        return number
      }
      return try storage.records("s\(next)", of: ConformanceRecord.self)
    }
  }

  @Test("the contract of record stores is satisfied by the stores of a storage in a folder")
  func inFolder() async throws {
    try await RecordStoreConformance.run(reopening: { folder in
      try Storage.directory(folder).records("records", of: ConformanceRecord.self)
    })
  }
}
