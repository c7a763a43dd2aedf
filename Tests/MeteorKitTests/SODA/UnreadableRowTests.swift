import FieldCore
import FieldTesting
import Foundation
import MeteorKit
import TestSupport
import Testing

@Suite("A sync of meteorites loses no row")
struct UnreadableRowTests {
  @Test(
    "a sync reports an unreadable last row of a page once, and the run ends",
    arguments: [1, 2, 3, 100])
  func badLastRow(pageSize: Int) async throws {
    let rows = (1...6).map { number in
      let name = number.isMultiple(of: 3) ? "\\ud83d" : "x"
      return SmallSODA.row(number, changed: number, "\"id\":\"\(number)\",\"name\":\"\(name)\"")
    }
    // A portal that looks at the position: it gives the rows behind the `:id` in the request.
    let transport = StubTransport {
      $0.on("meteorites.page") { request in
        let text = request.url.absoluteString.removingPercentEncoding ?? ""
        let after = rows.lastIndex { row in
          text.contains("'row-\(row.dropFirst(12).prefix { $0 != "\"" })'")
        }
        let page = rows.dropFirst(after.map { $0 + 1 } ?? 0).prefix(pageSize)
        return TransportResponse(status: 200, body: .text(SmallSODA.body(Array(page))))
      }
    }
    let catalog = MeteoriteCatalog(
      source: SODAMeteorites(
        try SmallSODA.client(transport), options: SyncOptions(pageSize: pageSize)),
      storage: .inMemory, snapshotGuard: SnapshotGuard(maximumFailedFraction: 1))
    let report = try await catalog.refresh()
    #expect(report.added == 4)
    #expect(report.failures.map(\.key) == ["3", "6"])
    #expect(report.rows == 6)
    #expect(try await catalog.view().all.map(\.id) == [1, 2, 4, 5])
  }
}
