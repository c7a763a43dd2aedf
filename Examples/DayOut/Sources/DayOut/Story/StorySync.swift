import FieldFakes
import FieldKit
import Foundation

/// The sync in the story: interrupted halfway, and resumed.
struct StorySync {
  let storage: Storage
  private let portal = SyncDemonstration.portal(rows: 3_000)

  init(storage: Storage) { self.storage = storage }

  private func catalog(_ url: URL) throws -> MeteoriteCatalog {
    try SyncDemonstration.catalog(at: url, storage: storage, pageSize: 500)
  }

  /// Returns the number of stored rows.
  func run(_ narrator: Narrator) async throws -> Int {
    let total = portal.rowCount
    narrator.chapter("21:30", .sync, .syncSentence, narrator.number(total))
    let server = try LoopbackServer(serving: portal)
    portal.faults.append(.drop(), onRequests: 4...)
    let first = try catalog(server.url)
    let error = try await narrator.failure(of: "a sync whose connection is cut") {
      try await first.refresh(.now)
    }
    let stored = try await first.count()
    try await first.close()
    try narrator.expect(
      stored > 0 && stored < total, "the pages that arrived before the cut are kept.")
    narrator.failed(
      .stopped, narrator.number(stored), narrator.number(total), narrator.reason(of: error))

    portal.faults.removeAll()
    let second = try catalog(server.url)
    let report = try await second.refresh(.now)
    let count = try await second.count()
    try await second.close()
    await server.stop()
    try narrator.expect(
      report.rows == total - stored, "a resumed sync fetches only what is missing.")
    try narrator.expect(count == total, "a resumed sync is complete.")
    narrator.done(.resumed, narrator.number(report.rows), narrator.number(count))
    narrator.compare(
      narrator.text(.cutRows, narrator.number(stored)), naive: narrator.text(.halfCatalog),
      fieldKit: narrator.text(.wholeCatalog, narrator.number(count)))
    return count
  }

  /// Opens the catalog again and checks that everything is there.
  func checkStored(_ narrator: Narrator, count: Int) async throws {
    guard let nowhere = URL(string: "http://127.0.0.1:9") else { return }
    let again = try catalog(nowhere)
    let stored = try await again.count()
    try await again.close()
    try narrator.expect(stored == count, "the catalog is on the disk.")
    narrator.done(.stonesStored, narrator.number(stored), narrator.number(count))
  }
}
