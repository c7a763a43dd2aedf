import CivicKit
import FieldCore
import FieldFakes
import Foundation
import Testing

@Suite("A custom repository", .timeLimit(.minutes(60)))
struct OwnRepositoryTests {
  private struct Refusal: Error {}

  /// A repository that refuses everything, with an error of its own.
  private struct Broken: RecordStore {
    func open() async throws -> OpeningReport { throw Refusal() }
    func snapshot() async throws -> Snapshot<CivicRecord> { throw Refusal() }
    func commit(
      _ changes: Changes<CivicRecord>, checkpoint: Checkpoint?, expecting: Revision?
    ) async throws -> Revision { throw Refusal() }
    func updates() -> SnapshotUpdates<CivicRecord> { SnapshotUpdates { throw Refusal() } }
    func close() async throws { throw Refusal() }
  }

  @Test("a custom repository has its errors kept as the underlying errors of every call")
  func wrapped() async throws {
    let server = FakeCivicService()
    let directory = CivicDirectory(
      source: CivicServer(
        CivicService(baseURL: server.baseURL, project: server.project), transport: server),
      repository: Broken(),
      feeds: CityFeeds(storage: .inMemory, transport: server, feeds: []),
      pictures: AssetCache(storage: .inMemory, transport: server))
    let calls: [@Sendable () async throws -> Void] = [
      { try await directory.open() }, { try await directory.close() },
      { try await directory.refresh() }, { try await directory.eraseAll() },
      { _ = try await directory.facilities() }, { _ = try await directory.search("社會") },
      { _ = try await directory.searchHistory.entries() },
      { try await directory.searchHistory.add("社會") },
      { try await directory.upsert(CivicUnit(id: "u", name: "甲")) },
      { try await directory.apply(Data("[]".utf8), to: .units) },
      { _ = try await directory.claimFirstLaunch(of: .app) },
      { _ = try await directory.lastRefresh }, { _ = try await directory.nextRefreshDate },
      { _ = try await directory.export() },
    ]
    for (number, call) in calls.enumerated() {
      let error = await #expect(throws: FieldError.self, "call \(number)") { try await call() }
      #expect(error?.underlying is Refusal, "call \(number)")
    }
  }
}
