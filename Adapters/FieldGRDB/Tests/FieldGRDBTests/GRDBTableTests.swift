@testable import FieldCore
import FieldFakes
import FieldGRDB
import Foundation
import GRDB
import Testing

@Suite("A synced table")
struct GRDBTableTests {
  let database: DatabaseQueue
  let anyRemoval = SnapshotGuard(maximumRemovedFraction: 1, pageSize: nil)

  init() throws { database = try stoneDatabase() }

  func table(
    _ source: some PagedSource<PortalStone>, _ deletion: DeletionPolicy = .byKeys
  ) -> SyncedTable<PortalStone> {
    SyncedTable(
      "stones", source: source, target: GRDBTable(database), clock: ImmediateClock(),
      deletion: deletion, snapshotGuard: anyRemoval)
  }

  @Test("an observation of a synced table is notified once a page, and not if nothing has changed")
  func observation() async throws {
    let portal = ModelPortal.filled(35, pageSize: 10)
    let counts = Lock<[Int]>([])
    let observation = ValueObservation.tracking { try PortalStone.fetchCount($0) }
    let observer = observation.start(
      in: database, scheduling: .async(onQueue: DispatchQueue(label: "observer")),
      onError: { _ in },
      onChange: { count in counts.withLock { $0.append(count) } })
    defer { observer.cancel() }
    await waitUntil { counts.withLock(\.last) == 0 }
    try await table(portal).refresh(.now)
    await waitUntil { counts.withLock(\.last) == 35 }
    #expect(counts.withLock { $0 } == [0, 10, 20, 30, 35])
    let changes = Lock(0)
    let region = DatabaseRegionObservation(tracking: Table("portalStone"))
    let watcher = region.start(in: database) { _ in
    } onChange: { _ in
      changes.withLock { $0 += 1 }
    }
    defer { watcher.cancel() }
    try await table(portal).refresh(.now)
    #expect(changes.withLock { $0 } == 0)
    portal.change { $0.put(PortalStone(id: "s4", value: 44)) }
    try await table(portal).refresh(.now)
    #expect(changes.withLock { $0 } == 1)
  }

  @Test("a synced table keeps the columns that its record doesn't encode")
  func ownColumns() async throws {
    let portal = ModelPortal.filled(20, pageSize: 7)
    try await table(portal).refresh(.now)
    try await database.write { db in
      try db.execute(sql: "UPDATE portalStone SET mine = 'kept' WHERE id = 's4'")
    }
    portal.change { $0.put(PortalStone(id: "s4", value: 44)) }
    let report = try await table(portal).refresh(.now)
    #expect(report.updated == 1)
    let row = try database.rows().first { $0["id"] == "s4" }
    #expect(row?["value"] == 44)
    #expect(row?["mine"] == "kept")
  }

  @Test(
    "a synced table has every row that it had, in every column, after a source that lies",
    arguments: [0, 1, 30])
  func lies(before count: Int) async throws {
    let portal = ModelPortal(pageSize: 5, pageLimit: 40)
    portal.change { state in
      for number in 0..<count { state.put(PortalStone(id: "s\(number)", value: number)) }
    }
    if count > 0 { try await table(portal, .never).refresh(.now) }
    try await database.write { try $0.execute(sql: "UPDATE portalStone SET mine = 'kept ' || id") }
    let rows = try database.rows()
    let content = try await GRDBTable<PortalStone>(database).content()
    portal.change { state in
      state.beforeAnswer = { request, state in
        // New rows without an end, known ones that change, and new ones that change again.
        for row in 0..<5 { state.put(PortalStone(id: "new \(request) \(row)", value: 0)) }
        state.put(PortalStone(id: "s0", value: 1_000 + request))
        state.put(PortalStone(id: "new 1 1", value: request))
      }
    }
    let error = await #expect(throws: FieldError.self) {
      try await table(portal, .never).refresh(.now)
    }
    #expect(error?.code == .unboundedPagination)
    #expect(try database.rows() == rows)
    let after = try await GRDBTable<PortalStone>(database).content()
    #expect(after.count == content.count)
    #expect(after.checkpoint?.cursors == content.checkpoint?.cursors ?? [:])
    portal.change { state in
      state.beforeAnswer = nil
      state.rows = state.rows.filter { !$0.value.stone.id.hasPrefix("new") }
    }
    try await table(portal, .never).refresh(.now)
    #expect(try await stones() == portal.stones)
  }

  @Test("a run leaves no table behind, and none in the database itself")
  func temporaryTables() async throws {
    try await table(ModelPortal.filled(20, pageSize: 7)).refresh(.now)
    let left = try await database.write { db in
      try String.fetchAll(db, sql: "SELECT name FROM sqlite_temp_master")
    }
    #expect(left.isEmpty)
    let names = try await database.read { db in
      try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
    }
    #expect(Set(names) == ["portalStone", "fieldCheckpoint"])
  }

  @Test("a deletion that a foreign key forbids is an error, and changes nothing")
  func foreignKey() async throws {
    let portal = ModelPortal.filled(20, pageSize: 7)
    try await table(portal).refresh(.now)
    try await database.write { db in
      try db.create(table: "visit") { table in
        table.primaryKey("id", .integer)
        table.column("stone", .text).references("portalStone")
      }
      try db.execute(sql: "INSERT INTO visit (stone) VALUES ('s4')")
    }
    portal.change { state in
      state.delete("s3")
      state.delete("s4")
    }
    let error = await #expect(throws: FieldError.self) { try await table(portal).refresh(.now) }
    #expect(error?.code == .invalidInput)
    #expect(error?.underlying is DatabaseError)
    #expect(try database.rows().count == 20)
    try await database.write { try $0.execute(sql: "DELETE FROM visit") }
    #expect(try await table(portal).refresh(.now).removed == 2)
  }

  @Test("a database without a table of checkpoints is an error that says how to create it")
  func noCheckpoints() async throws {
    try await database.write { try $0.drop(table: "fieldCheckpoint") }
    let error = await #expect(throws: FieldError.self) {
      try await table(ModelPortal.filled(3, pageSize: 7)).open()
    }
    #expect(error?.code == .invalidInput)
    #expect(error?.description.contains("createSyncCheckpoints()") == true)
  }

  @Test("a table whose primary key has several columns is an error of the refresh")
  func severalColumns() async throws {
    try await database.write { db in
      try db.drop(table: "portalStone")
      try db.execute(
        sql: "CREATE TABLE portalStone (id TEXT, value INTEGER, note TEXT, PRIMARY KEY (id, value))"
      )
    }
    let error = await #expect(throws: FieldError.self) {
      try await table(ModelPortal.filled(3, pageSize: 7)).refresh(.now)
    }
    #expect(error?.code == .invalidInput)
    #expect(error?.description.contains("2 columns") == true)
  }

  @Test("a checkpoint that can't be read makes the next refresh read all rows")
  func unreadableCheckpoint() async throws {
    let portal = ModelPortal.filled(20, pageSize: 7)
    try await table(portal).refresh(.now)
    try await database.write {
      try $0.execute(sql: "UPDATE fieldCheckpoint SET checkpoint = '{\"validators\": 7'")
    }
    let report = try await table(portal).refresh(.now)
    #expect(report.rows == 20)
    #expect(report.unchanged == 20)
  }

  @Test("a full disk stops a refresh, which continues when there is room")
  func fullDisk() async throws {
    let portal = ModelPortal.filled(2_000, pageSize: 100)
    try await database.write { db in
      let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      try db.execute(sql: "PRAGMA max_page_count = \(pages + 12)")
    }
    let error = await #expect(throws: FieldError.self) { try await table(portal).refresh(.now) }
    #expect(error?.code == .diskFull)
    let stored = try database.rows().count
    #expect(stored > 0 && stored < 2_000 && stored % 100 == 0)
    try await database.write { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
    let report = try await table(portal).refresh(.now)
    #expect(report.notices.contains { $0.code == .resumed })
    #expect(report.rows == 2_000 - stored)
    #expect(try await stones() == portal.stones)
  }

  @Test("a refresh that is canceled keeps its pages, and the next one continues")
  func cancellation() async throws {
    let portal = ModelPortal.filled(50, pageSize: 10)
    let task = Lock<Task<RefreshReport, any Error>?>(nil)
    portal.change { state in
      state.beforeAnswer = { request, _ in
        if request == 3 { task.withLock { $0?.cancel() } }
      }
    }
    let table = table(portal)
    let running = Task { try await table.refresh(.now) }
    task.withLock { $0 = running }
    await #expect(throws: CancellationError.self) { try await running.value }
    portal.change { $0.beforeAnswer = nil }
    // The run may end a little after its caller.
    let report = try await self.table(portal).refresh(.now)
    #expect(try await stones() == portal.stones)
    #expect(report.rows <= 50)
  }

  @Test("an erased table is empty, stays so during a refresh, and is filled by the next one")
  func erasing() async throws {
    let portal = ModelPortal.filled(50, pageSize: 10)
    let table = table(portal)
    let other = self.table(portal)
    let hasErased = Lock(false)
    let source = InterferingSource(base: portal) {
      let isFirst = hasErased.withLock { hasErased in
        defer { hasErased = portal.requestCount == 2 }
        return !hasErased && portal.requestCount == 2
      }
      if isFirst { try await other.eraseAll() }
    }
    let error = await #expect(throws: FieldError.self) {
      try await self.table(source).refresh(.now)
    }
    #expect(error?.code == .conflict)
    #expect(try database.rows().isEmpty)
    #expect(try await table.lastRefresh == nil)
    try await table.refresh()
    #expect(try database.rows().count == 50)
    let first = try await GRDBTable<PortalStone>(database).content().checkpoint?.erasure
    try await table.eraseAll()
    let second = try await GRDBTable<PortalStone>(database).content().checkpoint?.erasure
    #expect(first != nil && second != nil && first != second)
  }

  private func stones() async throws -> Set<PortalStone> {
    Set(try await database.read { try PortalStone.fetchAll($0) })
  }

  private func waitUntil(_ condition: () -> Bool) async {
    for _ in 0..<500 where !condition() { try? await Task.sleep(for: .milliseconds(10)) }
  }
}
