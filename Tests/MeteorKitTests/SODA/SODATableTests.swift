import FieldCore
import FieldFakes
import Foundation
import MeteorKit
import TestSupport
import Testing

@Suite("A table of any dataset")
struct SODATableTests {
  static func table(
    _ portal: PortalFixture, key: String?, storage: Storage = .inMemory,
    deletion: DeletionPolicy = .byKeys
  ) throws -> SODATable {
    SODATable(
      client: SODAClient(try portal.dataset(), transport: portal.server, clock: portal.clock),
      key: key, storage: storage, clock: portal.clock, deletion: deletion,
      snapshotGuard: SnapshotGuard(maximumRemovedFraction: 1), options: SyncOptions(pageSize: 10))
  }

  @Test(
    "a table of any dataset is updated by its own key, or by the portal's",
    arguments: [nil, "id"] as [String?])
  func keys(key: String?) async throws {
    let portal = PortalFixture(stones: 35)
    let table = try Self.table(portal, key: key)
    #expect(try await table.refresh(.now).added == 35)
    portal.pass(60)
    portal.server.update("3", ["mass": 33, "year": .null])
    portal.server.delete("4", "30")
    portal.server.insert([PortalFixture.stone(36)])
    let report = try await table.refresh(.now)
    #expect((report.added, report.updated, report.removed) == (1, 1, 2))
    let rows = try await table.rows()
    #expect(rows.count == 34)
    let third = try #require(rows.first { $0["id"]?.text == "3" })
    #expect(third["mass"]?.double == 33)
    #expect(third["year"] == nil)
    #expect(third.cells.keys.allSatisfy { !$0.hasPrefix(":") })
    #expect((third.id.rawValue == "3") == (key != nil))
  }

  @Test("a table of any dataset survives a restart in its file, and then requests only what is new")
  func restart() async throws {
    let folder = try TemporaryFolder()
    let portal = PortalFixture(stones: 35)
    let first = try Self.table(portal, key: "id", storage: .directory(folder.url))
    try await first.refresh(.now)
    let stored = Array(try await first.rows())
    try await first.close()
    portal.pass(200_000)
    portal.server.update("5", ["mass": 55])
    let second = try Self.table(portal, key: "id", storage: .directory(folder.url))
    #expect(Array(try await second.rows()) == stored)
    let report = try await second.refresh(.now)
    #expect(report.updated == 1)
    #expect(try await second.row("5")?["mass"]?.double == 55)
    try await second.close()
  }

  @Test(
    "a table of any dataset is due after a day, or at once if incomplete, and forgets on request"
  )
  func dueDates() async throws {
    let portal = PortalFixture(stones: 35)
    let table = try Self.table(portal, key: "id")
    #expect(try #require(try await table.nextRefreshDate) <= portal.clock.now)
    portal.server.faults.append(.drop(), onRequest: 3)
    await #expect(throws: FieldError.self) { try await table.refresh() }
    try await portal.clock.sleep(for: .seconds(61))
    portal.server.faults.removeAll()
    #expect(try await table.refresh().outcome == .updated)
    #expect(try await table.refresh().outcome == .notDue)
    let next = try #require(try await table.nextRefreshDate).timeIntervalSince(portal.clock.now)
    #expect((86_390...86_401).contains(next))
    try await table.eraseAll()
    #expect(try await table.rows().isEmpty)
    #expect(try await table.refresh().added == 35)
  }
}
