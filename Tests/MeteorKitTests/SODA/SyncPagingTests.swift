import FieldCore
import FieldFakes
import Foundation
import MeteorKit
import TestSupport
import Testing

@Suite("Syncing with a portal, page by page", .heavy)
struct SyncPagingTests {
  // S1 of Docs/old-apps.md
  @Test(
    "all rows of one time come in full pages and a rest, none twice, none lost",
    .timeLimit(.minutes(60)))
  func totalTie() async throws {
    let pages = Sample.rounds(46, 6, inDebug: 4)
    let portal = PortalFixture(stones: pages * 1_000 - 284)
    let report = try await portal.refresh(pageSize: 1_000)
    #expect(portal.server.requestCount == pages)
    #expect(report.added == pages * 1_000 - 284)
    #expect(report.rows == pages * 1_000 - 284)
    #expect(try await portal.masses() == portal.portalMasses)
    let stamps = Set(portal.server.requests.dropFirst().compactMap { $0[parameter: "$where"] })
    #expect(stamps.count == pages - 1)
  }

  // S2 of Docs/old-apps.md
  @Test(
    "pages of one row, of all rows, and of an even fraction contain all rows",
    arguments: [1, 24, 12, 5])
  func pageSizes(size: Int) async throws {
    let portal = PortalFixture(stones: 24)
    let report = try await portal.refresh(pageSize: size)
    #expect(report.added == 24)
    #expect(try await portal.masses() == portal.portalMasses)
    // A page that is as long as all before says nothing of the end, so an empty one follows.
    #expect(portal.server.requestCount == 24 / size + 1)
  }

  // S3 of Docs/old-apps.md
  @Test("rows of one time on both sides of a page's edge are each stored once")
  func tiesAtTheEdge() async throws {
    let portal = PortalFixture()
    for group in 0..<12 {
      portal.pass(10)
      portal.server.insert((1...7).map { PortalFixture.stone(group * 7 + $0) })
    }
    let report = try await portal.refresh(pageSize: 10)
    #expect(report.added == 84)
    #expect(report.unchanged == 0)
    #expect(try await portal.masses() == portal.portalMasses)
  }

  // S4 of Docs/old-apps.md
  @Test("rows arrive completely if the text order of the IDs differs from the server's")
  func idsOutOfOrder() async throws {
    let portal = PortalFixture(stones: 200)
    #expect(portal.server.rowIDs != portal.server.rowIDs.sorted())
    try await portal.refresh(pageSize: 9)
    #expect(try await portal.masses() == portal.portalMasses)
  }

  // S5 of Docs/old-apps.md
  @Test(
    "rows arrive completely from a server that caps its pages below the requested size",
    arguments: [1, 7, 50, 64])
  func cappedPages(cap: Int) async throws {
    var options = FakeSODAServer.Options()
    options.pageCap = cap
    let portal = PortalFixture(stones: 100, options: options)
    try await portal.refresh(pageSize: 1_000)
    #expect(try await portal.masses() == portal.portalMasses)
  }

  // S6 of Docs/old-apps.md
  @Test("a static file that ignores the query is detected, and the store is unchanged")
  func staticFile() async throws {
    for (asked, given) in [(100, 100), (100, 60), (1_000, 1_000)] {
      let portal = PortalFixture(stones: 1_200)
      let error = await portal.failure(
        of: try portal.source(
          pageSize: asked, transport: DeafTransport(server: portal.server, rows: given)))
      #expect(error?.code == .noProgress)
      #expect(error?.message.contains("static file") == true)
      #expect(try await portal.masses().isEmpty)
      #expect(try await portal.store.snapshot().checkpoint?.cursors.isEmpty ?? true)
      #expect(portal.server.requestCount <= 5)
    }
  }

  // S6 of Docs/old-apps.md
  @Test("a file without system fields is rejected at its first page")
  func fileWithoutSystemFields() async throws {
    var options = FakeSODAServer.Options()
    options.staticRows = 1_000
    let portal = PortalFixture(stones: 1_200, options: options)
    let error = await portal.failure(of: try portal.source())
    #expect(error?.code == .sodaNoSystemFields)
    #expect(try await portal.masses().isEmpty)
    #expect(portal.server.requestCount == 1)
  }

  // S7 of Docs/old-apps.md
  @Test(
    "a response without rows, in any notation, is the end",
    arguments: ["[]\n", "[]", "  [ ] \r\n", "\u{FEFF}[]\n", "\n\t[\n]"])
  func emptyAnswers(body: String) async throws {
    let portal = PortalFixture()
    portal.server.faults.append(.json(200, body), onRequests: 1...)
    let report = try await portal.refresh()
    #expect(report.rows == 0)
    #expect(report.outcome == .unchanged)
    #expect(portal.server.requestCount == 1)
  }

  // S8 of Docs/old-apps.md
  @Test("rows added, changed, or deleted between pages, before or behind the cursor, are found")
  func changesBetweenPages() async throws {
    // The rows 1…40 have times of their own, so row 10 is the last of the first page.
    for target in [3, 10, 11, 25, 40] {
      for action in ["insert", "update", "delete"] {
        let portal = PortalFixture()
        for number in 1...40 {
          portal.pass(1)
          portal.server.insert([PortalFixture.stone(number)])
        }
        let server = portal.server
        server.onRequest = { number, _ in
          guard number == 2 else { return }
          switch action {
          case "insert": server.insert([PortalFixture.stone(100 + target, mass: 5)])
          case "update": server.update("\(target)", ["mass": 77])
          default: server.delete("\(target)")
          }
        }
        try await portal.refresh(deletion: .byKeys, pageSize: 10)
        server.onRequest = nil
        if action == "delete" && target <= 10 {
          // It had come before it was deleted: only the next run can find that out.
          #expect(try await portal.masses().count == 40)
          try await portal.refresh(deletion: .byKeys, pageSize: 10)
        }
        let stored = try await portal.masses()
        #expect(stored == portal.portalMasses, "\(action) of \(target)")
      }
    }
  }

  // S9 of Docs/old-apps.md
  @Test("rows arrive completely if the server stores times with more digits than it prints")
  func coarseTimes() async throws {
    var options = FakeSODAServer.Options()
    options.keepsMicroseconds = true
    options.stampStep = .microseconds(1)
    let portal = PortalFixture(options: options)
    // All within one printed millisecond.
    for number in 1...95 { portal.server.insert([PortalFixture.stone(number)]) }
    let report = try await portal.refresh(pageSize: 10)
    #expect(try await portal.masses() == portal.portalMasses)
    #expect(report.notices.map(\.code).contains(.coarseTimes))
    portal.pass(60)
    portal.server.update("7", ["mass": 700])
    portal.server.insert([PortalFixture.stone(96)])
    try await portal.refresh(pageSize: 10)
    #expect(try await portal.masses() == portal.portalMasses)
  }

  // S9 of Docs/old-apps.md
  @Test("a row that changes after it was read by key is found by the next run")
  func changeWhileReadingByKey() async throws {
    var options = FakeSODAServer.Options()
    options.keepsMicroseconds = true
    options.stampStep = .microseconds(1)
    let portal = PortalFixture(options: options)
    for number in 1...95 { portal.server.insert([PortalFixture.stone(number)]) }
    let (server, clock) = (portal.server, portal.portalClock)
    server.onRequest = { number, _ in
      // After three pages by key.
      guard number == 6 else { return }
      for (id, mass) in [("1", 77), ("95", 78)] {
        clock.advance(by: .seconds(5))
        server.update(id, ["mass": .number("\(mass)")])
      }
    }
    let report = try await portal.refresh(pageSize: 10)
    #expect(report.notices.map(\.code).contains(.coarseTimes))
    server.onRequest = nil
    try await portal.refresh(pageSize: 10)
    #expect(try await portal.masses() == portal.portalMasses)
  }

  // S9 of Docs/old-apps.md
  @Test("a few rows with one printed time are no reason to read by key")
  func coarseTimesThatMoveOn() async throws {
    var options = FakeSODAServer.Options()
    options.keepsMicroseconds = true
    options.stampStep = .microseconds(300)
    let portal = PortalFixture(options: options)
    for number in 1...95 { portal.server.insert([PortalFixture.stone(number)]) }
    let report = try await portal.refresh(pageSize: 10)
    #expect(try await portal.masses() == portal.portalMasses)
    #expect(report.notices.isEmpty)
  }

  // S10 of Docs/old-apps.md
  @Test("a portal with endless pages causes an error, and the store is unchanged")
  func unboundedPagination() async throws {
    let portal = PortalFixture(stones: 30)
    try await portal.refresh(pageSize: 10)
    let before = try await portal.store.snapshot()
    portal.server.options.unboundedRow = { PortalFixture.stone(1_000 + $0) }
    portal.server.update("3", ["mass": 33])
    let error = await portal.failure(of: try portal.source(pageSize: 10, pageLimit: 50))
    #expect(error?.code == .unboundedPagination)
    let after = try await portal.store.snapshot()
    #expect(Array(after) == Array(before))
    #expect(after.checkpoint == before.checkpoint)
  }
}

/// A server that gives the first rows with their system fields, whatever it is asked for.
private struct DeafTransport: Transport {
  let server: FakeSODAServer
  let rows: Int

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    var deaf = request
    deaf.url = server.url("/resource/gh4g-9sfh.json?$select=*,:id,:updated_at&$limit=\(rows)")
    return try await server.send(deaf)
  }
}
