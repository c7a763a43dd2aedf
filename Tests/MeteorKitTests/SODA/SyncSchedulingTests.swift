import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import MeteorKit
import TestSupport
import Testing

/// The scenarios S48 to S51 and S53 of Docs/old-apps.md: runs side by side, when they are due, and that
/// they are the same every time.
@Suite("Scheduling")
struct SyncSchedulingTests {
  // MARK: S48

  /// Answers when the test says so, and counts who is about to ask.
  private final class Gate: Sendable {
    private let isOpen = Lock(false)
    let callers = Lock(0)

    func open() { isOpen.withLock { $0 = true } }

    func wait() async throws {
      try await eventually { isOpen.withLock { $0 } }
    }
  }

  private func gated(_ operation: String, _ gate: Gate) -> StubTransport {
    let left = Lock(SmallSODA.bodies(25, pageSize: 10, version: 1))
    return StubTransport {
      $0.on("\(operation).page") { _ in
        try await gate.wait()
        let body = left.withLock { $0.isEmpty ? "[]\n" : $0.removeFirst() }
        return TransportResponse(status: 200, body: .text(body))
      }
    }
  }

  private func reports(
    of refresh: @escaping @Sendable () async throws -> RefreshReport, through gate: Gate
  ) async throws -> [RefreshReport] {
    try await withThrowingTaskGroup(of: RefreshReport.self) { group in
      for _ in 0..<12 {
        group.addTask {
          gate.callers.withLock { $0 += 1 }
          return try await refresh()
        }
      }
      try await eventually { gate.callers.withLock { $0 } == 12 }
      try await letOthersRun()
      gate.open()
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  // S48 of Docs/old-apps.md
  @Test("concurrent refreshes of a catalog are one run, and all get its report")
  func sharedCatalogRun() async throws {
    let gate = Gate()
    let transport = gated("meteorites", gate)
    let catalog = MeteoriteCatalog(
      source: SODAMeteorites(
        try SmallSODA.client(transport), options: SyncOptions(pageSize: 10)), storage: .inMemory)
    let reports = try await reports(of: { try await catalog.refresh(.now) }, through: gate)
    #expect(transport.requests.count == 3)
    #expect(reports.count == 12)
    #expect(Set(reports).count == 1)
    #expect(reports.first?.added == 25)
  }

  // S48 of Docs/old-apps.md
  @Test("concurrent refreshes of a table are one run, and all get its report")
  func sharedTableRun() async throws {
    let gate = Gate()
    let transport = gated("soda", gate)
    let table = SODATable(
      client: try SmallSODA.client(transport), key: "id", storage: .inMemory, deletion: .never,
      options: SyncOptions(pageSize: 10))
    let reports = try await reports(of: { try await table.refresh() }, through: gate)
    #expect(transport.requests.count == 3)
    #expect(Set(reports).count == 1)
    #expect(reports.first?.added == 25)
    #expect(try await table.rows().count == 25)
  }

  // MARK: S49

  // S49 of Docs/old-apps.md
  @Test("a reader sees whole pages, the old one or the new one, with the matching position")
  func wholePages() async throws {
    let (count, size) = (200, 10)
    let left = Lock(
      SmallSODA.bodies(count, pageSize: size, version: 1)
        + SmallSODA.bodies(count, pageSize: size, version: 2))
    let transport = StubTransport {
      $0.on("meteorites.page") { _ in
        await Task.yield()
        let body = left.withLock { $0.isEmpty ? "[]\n" : $0.removeFirst() }
        return TransportResponse(status: 200, body: .text(body))
      }
    }
    let catalog = MeteoriteCatalog(
      source: SODAMeteorites(
        try SmallSODA.client(transport), options: SyncOptions(pageSize: size)),
      storage: .inMemory)
    try await catalog.refresh()
    let isDone = Lock(false)
    let states = try await withThrowingTaskGroup(of: Set<Int>.self) { group in
      for _ in 0..<3 {
        group.addTask {
          var states: Set<Int> = []
          while !isDone.withLock({ $0 }) {
            let view = try await catalog.view()
            let versions = (0..<count).map { Int(view[.init(UInt64($0))]?.massInGrams ?? 0) }
            let new = versions.prefix { $0 == 2 }.count
            // The new rows are whole pages, those first that came first, and no row is missing.
            #expect(new.isMultiple(of: size))
            #expect(versions.dropFirst(new).allSatisfy { $0 == 1 })
            if new > 0, new < count {
              #expect(view.checkpoint?.cursors["sync.key"] == "row-\(20_000 + new - 1)")
              #expect(view.checkpoint?.cursors["sync.run"] == "changes")
            }
            states.insert(new)
            await Task.yield()
          }
          return states
        }
      }
      let report = try await catalog.refresh(.now)
      #expect(report.updated == count)
      // Each reader has looked at the end once more.
      _ = try await catalog.view()
      isDone.withLock { $0 = true }
      return try await group.reduce(into: Set<Int>()) { $0.formUnion($1) }
    }
    #expect(!states.isEmpty)
    #expect(try await catalog.view().all.allSatisfy { $0.massInGrams == 2 })
  }

  // S49 of Docs/old-apps.md
  @Test("a slow observer gets the changes of many pages as one set")
  func coalescedChanges() async throws {
    let (count, size) = (100, 10)
    let transport = SmallSODA.transport(
      "meteorites",
      SmallSODA.bodies(count, pageSize: size, version: 1)
        + SmallSODA.bodies(60, pageSize: size, version: 2))
    let catalog = MeteoriteCatalog(
      source: SODAMeteorites(
        try SmallSODA.client(transport), options: SyncOptions(pageSize: size)),
      storage: .inMemory)
    try await catalog.refresh()
    var updates = catalog.updates().makeAsyncIterator()
    let before = try #require(try await updates.next())
    #expect(before.count == count)
    // Six pages and the end of the run are committed while nobody looks.
    #expect(try await catalog.refresh(.now).updated == 60)
    let after = try #require(try await updates.next())
    #expect(after.all.count { $0.massInGrams == 2 } == 60)
    #expect(
      after.all.changedIDs(since: before.revision) == Set((0..<60).map { .init(UInt64($0)) }))
    try await catalog.close()
    #expect(try await updates.next() == nil)
  }

  // MARK: S50

  /// What is known before a refresh, and when it is due, in seconds from now; 0 for at once.
  struct Due: Sendable, CustomTestStringConvertible {
    var why: String
    var successAge: Double?
    var fingerprint: String? = "mine"
    var cursors: [String: String] = [:]
    var isEmpty = false
    var failures = 0
    var due: Double
    var testDescription: String { why }
  }

  private static let day = 86_400.0

  static let dueTable: [Due] = [
    Due(why: "never refreshed", successAge: nil, fingerprint: nil, isEmpty: true, due: 0),
    Due(why: "refreshed just now", successAge: 0, due: day),
    Due(why: "exactly a day is still fresh", successAge: day, due: 0.000_001),
    Due(why: "more than a day", successAge: day + 1, due: 0),
    Due(why: "the clock was set back by a year", successAge: -365 * day, due: 0),
    Due(
      why: "an unfinished full run", successAge: 10, cursors: ["sync.run": "full"], due: 0),
    Due(
      why: "an unfinished run of changes", successAge: 10, cursors: ["sync.run": "changes"],
      due: 0),
    Due(why: "a finished run", successAge: 10, cursors: ["sync.key": "row-1"], due: day - 10),
    Due(why: "read by another reader", successAge: 10, fingerprint: "another", due: 0),
    Due(why: "a time that was taken over", successAge: 10, fingerprint: nil, due: day - 10),
    Due(why: "nothing is stored", successAge: 10, isEmpty: true, due: 0),
    Due(why: "one failure", successAge: 2 * day, failures: 1, due: 60),
    Due(why: "three failures", successAge: 2 * day, failures: 3, due: 240),
    Due(why: "failures wait an hour at most", successAge: nil, failures: 12, due: 3_600),
    Due(why: "fresh data that failed to be refreshed", successAge: 10, failures: 1, due: day - 10),
    Due(
      why: "an unfinished run that fails", successAge: 10, cursors: ["sync.run": "full"],
      failures: 2, due: 120),
  ]

  // S50 of Docs/old-apps.md
  @Test(
    "a refresh is due at the documented times, which are the dates for a scheduler",
    arguments: dueTable)
  func due(row: Due) async throws {
    let clock = ManualClock()
    let store = InMemoryStore<Meteorite>()
    let checkpoint = Checkpoint(
      lastSuccess: row.successAge.map { clock.now.addingTimeInterval(-$0) },
      fingerprint: row.fingerprint, cursors: row.cursors)
    try await store.commit(
      Changes(upserting: row.isEmpty ? [] : [Meteorite(id: 1, name: "Aachen")]),
      checkpoint: checkpoint, expecting: nil)
    let (runs, fails) = (Lock(0), Lock(true))
    let part = RefreshPart("rows", policy: .daily) {
      try await store.snapshot().status(fingerprint: "mine")
    } work: { _ in
      if fails.withLock({ $0 }) { throw FieldError(.offline, "no network") }
      runs.withLock { $0 += 1 }
      return RefreshReport(outcome: .unchanged, date: clock.now)
    }
    let refresher = KitEngine("test", stores: [store], clock: clock, parts: [part])
    for _ in 0..<row.failures {
      await #expect(throws: FieldError.self) { try await refresher.refresh(.now) }
    }
    fails.withLock { $0 = false }
    let date = try #require(try await refresher.nextRefreshDate())
    #expect(abs(date.timeIntervalSince(clock.now) - row.due) < 0.000_01)
    if row.due > 0 {
      #expect(try await refresher.refresh(.ifDue).outcome == .notDue)
      #expect(runs.withLock { $0 } == 0)
      // A scheduler that wakes at the date it was told finds the refresh due, and not before.
      clock.set(now: date)
    }
    #expect(try await refresher.refresh(.ifDue).outcome == .unchanged)
    #expect(runs.withLock { $0 } == 1)
  }

  // S50 of Docs/old-apps.md
  @Test("an interrupted run is due again after a minute, and resumes there")
  func unfinishedRunIsDue() async throws {
    let clock = ManualClock()
    let bodies = SmallSODA.bodies(25, pageSize: 10, version: 1)
    let transport = StubTransport {
      $0.on(
        "soda.page",
        respond: .sequence(
          .json(text: bodies[0]), .status(503), .json(text: bodies[1]), .json(text: bodies[2])))
    }
    let table = SODATable(
      client: try SmallSODA.client(transport), key: "id", storage: .inMemory, clock: clock,
      deletion: .never, options: SyncOptions(pageSize: 10))
    await #expect(throws: FieldError.self) { try await table.refresh() }
    #expect(try await table.rows().count == 10)
    #expect(try await table.lastRefresh == nil)
    #expect(try await table.nextRefreshDate == clock.now.addingTimeInterval(60))
    #expect(try await table.refresh().outcome == .notDue)
    clock.advance(by: .seconds(60))
    let report = try await table.refresh()
    #expect(report.added == 15)
    #expect(report.notices.map(\.code) == [.resumed])
    #expect(
      try #require(try await table.nextRefreshDate) > clock.now.addingTimeInterval(Self.day - 1))
    transport.verifyAllUsed()
  }

  // MARK: S51

  // S51 of Docs/old-apps.md
  @Test("the user's data survives an update and a replacement of the whole dataset")
  func localFields() async throws {
    let replaced = SmallSODA.body(
      (0..<20).map { number in
        SmallSODA.row(
          900 + number, changed: 5_000 + number,
          "\"id\":\"\(number)\",\"name\":\"\(number)\",\"mass\":\"2\"")
      })
    let transport = SmallSODA.transport(
      "meteorites",
      SmallSODA.bodies(20, pageSize: 10, version: 1)
        + [
          SmallSODA.body([
            SmallSODA.row(3, changed: 4_000, "\"id\":\"3\",\"name\":\"Three\"")
          ]), "[]\n", replaced, "[]\n",
        ])
    let store = InMemoryStore<Meteorite>()
    let source = SODAMeteorites(
      try SmallSODA.client(transport), options: SyncOptions(pageSize: 10))
    let engine = SyncEngine(
      source: try #require(source.pages), store: store, deletion: .never,
      clock: ImmediateClock(),
      merging: { stored, given in
        var merged = given
        merged.unreadable["note"] = stored.unreadable["note"]
        return merged
      })
    #expect(try await engine.run().added == 20)
    var own = try #require(try await store.snapshot()[id: 3])
    own.unreadable["note"] = "seen it myself"
    try await store.commit(Changes(upserting: [own]), checkpoint: nil, expecting: nil)
    #expect(try await engine.run().updated == 1)
    let updated = try #require(try await store.snapshot()[id: 3])
    #expect(updated.name == "Three")
    // What is absent in a changed row is gone from it.
    #expect(updated.massInGrams == nil)
    #expect(updated.unreadable["note"] == "seen it myself")
    let report = try await engine.run()
    #expect((report.added, report.updated, report.removed) == (0, 20, 0))
    let last = try await store.snapshot()
    #expect(last.count == 20)
    #expect(last[id: 3]?.name == "3")
    #expect(last[id: 3]?.massInGrams == 2)
    #expect(last[id: 3]?.unreadable["note"] == "seen it myself")
    #expect(last.filter { $0.unreadable["note"] != nil }.count == 1)
  }

  // MARK: S53

  /// All that is sent in a story of three runs, byte for byte.
  static func requests(_ version: SODAVersion) async throws -> [String] {
    let transport = SmallSODA.transport(
      "soda",
      SmallSODA.bodies(25, pageSize: 10, version: 1)
        + SmallSODA.bodies(10, pageSize: 10, version: 2)
        + SmallSODA.bodies(0, pageSize: 10, version: 3)
    ) {
      $0.on("soda.keys") { request in
        let isFirst =
          !(request.url.absoluteString + String(decoding: try body(request), as: UTF8.self))
          .contains("row-")
        let rows = isFirst ? (0..<25).map { SmallSODA.row($0, "\"id\":\"\($0)\"") } : []
        return TransportResponse(status: 200, body: .text(SmallSODA.body(rows)))
      }
    }
    let table = SODATable(
      client: try SmallSODA.client(transport, version: version, token: SODAToken("token")),
      key: "id", where: "mass > \(0.5) AND fall IN \(["Fell", "L'Aigle", "+&=#"])",
      select: ["id", "name", "mass", "fall", "year", "geolocation"], storage: .inMemory,
      clock: ManualClock(), deletion: .byKeys, options: SyncOptions(pageSize: 10))
    for _ in 0..<3 { try await table.refresh(.now) }
    return try transport.requests.map { request in
      let fields = request.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
      return
        "\(request.operation) \(request.method) \(request.url.absoluteString)\n\(fields)\n"
        + String(decoding: try body(request), as: UTF8.self)
    }
  }

  private static func body(_ request: TransportRequest) throws -> [UInt8] {
    try request.body?.bytes() ?? []
  }

  /// A number that stands for all requests of both versions.
  static func requestsHash() async throws -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for version in [SODAVersion.v2_1, .v3] {
      for request in try await requests(version) {
        for byte in request.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      }
    }
    return hash
  }

  // S53 of Docs/old-apps.md
  @Test(
    "the same inputs cause the same requests, byte for byte",
    arguments: [SODAVersion.v2_0, .v2_1, .v3])
  func sameRequests(version: SODAVersion) async throws {
    let first = try await Self.requests(version)
    #expect(first.count > 6)
    #expect(Set(first.map { $0.prefix { $0 != " " } }) == ["soda.page", "soda.keys"])
    #expect(first.allSatisfy { !$0.prefix { $0 != "\n" }.contains("token") })
    for _ in 0..<3 { #expect(try await Self.requests(version) == first) }
  }

  // S53 of Docs/old-apps.md
  @Test(
    "another process, with different hashes, sends the same requests", .inAnotherProcess,
    .needsProcesses)
  func sameRequestsElsewhere() async throws {
    #if os(macOS) || os(Linux)
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        print("requests", try await SyncSchedulingTests.requestsHash(), "hasher", "a".hashValue)
      }
      let words = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        .split(whereSeparator: \.isWhitespace)
      let place = try #require(words.firstIndex(of: "requests"))
      #expect(String(words[place + 1]) == "\(try await Self.requestsHash())")
      // Else the test would show nothing.
      #expect(String(words[place + 3]) != "\("a".hashValue)")
    #endif
  }
}
