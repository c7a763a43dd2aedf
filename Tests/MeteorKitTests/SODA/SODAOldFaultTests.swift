import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import MeteorKit
import TestSupport
import Testing

/// The lines of Docs/old-apps.md that are about asking a portal; ``OldFaultTests`` has the others.
@Suite("What the old app got wrong with a portal")
struct SODAOldFaultTests {
  private func catalog(
    _ transport: StubTransport, clock: any FieldClock = ManualClock(), pageSize: Int = 10
  ) throws -> MeteoriteCatalog {
    MeteoriteCatalog(
      source: SODAMeteorites(
        try SmallSODA.client(transport), options: SyncOptions(pageSize: pageSize, overlap: .zero)),
      storage: .inMemory, clock: clock)
  }

  private func sent(_ request: TransportRequest) -> String {
    request.url.absoluteString.removingPercentEncoding ?? ""
  }

  // 3.5-3 of Docs/old-apps.md
  @Test(
    "the time of the last change is sent as the server wrote it, on 30 December, too",
    arguments: [
      "2019-12-30T23:30:00.000Z", "2024-12-30T00:00:00.000Z", "2020-12-31T23:59:59.999Z",
      "2027-01-01T00:00:00.123Z",
    ])
  func weekYear(time: String) async throws {
    let row = "{\":id\":\"row-1\",\":updated_at\":\"\(time)\",\"id\":\"1\",\"name\":\"Aachen\"}"
    let transport = SmallSODA.transport("meteorites", [SmallSODA.body([row]), "[]\n"])
    // A device whose clock says something else altogether.
    let catalog = try catalog(
      transport, clock: ManualClock(now: Date(timeIntervalSince1970: 1_000_000_000)))
    try await catalog.refresh()
    try await catalog.refresh(.now)
    let asked = sent(try #require(transport.requests.last))
    #expect(
      asked.contains(
        "$where=:updated_at > '\(time)' OR :updated_at = '\(time)' AND :id > 'row-1'"))
    // A time that is printed here has the calendar's year and is in UTC.
    let date = try #require(SODAValue(time).date)
    #expect(SoQL("\(date)").description.contains(time))
  }

  // 3.5-4 of Docs/old-apps.md
  @Test("every request has a limit and an order, and several pages of rows arrive")
  func limitAndOrder() async throws {
    let transport = SmallSODA.transport(
      "meteorites", SmallSODA.bodies(2_500, pageSize: 1_000, version: 1))
    let catalog = try catalog(transport, pageSize: 1_000)
    #expect(try await catalog.refresh().added == 2_500)
    #expect(transport.requests.count == 3)
    for request in transport.requests {
      #expect(sent(request).contains("$order=:updated_at, :id"))
      #expect(sent(request).contains("$limit=1000"))
      #expect(!sent(request).contains("$offset"))
    }
  }

  // 3.5-8 of Docs/old-apps.md
  @Test(
    "an interrupted background task reports it, and the next one resumes after its pages")
  func backgroundTask() async throws {
    let bodies = SmallSODA.bodies(30, pageSize: 10, version: 1)
    let (isHung, requests) = (Lock(false), Lock(0))
    let transport = StubTransport {
      $0.on("meteorites.page") { _ in
        let number = requests.withLock { number in
          defer { number += 1 }
          return number
        }
        if number == 2 {
          // The network hangs until the system ends the task.
          isHung.withLock { $0 = true }
          try await Task.sleep(for: .seconds(3_600))
        }
        return TransportResponse(status: 200, body: .text(bodies[number < 2 ? number : number - 1]))
      }
    }
    let catalog = try catalog(transport)
    let steps = catalog.refreshProgress()
    let task = Task { try await catalog.refresh() }
    try await eventually { isHung.withLock { $0 } }
    task.cancel()
    // It is over when the work is, and it is no success.
    await #expect(throws: CancellationError.self) { try await task.value }
    for await step in steps {
      guard let outcome = step.outcome else { continue }
      guard case .cancelled = outcome else {
        Issue.record("the last step says \(outcome)")
        break
      }
      break
    }
    #expect(try await catalog.count() == 20)
    #expect(try await catalog.lastRefresh == nil)
    #expect(try await catalog.view().checkpoint?.cursors["sync.run"] == "full")
    let report = try await catalog.refresh()
    #expect(report.added == 10)
    #expect(report.notices.map(\.code) == [.resumed])
    #expect(sent(transport.requests[3]).contains(":id > 'row-10019'"))
    #expect(try await catalog.lastRefresh != nil)
  }

  // 3.5-9 of Docs/old-apps.md
  @Test("launch, foreground, and background all check the same condition: is it due")
  func foreground() async throws {
    let clock = ManualClock()
    let transport = SmallSODA.transport(
      "meteorites", [SmallSODA.bodies(5, pageSize: 10, version: 1)[0]])
    let catalog = try catalog(transport, clock: clock)
    // Launch.
    #expect(try await catalog.refresh().outcome == .updated)
    let asked = transport.requests.count
    // To the foreground, again and again on the same day.
    for _ in 0..<3 {
      clock.advance(by: .seconds(6 * 3_600))
      #expect(try await catalog.refresh(.ifDue).outcome == .notDue)
    }
    #expect(transport.requests.count == asked)
    // To the foreground on the next day, without a launch in between.
    clock.advance(by: .seconds(6 * 3_600 + 1))
    #expect(try await catalog.refresh(.ifDue).outcome == .unchanged)
    #expect(transport.requests.count == asked + 1)
  }
}
