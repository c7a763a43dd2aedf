import FieldCore
import Foundation
import SharedStore
import Testing

private struct Tree: CatalogRecord {
  let id: Int
  let species: String
  var searchText: String { species }
}

/// A thousand trees, page by page, of which a server gets only as many pages as it has left.
private final class Trees: PagedSource {
  let fingerprint = "trees"
  let options = SyncOptions(pageSize: 100, overlap: .zero)
  private let pages: Int

  init(pages: Int = .max) { self.pages = pages }

  func page(_ request: PageRequest) async throws -> Batch<Tree> {
    let first = request.position?.key.flatMap { Int($0) } ?? 0
    guard first / 100 < pages else { throw FieldError(.connectionLost, "The server stopped.") }
    let ids = first..<min(first + request.size, 1_000)
    return Batch(
      records: ids.map { Tree(id: $0, species: "species \($0 % 10)") },
      facts: PageMetadata(
        rowCount: ids.count, rowHashes: ids.map { UInt64($0) },
        end: ids.isEmpty
          ? nil : SyncPosition(stamp: "2026-01-01T00:00:00Z", key: "\(ids.upperBound)"),
        isLast: ids.upperBound == 1_000))
  }
}

@Suite(
  "A catalog in a database", .enabled(if: database != nil, "FIELDKIT_DATABASE_URL isn't set"),
  .serialized, .timeLimit(.minutes(60)))
struct SharedCatalogTests {
  let url = database ?? ""
  let namespace = UUID().uuidString

  /// A catalog as another server would open it: with its own connection.
  private func catalog(_ source: Trees) -> Catalog<Tree> {
    Catalog(
      "trees", source: source, storage: Storage(SharedStorage(url, namespace: namespace)))
  }

  @Test("Two servers on one database both serve what one of them has synced")
  func serving() async throws {
    let (left, right) = (catalog(Trees()), catalog(Trees()))
    #expect(try await right.view().count == 0)
    #expect(try await left.refresh().added == 1_000)
    for catalog in [left, right] {
      #expect(try await catalog.view().count == 1_000)
      #expect(try await catalog.view().search("species 7").count == 100)
    }
    // The age is shared as well, so the other server has nothing to do.
    #expect(try await right.refresh().outcome == .notDue)
    for catalog in [left, right] { try await catalog.close() }
  }

  @Test("Another server continues a sync where a server stopped")
  func continuing() async throws {
    let (left, right) = (catalog(Trees(pages: 4)), catalog(Trees()))
    await #expect(throws: FieldError.self) { try await left.refresh() }
    #expect(try await right.view().count == 400)
    let report = try await right.refresh()
    #expect(report.rows == 600)
    #expect(report.notices.contains { $0.code == .resumed })
    #expect(try await left.view().count == 1_000)
    for catalog in [left, right] { try await catalog.close() }
  }
}
