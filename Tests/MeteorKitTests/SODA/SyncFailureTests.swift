import FieldCore
import FieldFakes
import Foundation
import MeteorKit
import TestSupport
import Testing

@Suite("Syncing with a portal that fails", .heavy)
struct SyncFailureTests {
  // S20 of Docs/old-apps.md
  @Test("a refresh that is canceled at any await reports it, and the next one resumes")
  func cancelledAnywhere() async throws {
    for request in 1...6 {
      let portal = PortalFixture(stones: 50)
      portal.server.faults.append(.silence, onRequest: request)
      let catalog = portal.catalog(try portal.source(deletion: .byKeys, pageSize: 10))
      let refresh = Task { try await catalog.refresh(.now) }
      try await eventually { portal.server.requestCount >= request }
      refresh.cancel()
      await #expect(throws: CancellationError.self) { try await refresh.value }
      #expect(try await portal.masses().count == min(50, (request - 1) * 10))
      portal.server.faults.removeAll()
      let report = try await portal.refresh(deletion: .byKeys, pageSize: 10)
      #expect(report.added == 50 - min(50, (request - 1) * 10))
      #expect(try await portal.masses() == portal.portalMasses)
    }
  }

  // S21 of Docs/old-apps.md
  @Test(
    "transient failures are retried",
    arguments: [
      Fault.status(500), .status(502), .status(503), .tooManyRequests(),
      .tooManyRequests(retryAfter: "7"),
      .tooManyRequests(retryAfter: "Thu, 01 Jan 2026 00:00:09 GMT"),
      .tooManyRequests(retryAfter: "-99999999999999999999"), .stillProcessing, .drop(),
    ])
  func passingFailures(fault: Fault) async throws {
    let portal = PortalFixture(stones: 25)
    portal.server.faults.append(fault, onRequests: 2...3)
    let transport = portal.server.retrying(.portal, clock: portal.clock, random: { 1 })
    try await portal.catalog(portal.source(pageSize: 10, transport: transport)).refresh(.now)
    #expect(try await portal.masses() == portal.portalMasses)
    #expect(portal.server.requestCount == 3 + 2)
    #expect(!portal.clock.slept.isEmpty)
    #expect(portal.clock.slept.allSatisfy { $0 <= .seconds(60) })
  }

  // S21 of Docs/old-apps.md
  @Test("a portal that is busy forever is abandoned, with its own code")
  func pendingForEver() async throws {
    let portal = PortalFixture(stones: 5)
    portal.server.faults.append(.stillProcessing, onRequests: 1...)
    let error = await portal.failure(
      of: try portal.source(patience: SODAPatience(pendingLimit: 3)))
    #expect(error?.code == .sodaPending)
    #expect(portal.server.requestCount == 4)
    #expect(portal.clock.slept == [.seconds(5), .seconds(5), .seconds(5)])
  }

  // S22 of Docs/old-apps.md
  @Test(
    "a query that the portal rejects is sent once; a removed column has its own code"
  )
  func badQueries() async throws {
    let portal = PortalFixture(stones: 5)
    let transport = portal.server.retrying(.portal, clock: portal.clock)
    let gone = await portal.failure(
      of: try portal.source(condition: "massiveness > \(5)", transport: transport))
    #expect(gone?.code == .schema)
    #expect(gone?.message.contains("massiveness") == true)
    #expect(portal.server.requestCount == 1)
    let wrong = await portal.failure(
      of: try portal.source(condition: "mass = \("heavy")", transport: transport))
    #expect(wrong?.code == .sodaQuery)
    #expect(portal.server.requestCount == 2)
    #expect(try await portal.store.snapshot().checkpoint == nil)
  }

  // S22 of Docs/old-apps.md
  @Test(
    "a removed column has its own code in every shape of errors",
    arguments: [
      FakeSODAServer.ErrorShape.documented, .coordinator,
    ])
  func goneColumnShapes(shape: FakeSODAServer.ErrorShape) async throws {
    var options = FakeSODAServer.Options()
    options.errorShape = shape
    let portal = PortalFixture(stones: 5, options: options)
    let error = await portal.failure(of: try portal.source(condition: "gone > 5"))
    #expect(error?.code == .schema)
  }

  // S23 of Docs/old-apps.md
  @Test("a rejected token is never sent again, and that is reported")
  func refusedToken() async throws {
    var options = FakeSODAServer.Options()
    options.acceptedTokens = ["good"]
    let portal = PortalFixture(stones: 25, options: options)
    let source = try portal.source(pageSize: 10, token: SODAToken("bad"))
    let catalog = portal.catalog(source)
    let report = try await catalog.refresh(.now)
    #expect(report.notices.map(\.code) == [.sodaTokenRefused])
    #expect(try await portal.masses() == portal.portalMasses)
    let tokens = portal.server.requests.map(\.token)
    #expect(tokens == ["bad", nil, nil, nil])
    // Remembered by the client, so the next refresh does not try it again.
    try await catalog.refresh(.now)
    #expect(portal.server.requests.filter { $0.token == "bad" }.count == 1)
    #expect(portal.server.requests.allSatisfy { $0.tokensInAddress.isEmpty })
    // A good one is sent with every request, in the header.
    let other = PortalFixture(stones: 5, options: options)
    try await other.catalog(other.source(token: SODAToken { "good" })).refresh(.now)
    #expect(other.server.requests.allSatisfy { $0.token == "good" })
  }

  // S24 of Docs/old-apps.md
  @Test(
    "a body without rows is a typed error that names the cause, and the store is unchanged",
    arguments: [
      (Fault.retiredDataset, FieldError.Code.notFound, "gh4g-9sfh"),
      (.webPage, .notData, "HTML page"),
      (.bucketDenial, .sodaDenied, "access"),
      (.object(), .notData, "object"),
      (.object(#"{"error":true,"code":"query.timeout"}"#), .notData, "query.timeout"),
      (.json(400, #"{"code":"invalid-request","error":true}"#), .sodaQuery, "invalid-request"),
      (.json(400, ""), .sodaQuery, "400"),
      (.json(403, #"{"code":"permission_denied","error":true}"#), .sodaDenied, "permission_denied"),
    ])
  func notRows(fault: Fault, code: FieldError.Code, part: String) async throws {
    let portal = PortalFixture(stones: 25)
    try await portal.refresh(pageSize: 10)
    let before = try await portal.store.snapshot()
    portal.server.faults.append(fault, onRequests: 1...)
    let error = await portal.failure(of: try portal.source(pageSize: 10))
    #expect(error?.code == code)
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    let after = try await portal.store.snapshot()
    #expect(after.revision == before.revision)
  }

  // S25 of Docs/old-apps.md
  @Test("a body truncated at any byte is requested again, and never stored in part")
  func cutEverywhere() async throws {
    let probe = PortalFixture(stones: 3)
    let whole = try await probe.server.send(
      TransportRequest(
        url: probe.server.url("/resource/gh4g-9sfh.json?$select=*,:id,:updated_at"), operation: "x")
    )
    let bytes = try whole.body.bytes()
    for length in Sample.of(0..<bytes.count - 2, 30) {
      let portal = PortalFixture(stones: 3)
      portal.server.faults.append(.truncatedBody(after: length), onRequest: 1)
      try await portal.refresh()
      #expect(try await portal.masses() == portal.portalMasses)
      #expect(portal.server.requestCount == 3, "cut after \(length)")
    }
    // Cut again and again, it is an error, and nothing is stored.
    let portal = PortalFixture(stones: 3)
    portal.server.faults.append(.truncatedBody(after: 150), onRequests: 1...)
    let error = await portal.failure(of: try portal.source())
    #expect(error?.code == .cut)
    #expect(try await portal.masses().isEmpty)
    #expect(portal.server.requestCount == 4)
  }

  // S26 of Docs/old-apps.md
  @Test("one unreadable row of a thousand is reported, and the others are stored")
  func badRow() async throws {
    let portal = PortalFixture(stones: 999)
    portal.server.insert([["name": "Nameless", "mass": 7]])
    let report = try await portal.refresh()
    #expect(report.added == 999)
    #expect(report.failureCount == 1)
    #expect(report.failures.first?.index == 999)
    #expect(report.failures.first?.excerpt.contains("Nameless") == true)
    // Changes of a single bad row are reported too, and do not stop the sync for ever.
    portal.pass(10)
    portal.server.insert([["name": "Also nameless"]])
    #expect(try await portal.refresh().failureCount == 1)
    #expect(try await portal.refresh().rows == 0)
  }

  // S26 of Docs/old-apps.md
  @Test("more bad rows than the guard allows mean a wrong dataset")
  func manyBadRows() async throws {
    let portal = PortalFixture(stones: 80)
    portal.server.insert((0..<20).map { ["name": .text("Nameless \($0)")] })
    let error = await portal.failure(of: try portal.source())
    #expect(error?.code == .snapshotRefused)
    #expect(try await portal.masses().isEmpty)
    let all = PortalFixture()
    all.server.insert([["name": "Nameless"]])
    #expect(await all.failure(of: try all.source())?.code == .malformed)
  }

  // S27 of Docs/old-apps.md
  @Test("a store that can't be written keeps its position, and the rows arrive again")
  func storeFailure() async throws {
    let portal = PortalFixture(stones: 50)
    let commits = Lock(0)
    let failing = HookedRepository(base: portal.store) {
      let number = commits.withLock { commits in
        commits += 1
        return commits
      }
      if number == 3 { throw FieldError(.diskFull, "the device is full") }
    }
    let catalog = MeteoriteCatalog(
      source: try portal.source(pageSize: 10), repository: failing, clock: portal.clock)
    let error = await #expect(throws: FieldError.self) { try await catalog.refresh(.now) }
    #expect(error?.code == .diskFull)
    let half = try await portal.store.snapshot()
    #expect(half.count == 20)
    #expect(half.checkpoint?.lastSuccess == nil)
    let report = try await catalog.refresh(.now)
    #expect(report.added == 30)
    #expect(report.notices.map(\.code) == [.resumed])
    #expect(try await portal.masses() == portal.portalMasses)
  }

  // S28 of Docs/old-apps.md
  @Test(
    "a portal that is too slow is asked for smaller pages",
    arguments: [Fault.drop(.timeout), .status(408), .status(504)])
  func slowPortal(fault: Fault) async throws {
    let portal = PortalFixture(stones: 130)
    portal.server.faults.append(fault) { request in
      (request[parameter: "$limit"].flatMap { Int($0) } ?? 0) > 30
    }
    let transport = portal.server.retrying(.portal, clock: portal.clock)
    let report = try await portal.catalog(portal.source(pageSize: 100, transport: transport))
      .refresh(.now)
    #expect(try await portal.masses() == portal.portalMasses)
    #expect(report.notices.map(\.code) == [.smallerPages])
    let limits = portal.server.requests.compactMap { $0[parameter: "$limit"] }
    #expect(limits.prefix(4) == ["100", "50", "25", "25"])
  }
}
