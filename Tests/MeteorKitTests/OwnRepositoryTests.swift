import FieldCore
import Foundation
import MeteorKit
import Testing

@Suite("A custom meteorite repository", .timeLimit(.minutes(60)))
struct OwnRepositoryTests {
  private struct Refusal: Error {}

  /// A repository that refuses everything, with an error of its own.
  private struct Broken: RecordStore {
    func open() async throws -> OpeningReport { throw Refusal() }
    func snapshot() async throws -> Snapshot<Meteorite> { throw Refusal() }
    func commit(
      _ changes: Changes<Meteorite>, checkpoint: Checkpoint?, expecting: Revision?
    ) async throws -> Revision { throw Refusal() }
    func updates() -> SnapshotUpdates<Meteorite> { SnapshotUpdates { throw Refusal() } }
    func close() async throws { throw Refusal() }
  }

  @Test("a custom meteorite repository has its errors kept as the underlying errors of every call")
  func wrapped() async throws {
    let catalog = MeteoriteCatalog(source: try FixedSource(json: Rows.all), repository: Broken())
    let calls: [@Sendable () async throws -> Void] = [
      { try await catalog.open() }, { try await catalog.refresh() },
      { try await catalog.eraseAll() }, { _ = try await catalog.view() },
      { _ = try await catalog.find() }, { _ = try await catalog.meteorite(1) },
      { _ = try await catalog.lastRefresh }, { _ = try await catalog.nextRefreshDate },
      { try await catalog.importLegacyTimestamp(1) }, { try await catalog.close() },
    ]
    for (number, call) in calls.enumerated() {
      let error = await #expect(throws: FieldError.self, "call \(number)") { try await call() }
      #expect(error?.underlying is Refusal, "call \(number)")
    }
  }
}
