import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import FieldPortals
import TestSupport
import Testing

@Suite("A sync from a portal loses no row")
struct SODALossTests {
  private func table(
    _ transport: StubTransport, key: String = "code", deletion: DeletionPolicy,
    pageSize: Int = 100
  ) throws -> SODATable {
    SODATable(
      client: try SmallSODA.client(transport), key: key, storage: .inMemory, deletion: deletion,
      snapshotGuard: SnapshotGuard(maximumRemovedFraction: 1),
      options: SyncOptions(pageSize: pageSize))
  }

  @Test(
    "a sync loses no row if its key has blanks, is the word null, a Boolean value, or an object",
    arguments: ["\" A \"", "\"null\"", "true", "{\"a\":1}", "\"\\u00e9 \"", "7"])
  func oddKeys(key: String) async throws {
    let rows = [
      SmallSODA.row(1, "\"code\":\(key),\"v\":\"1\""), SmallSODA.row(2, "\"code\":\"b\""),
    ]
    let transport = SmallSODA.transport("soda", [SmallSODA.body(rows)]) {
      $0.on(
        "soda.keys",
        respond: .sequence(
          .json(text: SmallSODA.body(rows)), .json(text: "[]\n"), repeatingLast: true))
    }
    let table = try table(transport, deletion: .byKeys)
    #expect(try await table.refresh().added == 2)
    let report = try await table.refresh(.now)
    #expect(transport.requests(for: "soda.keys").count == 2)
    #expect(report.removed == 0)
    #expect(report.notices.map(\.code) == [])
    #expect(try await table.rows().count == 2)
  }

  @Test("a sync removes nothing if a key can only be read in part, because it may be any row's")
  func brokenKey() async throws {
    func rows(_ key: String) -> String {
      SmallSODA.body(
        (1...30).map { SmallSODA.row($0, changed: $0, "\"code\":\"\($0)\"") }
          + [SmallSODA.row(31, changed: 31, "\"code\":\"\(key)\"")])
    }
    let transport = SmallSODA.transport("soda", [rows("\u{e9}1"), "[]", rows("\\ud83d1"), "[]"])
    let table = try table(transport, deletion: .bySnapshot)
    #expect(try await table.refresh().added == 31)
    let report = try await table.refresh(.now)
    #expect(report.failureCount == 1)
    #expect(report.removed == 0)
    #expect(report.notices.map(\.code) == [.removalSkipped])
    #expect(try await table.row(SODARow.ID(rawValue: "\u{e9}1")) != nil)
  }

  @Test("a sync loses no row if a page gets an unsolicited 304, which doesn't end the rows")
  func unaskedNotModified() async throws {
    let first = SmallSODA.body((1...10).map { SmallSODA.row($0, "\"code\":\"\($0)\"") })
    let second = SmallSODA.body((11...20).map { SmallSODA.row($0, "\"code\":\"\($0)\"") })
    let transport = StubTransport {
      $0.on(
        "soda.page",
        respond: .sequence(
          .json(text: first), .json(text: second), .json(text: "[]"),
          .json(text: first), .status(304)))
    }
    let table = try table(transport, deletion: .bySnapshot, pageSize: 10)
    #expect(try await table.refresh().added == 20)
    let error = await #expect(throws: FieldError.self) { try await table.refresh(.now) }
    #expect(error?.code == .status)
    #expect(try await table.rows().count == 20)
  }

  @Test("a sync loses no row if the portal no longer accepts the stored position")
  func refusedPosition() async throws {
    let refusal = "{\"code\":\"query.soql.type-mismatch\",\"error\":true,\"message\":\"no\"}"
    let first = SmallSODA.body((1...10).map { SmallSODA.row($0, "\"code\":\"\($0)\"") })
    let second = SmallSODA.body((1...12).map { SmallSODA.row($0, "\"code\":\"\($0)\"") })
    let transport = StubTransport {
      $0.on(
        "soda.page",
        respond: .sequence(
          .json(text: first), .json(text: "[]"), .json(text: refusal, status: 400),
          .json(text: second), .json(text: "[]")))
    }
    let table = try table(transport, deletion: .never)
    try await table.refresh()
    let report = try await table.refresh(.now)
    #expect(report.added == 2)
    #expect(report.unchanged == 10)
    #expect(report.notices.map(\.code) == [.startedAnew])
    let where4 = transport.requests[3].url.absoluteString
    #expect(!where4.contains("where"))
    transport.verifyAllUsed()
  }

  @Test(
    "a sync fails if the table is emptied during a refresh, and the next one has all rows")
  func erasedMeanwhile() async throws {
    for emptying in [1, 2] {
      let bodies = SmallSODA.bodies(20, pageSize: 10, version: 1)
      let (left, table) = (Lock(bodies + bodies), Lock<SODATable?>(nil))
      let transport = StubTransport {
        $0.on("soda.page") { _ in
          let (body, number) = left.withLock { left in
            (left.removeFirst(), 2 * bodies.count - left.count)
          }
          // The second page, or the empty one at the end.
          if number == emptying + 1 { try await table.withLock { $0 }?.eraseAll() }
          return TransportResponse(status: 200, body: .text(body))
        }
      }
      let made = try self.table(transport, key: "id", deletion: .never, pageSize: 10)
      table.withLock { $0 = made }
      let error = await #expect(throws: FieldError.self) { try await made.refresh(.now) }
      #expect(error?.code == .conflict)
      #expect(try await made.rows().isEmpty)
      #expect(try await made.lastRefresh == nil)
      left.withLock { $0 = bodies }
      #expect(try await made.refresh(.now).added == 20)
      #expect(try await made.rows().count == 20)
    }
  }

  @Test("a sync requests the key even if it isn't among the selected columns")
  func keyIsSelected() async throws {
    let transport = SmallSODA.transport(
      "soda", [SmallSODA.body([SmallSODA.row(1, "\"code\":\"a\",\"v\":\"1\"")])])
    let table = SODATable(
      client: try SmallSODA.client(transport), key: "code", select: ["v"], storage: .inMemory,
      deletion: .never)
    #expect(try await table.refresh().added == 1)
    #expect(
      transport.requests[0].url.absoluteString.removingPercentEncoding?
        .contains("$select=v, code, :id, :updated_at") == true)
  }

  @Test("a sync soon requests a dataset without rows again, but not each time")
  func emptyDataset() async throws {
    let clock = ManualClock()
    let transport = StubTransport { $0.on("soda.page", respond: .json(text: "[]\n")) }
    let table = SODATable(
      client: try SmallSODA.client(transport), storage: .inMemory, clock: clock, deletion: .never)
    #expect(try await table.refresh().outcome == .unchanged)
    #expect(try await table.nextRefreshDate == clock.now.addingTimeInterval(60))
    #expect(try await table.refresh().outcome == .notDue)
    #expect(transport.requests.count == 1)
    clock.advance(by: .seconds(60))
    #expect(try await table.refresh().outcome == .unchanged)
    #expect(try await table.nextRefreshDate == clock.now.addingTimeInterval(120))
  }
}
