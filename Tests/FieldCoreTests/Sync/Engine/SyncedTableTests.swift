@testable import FieldCore
import FieldTesting
import Foundation
import Testing

/// A record of the tests.
struct TableTree: CatalogRecord, Hashable {
  let id: String
  let species: String
  let height: Double?
}

/// A kit of a table, with a way to read it.
private struct ReadTable: EngineKit {
  let table: SyncedTable<TableTree>
  let target: any SyncTarget<TableTree>
  var engine: KitEngine { table.engine }
}

@Suite("A kit of a table")
struct SyncedTableTests {
  private static func answer(_ rows: [String]) -> TransportResponse {
    TransportResponse(status: 200, body: .text("[\(rows.joined(separator: ","))]"))
  }

  private static func row(_ id: Int, _ species: String = "榕樹", _ height: String = "3.5") -> String {
    #"{"id": "t\#(id)", "species": "\#(species)", "height": \#(height)}"#
  }

  private static var rows: [String] { (0..<30).map { row($0) } }

  @Test("a kit of a table keeps to the contract of a kit")
  func conformance() async throws {
    let url = try #require(URL(string: "https://trees.example/rows.json"))
    // The damage of a store is found by the kit that owns it.
    try await KitConformance.run(
      excluding: [.damageIsReportedOnce, .damagedHeader, .followingDamaged, .damageInViews]
    ) { bench in
      let target = try treeTarget(bench)
      let source = Download<TableTree>(
        url,
        transport: bench.transport.retrying(clock: bench.clock).coalescing())
      return ReadTable(
        table: SyncedTable("trees", sources: [source], target: target, clock: bench.clock),
        target: target)
    } responding: { _ in
      Self.answer(Self.rows)
    } later: { _ in
      Self.answer(
        Self.rows.dropFirst().dropLast() + [#"{"id": "t29", "height": 4}"#, Self.row(5, "樟樹")])
    } lacking: { _ in
      Self.answer(Array(Self.rows.prefix(10)))
    } unreadable: { _ in
      Self.answer(Self.rows.dropLast() + [Self.row(29, "榕樹", "\"tall\"")])
    } content: { kit in
      // A closed kit throws, although its table can be read.
      _ = try await kit.lastRefresh
      return Set(try await kit.target.records())
    }
  }
}
