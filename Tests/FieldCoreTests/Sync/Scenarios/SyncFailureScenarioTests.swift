@testable import FieldCore
import FieldFakes
import FieldPortals
import Foundation
import Testing

/// What holds when a source or a target fails, for every family of sources and every target.
@Suite("Sync scenarios: failures")
struct SyncFailureScenarioTests {
  // S19 of Docs/old-apps.md
  @Test(
    "A run that stops after any request or transaction is continued to the same end",
    arguments: ScenarioFamily.allCases, [DeletionPolicy.never, .bySnapshot, .byKeys])
  func everyStep(_ family: ScenarioFamily, _ deletion: DeletionPolicy) async throws {
    for target in ScenarioTarget.allCases {
      var step = target == ScenarioTarget.allCases.first ? 0 : 2
      while step < 200 {
        let bench = try ScenarioBench(family, target, stones: 24)
        try await bench.refresh(size: 6, deletion: deletion)
        bench.portal.clock.advance(by: .seconds(60))
        bench.portal.update([family.id(7)], value: 77)
        bench.portal.delete([family.id(8)])
        bench.portal.insert(family.stones(30..<36))
        let stopper = Stopper(after: step)
        bench.portal.beforeRequest { _ in try stopper.step() }
        bench.portal.rewriteResponses { _, response in
          try stopper.step()
          return response
        }
        let stopping = StoppingTarget(base: bench.target, stopper: stopper)
        var isDone = false
        do {
          _ = try await bench.table(size: 6, deletion: deletion, into: stopping).refresh(.now)
          isDone = true
        } catch is Stopped {
        } catch let error as FieldError where error.underlying is Stopped {}
        bench.portal.behave()
        try await bench.refresh(size: 6, deletion: deletion)
        if deletion == .never {
          let stored = try await bench.stored()
          #expect(stored.isSuperset(of: bench.portal.stones), "stopped after step \(step)")
        } else {
          // If the run began before the row was deleted, only the next one can find that out.
          try await bench.refresh(size: 6, deletion: deletion)
          try await bench.expectSame("stopped after step \(step)")
        }
        if isDone { break }
        step += 4
      }
      #expect(step > 3 && step < 200)
    }
  }

  // S20 of Docs/old-apps.md
  @Test(
    "A refresh that is canceled at any request reports it, and the next one has all rows",
    arguments: ScenarioFamily.allCases, ScenarioTarget.allCases)
  func cancelled(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    for request in 1...5 {
      let bench = try ScenarioBench(family, target, stones: 30)
      let task = Lock<Task<RefreshReport, any Error>?>(nil)
      let table = try bench.table()
      bench.portal.beforeRequest { number in
        guard number == request else { return }
        // The task is stored before its first request is answered.
        while task.withLock({ $0 }) == nil { await Task.yield() }
        task.withLock { $0?.cancel() }
        // Whoever cancels leaves at once, and the run ends with its request.
        while !Task.isCancelled { await Task.yield() }
      }
      let running = Task { try await table.refresh(.now) }
      task.withLock { $0 = running }
      let result = await running.result
      if bench.portal.requestCount >= request {
        #expect(throws: CancellationError.self) { try result.get() }
      }
      try await table.close()
      bench.portal.behave()
      try await bench.refresh()
      try await bench.expectSame("canceled at request \(request)")
    }
  }

  // S21 of Docs/old-apps.md
  @Test(
    "Failures that pass are retried, and all rows of every source arrive",
    arguments: ScenarioFamily.allCases, [500, 502, 503, 429, 0])
  func passing(_ family: ScenarioFamily, _ status: Int) async throws {
    for target in ScenarioTarget.allCases {
      let bench = try ScenarioBench(family, target, stones: 25)
      bench.portal.fail(1...2) {
        guard status > 0 else { throw FieldError(.connectionLost, "The connection was lost.") }
        return TransportResponse(
          status: status, fields: ["Content-Type": "application/json", "Retry-After": "7"],
          body: .text(#"{"error":"try again"}"#))
      }
      let transport = bench.portal.retrying(.portal, clock: bench.clock, random: { 1 })
      #expect(try await bench.table(over: transport).refresh(.now).added == 25)
      try await bench.expectSame()
      #expect(!bench.clock.slept.isEmpty)
      #expect(bench.clock.slept.allSatisfy { $0 <= .seconds(60) })
    }
  }

  // S22 of Docs/old-apps.md
  @Test(
    "A request that a source rejects isn't repeated as it is, and changes nothing",
    arguments: ScenarioFamily.allCases, [400, 404])
  func rejected(_ family: ScenarioFamily, _ status: Int) async throws {
    for target in ScenarioTarget.allCases {
      let bench = try ScenarioBench(family, target, stones: 25)
      try await bench.refresh()
      bench.portal.forgetRequests()
      bench.portal.fail {
        TransportResponse(
          status: status, fields: ["Content-Type": "application/json"],
          body: .text(#"{"error":{"message":"no","code":\#(status)},"message":"no"}"#))
      }
      let transport = bench.portal.retrying(.portal, clock: bench.clock, random: { 1 })
      let error = try await bench.failure(of: bench.table(over: transport))
      let codes: [FieldError.Code] = [
        .portalQuery, .sodaQuery, .status, .notFound, .datasetRetired,
      ]
      #expect(error.map { codes.contains($0.code) } == true, "\(error as Any)")
      // An older way of asking may be tried, each once.
      #expect(Set(bench.portal.addresses).count == bench.portal.requestCount)
      #expect(bench.portal.requestCount <= 3)
      try await bench.expectSame()
    }
  }

  // S23 and S40 of Docs/old-apps.md
  @Test(
    "A token is sent in a field only, which a redirect drops, and a missing one is an error or a notice",
    arguments: ScenarioFamily.guarded, ScenarioTarget.allCases)
  func tokens(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let bench = try ScenarioBench(family, target, stones: 5)
    bench.portal.require(token: "s3cret")
    let error = try await bench.failure(of: bench.table(token: PortalToken("wrong")))
    #expect(error.map { [.portalDenied, .sodaDenied].contains($0.code) } == true)
    #expect(try await bench.stored().isEmpty)
    _ = try await bench.table(token: PortalToken("s3cret")).refresh(.now)
    try await bench.expectSame()
    #expect(!bench.portal.addresses.contains { $0.contains("s3cret") || $0.contains("wrong") })
    for request in bench.portal.requests {
      for name in ["X-App-Token", "X-Esri-Authorization", "Authorization"] {
        guard request.fields[name] != nil else { continue }
        #expect(Redaction.default.hidesField(name), "\(name) is logged")
      }
    }
  }

  /// Bodies that aren't rows, with the name of what sends them.
  static let foreignBodies: [(String, Int, String)] = [
    ("a web page", 200, "<!DOCTYPE html>\n<html><body><h1>Sign in</h1></body></html>\n"),
    ("a text", 200, "Unauthorized"),
    ("nothing", 200, ""),
    ("an object", 200, #"{"status":"ok"}"#),
    ("a bucket", 403, "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>"),
  ]

  // S24 of Docs/old-apps.md
  @Test(
    "A body without rows is an error from every source, and the target is unchanged",
    arguments: ScenarioFamily.allCases, foreignBodies.indices)
  func foreign(_ family: ScenarioFamily, _ number: Int) async throws {
    let (name, status, body) = Self.foreignBodies[number]
    for target in ScenarioTarget.allCases {
      let bench = try ScenarioBench(family, target, stones: 25)
      try await bench.refresh()
      let before = try await bench.target.content()
      bench.portal.update([family.id(3)], value: 33)
      bench.portal.fail { TransportResponse(status: status, body: .text(body)) }
      #expect(try await bench.failure() != nil, "\(name)")
      #expect(Set(bench.family.stones(0..<25)) == (try await bench.stored()), "\(name)")
      let after = try await bench.target.content()
      #expect(after.checkpoint?.lastSuccess == before.checkpoint?.lastSuccess)
      bench.portal.behave()
      try await bench.refresh()
      try await bench.expectSame("\(name)")
    }
  }

  // S25 of Docs/old-apps.md
  @Test(
    "A body that is cut anywhere is never stored in part, and the next refresh has all rows",
    arguments: ScenarioFamily.allCases, ScenarioTarget.allCases)
  func cut(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    for cut in [0, 1, 40, 100, 200, 333] {
      let isCut = Lock(false)
      let bench = try ScenarioBench(family, target, stones: 12)
      bench.portal.rewriteResponses { _, response in
        var response = response
        let bytes = try response.body.bytes()
        guard bytes.count > cut else { return response }
        isCut.withLock { $0 = true }
        // A file whose length isn't known may end after any line, so its transport must notice the cut.
        if family == .file { throw FieldError(.bodyCut, "The body was cut after \(cut) bytes.") }
        response.body = .bytes(Array(bytes.prefix(cut)))
        return response
      }
      let error = try await bench.failure(of: bench.table(size: 20))
      #expect((error != nil) == isCut.withLock { $0 }, "after \(cut) bytes")
      if error != nil { #expect(try await bench.stored().isEmpty) }
      bench.portal.behave()
      try await bench.refresh(size: 20)
      try await bench.expectSame()
    }
  }

  // S26 of Docs/old-apps.md
  @Test(
    "One unreadable row of any source is reported, keeps its record, and the others are stored",
    arguments: ScenarioFamily.allCases, ScenarioTarget.allCases)
  func unreadable(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let bench = try ScenarioBench(family, target, stones: 30)
    let bad = family.stone(40)
    bench.portal.insertUnreadable(bad)
    let report = try await bench.refresh()
    #expect((report.added, report.rows, report.failureCount) == (30, 31, 1))
    #expect(report.failures.first?.key == bad.id)
    try await bench.expectSame()
    // It becomes readable, and then unreadable: what was stored stays.
    bench.portal.clock.advance(by: .seconds(60))
    bench.portal.update([bad.id], value: 40)
    #expect(try await bench.refresh().added == 1)
    try await bench.expectSame()
    bench.portal.clock.advance(by: .seconds(60))
    bench.portal.delete([bad.id])
    bench.portal.insertUnreadable(bad)
    let last = try await bench.refresh()
    #expect((last.removed, last.failureCount) == (0, 1))
    #expect(try await bench.target.record(bad.id) == bad)
  }

  // S27 of Docs/old-apps.md
  @Test(
    "A target that can't be written keeps its position, and the rows arrive again",
    arguments: ScenarioFamily.allCases, ScenarioTarget.allCases)
  func unwritable(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    for transaction in 1...4 {
      let bench = try ScenarioBench(family, target, stones: 30)
      let failing = FailingTarget(base: bench.target, number: transaction)
      let error = try await bench.failure(of: bench.table(into: failing))
      guard let error else { continue }
      #expect(error.code == .diskFull)
      let stored = try await bench.target.records().count
      #expect(stored.isMultiple(of: 10) && stored <= 30)
      try await bench.refresh()
      try await bench.expectSame("transaction \(transaction)")
    }
  }

  // S28 of Docs/old-apps.md
  @Test(
    "A source that is too slow is asked for smaller pages, if it has any",
    arguments: ScenarioFamily.allCases, ScenarioTarget.allCases)
  func slow(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let bench = try ScenarioBench(family, target, stones: 30)
    bench.portal.beforePage { page in
      if page <= 2 { throw FieldError(.timeout, "The source was too slow.") }
    }
    if family.isPaged || family == .openDataSoft {
      let report = try await bench.refresh(size: 20)
      #expect(report.notices.map(\.code) == [.smallerPages])
    } else {
      #expect(try await bench.failure()?.code == .timeout)
      #expect(try await bench.stored().isEmpty)
      bench.portal.behave()
      try await bench.refresh()
    }
    try await bench.expectSame()
  }
}

/// A target one of whose transactions fails.
struct FailingTarget: SyncTarget {
  let base: any SyncTarget<ScenarioStone>
  let number: Int
  private let count = Lock(0)

  init(base: any SyncTarget<ScenarioStone>, number: Int) {
    (self.base, self.number) = (base, number)
  }

  func content() async throws -> SyncContent { try await base.content() }

  func beginRun() async throws -> any SyncTargetRun<ScenarioStone> {
    let (count, number) = (count, number)
    return FailingRun(run: try await base.beginRun()) {
      let isLast = count.withLock { count in
        count += 1
        return count == number
      }
      if isLast { throw FieldError(.diskFull, "The disk is full.") }
    }
  }
}

private struct FailingRun: SyncTargetRun {
  let run: any SyncTargetRun<ScenarioStone>
  let fail: @Sendable () throws -> Void

  var base: SyncContent { run.base }

  func update<Result: Sendable>(
    _ body: @escaping @Sendable (any SyncTransaction<ScenarioStone>) throws -> Result
  ) async throws -> Result {
    try await run.update { transaction in
      let result = try body(transaction)
      // After its changes, which must not stay.
      try fail()
      return result
    }
  }
}
