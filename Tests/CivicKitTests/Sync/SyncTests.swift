@testable import CivicKit
import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("A sync with the server", .timeLimit(.minutes(60)))
struct CivicSyncTests {
  // C2 of Docs/old-apps.md
  @Test("a sync requests the old app's tables in order, and stores rows and cursors in one commit")
  func oneCommit() async throws {
    let fixture = try CivicFixture()
    let before = try await fixture.snapshot().revision
    let report = try await fixture.directory.refresh()
    #expect(report.outcome == .updated)
    #expect(report.added == 25)
    #expect(
      fixture.server.requestedTables.map(\.table) == [
        "administrativeUnit", "administrativeUnitCategory", "administrativeUnitInCategory",
        "keyword", "inKeyword", "edm", "mobileApp",
      ])
    let after = try await fixture.snapshot()
    #expect(after.revision.number == before.number + 1)
    #expect(after.checkpoint?.cursors["table.edm"] == "1480000000")
    #expect(try await fixture.directory.lastRefresh == CivicFixture.now)
  }

  // C2 of Docs/old-apps.md
  @Test(
    "a later sync requests changes, including the cursor's own second, which changes nothing"
  )
  func delta() async throws {
    let fixture = try CivicFixture()
    try await fixture.directory.refresh()
    let before = try await fixture.directory.export()
    let report = try await fixture.directory.refresh()
    #expect(fixture.server.requestedTables.suffix(7).allSatisfy { $0.since == 1_479_999_999 })
    #expect(report.outcome == .unchanged)
    #expect(report.unchanged == 25)
    #expect(try await fixture.directory.export() == before)
  }

  // C2 of Docs/old-apps.md
  @Test("a sync updates, adds, and deletes rows by key")
  func changes() async throws {
    let fixture = try CivicFixture()
    try await fixture.directory.refresh()
    try fixture.server.put("edm", #"{"edmId":"e1","edmName":"月津港燈節"}"#)
    try fixture.server.put("edm", #"{"edmId":"e3","edmName":"新"}"#)
    fixture.server.delete("edm", key: "e2")
    let report = try await fixture.directory.refresh()
    #expect((report.added, report.updated, report.removed) == (1, 1, 1))
    #expect(
      try await fixture.directory.banners(includingPast: true).map(\.name) == ["月津港燈節", "新"])
  }

  // 5.6-9 of Docs/old-apps.md
  @Test("a missing column keeps the stored value; null removes it")
  func missingColumns() async throws {
    let fixture = try CivicFixture()
    try await fixture.directory.refresh()
    try await fixture.directory.apply(
      Data(#"{"unitId":"u1","name":"服務台","description":null}"#.utf8), to: .units)
    let unit = try #require(try await fixture.directory.unit("u1")).unit
    #expect(unit.name == "服務台")
    #expect(unit.details == nil)
    #expect(unit.phones.count == 2)
    #expect(unit.planPosition == PlanPosition(x: 10, y: 20))
    #expect(unit.floor == 1)
  }

  // 5.6-10 of Docs/old-apps.md
  @Test("a cursor stays if the newest row is deleted")
  func cursorAfterDeletion() async throws {
    let fixture = try CivicFixture()
    try await fixture.directory.refresh()
    fixture.server.delete("mobileApp", key: "a1")
    try await fixture.directory.refresh()
    #expect(try await fixture.directory.apps().isEmpty)
    #expect(
      try await fixture.snapshot().checkpoint?.cursors["table.mobileApp"] == "1490000000")
    try await fixture.directory.refresh()
    #expect(fixture.server.requestedTables.last?.since == 1_489_999_999)
  }

  // 5.6-10 of Docs/old-apps.md
  @Test("a row changed in the cursor's second, after the sync, isn't missed")
  func equalSecond() async throws {
    let fixture = try CivicFixture()
    try fixture.server.put("edm", #"{"edmId":"e3","edmName":"早"}"#)
    try await fixture.directory.refresh()
    try fixture.server.put("edm", #"{"edmId":"e4","edmName":"同秒"}"#)
    try await fixture.directory.refresh()
    #expect(try await fixture.directory.rows(CivicBanner.self).map(\.name).contains("同秒"))
  }

  // 5.6-7 of Docs/old-apps.md
  @Test("links are replaced as the set of their ID, and all of them stay")
  func linkSets() async throws {
    let fixture = try CivicFixture()
    try await fixture.directory.refresh()
    #expect(try await fixture.directory.unit("u4")?.categories.map(\.id) == ["c1", "c2"])
    try fixture.server.setLinks(
      "administrativeUnitInCategory", of: "u4",
      to: [#"{"unitId":"u4","categoryId":"c2"}"#, #"{"unitId":"u4","categoryId":"c3"}"#])
    let report = try await fixture.directory.refresh()
    #expect((report.added, report.removed) == (1, 1))
    #expect(try await fixture.directory.unit("u4")?.categories.map(\.id) == ["c2", "c3"])
    #expect(try await fixture.directory.view().memberships.count == 5)
  }

  // 5.6-7 of Docs/old-apps.md
  @Test("tens of thousands of links with one ID cause no trouble")
  func manyLinks() async throws {
    let fixture = try CivicFixture(isFilled: false)
    let count = Sample.rounds(50_000, 10_000, inDebug: 5_000)
    let rows = (0..<count).map { #"{"unitId":"u1","categoryId":"c\#($0)"}"# }
    let json = Data("[\(rows.joined(separator: ","))]".utf8)
    #expect(try await fixture.directory.apply(json, to: .memberships).added == count)
    #expect(try await fixture.directory.apply(json, to: .memberships).unchanged == count)
  }

  // 5.6-7 of Docs/old-apps.md
  @Test(
    "unchanged links that arrive again don't drop those older than the cursor",
    arguments: [(19, ["c1", "c2"]), (20, ["c2"])])
  func echo(changed: Int, left: [UnitCategory.ID]) async throws {
    let fixture = try CivicFixture()
    let json =
      #"[{"unitId":"u9","categoryId":"c1","lastUpdateTime":\#(changed)},"#
      + #"{"unitId":"u9","categoryId":"c2","lastUpdateTime":20}]"#
    try await fixture.directory.apply(Data(json.utf8), to: .memberships, advancingCursor: true)
    let answer = #"{"result":0,"data":[{"unitId":"u9","categoryId":"c2","lastUpdateTime":20}]}"#
    let transport = StubTransport { stubs in
      stubs.on("civic.table") { request in
        let isOfLinks = form(request).contains("administrativeUnitInCategory")
        return TransportResponse(
          status: 200, body: .text(isOfLinks ? answer : #"{"result":0,"data":[]}"#))
      }
    }
    let directory = CivicFixture.directory(
      of: fixture.server, storage: fixture.storage, clock: fixture.clock, transport: transport)
    try await directory.refresh()
    #expect(try await directory.view().memberships.map(\.categoryID) == left)
  }

  // 5.6-5, 5.6-6 of Docs/old-apps.md
  @Test(
    "links go to their own tables, by their real columns, and create no categories")
  func ownTables() async throws {
    let fixture = try CivicFixture()
    try await fixture.directory.refresh()
    let view = try await fixture.directory.view()
    #expect(view.categories.count == 4)
    #expect(view.memberships.count == 5)
    #expect(Set(view.keywordLinks.map(\.objectID)) == ["c1", "c2", "c3", "c4", "u3"])
  }

  // 5.6-16 of Docs/old-apps.md
  @Test("a server's failure is reported, and not mistaken for success")
  func statuses() async throws {
    let fixture = try CivicFixture()
    try await fixture.directory.refresh()
    #expect(await Self.ending(of: fixture.directory) == "finished")
    fixture.server.fail(.result(1))
    #expect(await Self.ending(of: fixture.directory) == "failed civic.result source")
  }

  @Test(
    "the progress of a second sync begins with its own steps, and not with the end of the first")
  func progress() async throws {
    let fixture = try CivicFixture()
    for isFailing in [false, false, true, false] {
      fixture.server.fail(isFailing ? .result(1) : nil)
      let steps = fixture.directory.refreshProgress()
      do { try await fixture.directory.refresh() } catch is FieldError {}
      var texts: [String?] = []
      for await step in steps {
        texts.append(CivicTexts.text(for: step)?.key)
        if step.outcome != nil { break }
      }
      #expect(texts.count > 1)
      #expect(texts.dropLast().allSatisfy { $0 == "civic.sync.started" })
      #expect(texts.last == .some(isFailing ? "civic.sync.server" : nil))
    }
  }

  // C2 of Docs/old-apps.md
  @Test("being offline is a separate status, and stored data can be read")
  func offline() async throws {
    let fixture = try CivicFixture()
    try await fixture.directory.refresh()
    let offline = CivicFixture.directory(
      of: fixture.server, storage: fixture.storage, clock: fixture.clock,
      transport: FaultTransport(fixture.server, .always(.drop(.offline))))
    #expect(await Self.ending(of: offline) == "failed transport.offline network")
    #expect(try await offline.facilities().count == 2)
    #expect(try await offline.lastRefresh == CivicFixture.now)
  }

  /// Refreshes a directory, and returns the end of its progress.
  private static func ending(of directory: CivicDirectory) async -> String {
    let steps = directory.refreshProgress()
    async let refreshed: Void = { do { try await directory.refresh() } catch {} }()
    var ending = "none"
    for await step in steps {
      switch step.outcome {
      case nil: continue
      case .finished?: ending = "finished"
      case .failed(let error)?: ending = "failed \(error.code) \(error.code.guidance.group)"
      case .cancelled?: ending = "cancelled"
      }
      break
    }
    await refreshed
    return ending
  }

  // 5.6-16 of Docs/old-apps.md
  @Test("two concurrent syncs are one")
  func shared() async throws {
    let fixture = try CivicFixture()
    let gate = Lock<[CheckedContinuation<Void, Never>]?>([])
    let transport = StubTransport { stubs in
      stubs.on("civic.table") { request in
        await withCheckedContinuation { continuation in
          let isOpen = gate.withLock { waiting in
            waiting?.append(continuation)
            return waiting == nil
          }
          if isOpen { continuation.resume() }
        }
        return try await fixture.server.send(request)
      }
    }
    let directory = CivicFixture.directory(
      of: fixture.server, storage: .inMemory, clock: fixture.clock, transport: transport)
    async let first = directory.refresh()
    while gate.withLock({ $0?.isEmpty ?? false }) { await Task.yield() }
    async let second = directory.refresh()
    try await letOthersRun()
    for waiting in gate.withLock({ waiting in
      defer { waiting = nil }
      return waiting ?? []
    }) { waiting.resume() }
    let reports = try await [first, second]
    #expect(reports[0] == reports[1])
    #expect(fixture.server.requestedTables.count == 7)
  }

  @Test("a sync keeps a time in the far future from blocking all news")
  func futureCursor() async throws {
    let fixture = try CivicFixture()
    try fixture.server.put("edm", #"{"edmId":"e9","edmName":"未來","lastUpdateTime":9999999999}"#)
    try await fixture.directory.refresh()
    #expect(try await fixture.snapshot().checkpoint?.cursors["table.edm"] == "1480000000")
    #expect(try await fixture.directory.rows(CivicBanner.self).count == 3)
  }

  @Test("a sync reads everything again from another server")
  func otherServer() async throws {
    let fixture = try CivicFixture()
    try await fixture.directory.refresh()
    let other = FakeCivicService(project: "project_2", clock: fixture.clock)
    let directory = CivicFixture.directory(
      of: other, storage: fixture.storage, clock: fixture.clock)
    try await directory.refresh()
    #expect(other.requestedTables.count == 7)
    #expect(other.requestedTables.allSatisfy { $0.since == 0 })
  }

  /// If the columns change, so does the reading, and this test.
  @Test("the reader of the tables has a new version if its columns are new")
  func readerVersion() {
    let columns = CivicTable.synchronized.flatMap(\.columns)
    #expect(CivicRecord.fingerprint("civic/1", columns: columns) == "civic/1 fc4b5f86")
    #expect(CivicTable.reading == "civic/1")
  }

  @Test("a sync reads everything again if another version of the reader has read its rows")
  func otherColumns() async throws {
    let fixture = try CivicFixture()
    try await fixture.directory.refresh()
    try await fixture.directory.refresh()
    #expect(fixture.server.requestedTables.suffix(7).allSatisfy { $0.since > 0 })
    var checkpoint = try #require(try await fixture.snapshot().checkpoint)
    let known = try #require(checkpoint.fingerprint)
    checkpoint.fingerprint = known.replacing("civic/1 ", with: "civic/0 ")
    #expect(checkpoint.fingerprint != known)
    let store: any RecordStore<CivicRecord> = fixture.storage.store("civic")
    try await store.commit(Changes(), checkpoint: checkpoint, expecting: nil)
    let directory = CivicFixture.directory(
      of: fixture.server, storage: fixture.storage, clock: fixture.clock)
    try await directory.refresh()
    #expect(fixture.server.requestedTables.suffix(7).allSatisfy { $0.since == 0 })
  }

  @Test("a sync is due according to its policy")
  func policy() async throws {
    let fixture = try CivicFixture(options: CivicOptions(policy: .daily))
    try await fixture.directory.refresh()
    try await fixture.directory.refresh()
    #expect(fixture.server.requestedTables.count == 7)
    #expect(try #require(try await fixture.directory.nextRefreshDate) > CivicFixture.now)
    try await fixture.directory.refresh(.now)
    #expect(fixture.server.requestedTables.count == 14)
  }

  @Test("a sync uses a caller's form of request, and accepts numbers as text and text as numbers")
  func shape() async throws {
    let fixture = try CivicFixture()
    let shape = CivicService.RequestShape { service, table, cursor in
      TransportRequest(
        url: service.baseURL.appending(path: "\(table)/\(cursor)"), operation: "mine")
    }
    let transport = StubTransport { stubs in
      stubs.on(
        "mine", respond: .json(text: #"{"result":"0","data":[{"edmId":1,"edmName":"數字"}]}"#))
    }
    let directory = CivicDirectory(
      service: CivicService(
        baseURL: fixture.server.baseURL, project: "p", tables: [.banners], request: shape),
      feeds: [], storage: .inMemory, transport: transport, clock: fixture.clock)
    try await directory.refresh()
    #expect(transport.requests(for: "mine").first?.url.path() == "/controller/service/edm/0")
    #expect(try await directory.rows(CivicBanner.self).map(\.id) == ["1"])
  }

  @Test("a sync reports its steps, ending with the report")
  func steps() async throws {
    let fixture = try CivicFixture()
    let steps = fixture.directory.refreshProgress()
    let report = try await fixture.directory.refresh()
    try await fixture.directory.close()
    var last: RefreshProgress?
    for await step in steps { last = step }
    guard case .finished(let told)? = last?.outcome else {
      Issue.record("the last step has no report")
      return
    }
    #expect(told == report)
  }

  @Test(
    "a sync stores nothing if all was erased meanwhile, even the first time",
    arguments: [true, false])
  func erasedMeanwhile(_ isFirst: Bool) async throws {
    let fixture = try CivicFixture()
    if !isFirst { try await fixture.directory.refresh() }
    let directory = fixture.directory
    let transport = StubTransport { stubs in
      stubs.on("civic.table") { request in
        if form(request).contains("mobileApp") { try await directory.eraseAll() }
        return try await fixture.server.send(request)
      }
    }
    let other = CivicFixture.directory(
      of: fixture.server, storage: fixture.storage, clock: fixture.clock, transport: transport)
    let error = await #expect(throws: FieldError.self) { try await other.refresh() }
    #expect(error?.code == .conflict)
    #expect(try await directory.view().units.isEmpty)
    try await directory.refresh()
    #expect(try await directory.view().units.count == 5)
  }
}

/// The form of a request.
private func form(_ request: TransportRequest) -> String {
  String(decoding: (try? request.body?.bytes()) ?? [], as: UTF8.self)
}
