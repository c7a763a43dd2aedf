import CivicKit
import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("A directory and its server", .timeLimit(.minutes(60)))
struct SyncStateTests {
  private typealias State = [String: Set<String>]

  @Test(
    "a directory has its server's rows after each sync, and the old ones after each failure",
    .heavy, arguments: Sample.of([11, 12, 13, 14] as [UInt64], 1))
  func model(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let fixture = try CivicFixture(isFilled: false)
    let cancelAt = Lock<Int?>(nil)
    var directories = [
      Self.directory(folder, fixture, cancelAt), Self.directory(folder, fixture, cancelAt),
    ]
    var wanted: State = [:]
    for step in 0..<250 {
      if Int.random(in: 0..<3, using: &random) == 0 { fixture.clock.advance(by: .seconds(1)) }
      let comment = "seed \(seed), step \(step)"
      let which = Int.random(in: 0..<2, using: &random)
      let directory = directories[which]
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5: try Self.change(fixture.server, &wanted, &random)
      case 5:
        let before = try await directory.export()
        let failures: [FakeCivicService.Failure] = [
          .noResult, .result(3), .cut(after: 12), .webPage, .status(500), .offline,
        ]
        fixture.server.fail(
          failures.randomElement(using: &random),
          table: CivicTable.synchronized.randomElement(using: &random)?.rawValue)
        await #expect(throws: FieldError.self) { try await directory.refresh() }
        fixture.server.fail(nil)
        #expect(try await directory.export() == before, "\(comment)")
      case 6:
        let before = try await directory.export()
        cancelAt.withLock { $0 = Int.random(in: 0..<7, using: &random) }
        await #expect(throws: CancellationError.self) { try await directory.refresh() }
        #expect(try await directory.export() == before, "\(comment)")
      case 7:
        directories[which] = Self.directory(folder, fixture, cancelAt)
      case 8 where Int.random(in: 0..<8, using: &random) == 0:
        try await directory.eraseAll()
        // What was deleted before is not told to who asks for everything anew, and need not be.
        #expect(try await directory.view().units.isEmpty, "\(comment)")
      default:
        try await directory.refresh()
        let found = Self.state(try await directory.view())
        for table in CivicTable.synchronized.map(\.rawValue) {
          #expect(found[table] ?? [] == wanted[table] ?? [], "\(comment), \(table)")
        }
      }
    }
  }

  /// Changes a row of the server, and notes what it has.
  private static func change(
    _ server: FakeCivicService, _ wanted: inout State, _ random: inout SeededGenerator
  ) throws {
    let table = CivicTable.synchronized.randomElement(using: &random)?.rawValue ?? "edm"
    let id = "x\(Int.random(in: 0..<5, using: &random))"
    let name = "n\(Int.random(in: 0..<1_000, using: &random))"
    let columns = [
      "administrativeUnit": ("unitId", "name"), "keyword": ("keywordId", "keyword"),
      "administrativeUnitCategory": ("categoryId", "name"), "edm": ("edmId", "edmName"),
      "mobileApp": ("appId", "appName"),
    ]
    if let (key, text) = columns[table] {
      wanted[table] = (wanted[table] ?? []).filter { !$0.hasPrefix("\(id) ") }
      if Int.random(in: 0..<3, using: &random) == 0 {
        server.delete(table, key: id)
      } else {
        try server.put(table, #"{"\#(key)":"\#(id)","\#(text)":"\#(name)"}"#)
        wanted[table, default: []].insert("\(id) \(name)")
      }
      return
    }
    let (owner, other) =
      table == "inKeyword" ? ("id", "keywordId") : ("unitId", "categoryId")
    let set = Set(
      (0..<Int.random(in: 1...4, using: &random)).map { _ in
        "k\(Int.random(in: 0..<5, using: &random))"
      })
    wanted[table] = (wanted[table] ?? []).filter { !$0.hasPrefix("\(id) ") }
    for link in set { wanted[table, default: []].insert("\(id) \(link)") }
    try server.setLinks(
      table, of: id, to: set.sorted().map { #"{"\#(owner)":"\#(id)","\#(other)":"\#($0)"}"# })
  }

  private static func state(_ view: CivicView) -> State {
    [
      "administrativeUnit": Set(view.units.map { "\($0.id) \($0.name)" }),
      "administrativeUnitCategory": Set(view.categories.map { "\($0.id) \($0.name)" }),
      "administrativeUnitInCategory": Set(view.memberships.map { "\($0.unitID) \($0.categoryID)" }),
      "keyword": Set(view.keywords.map { "\($0.id) \($0.text)" }),
      "inKeyword": Set(view.keywordLinks.map { "\($0.objectID) \($0.keywordID)" }),
      "edm": Set(view.banners.map { "\($0.id) \($0.name)" }),
      "mobileApp": Set(view.apps.map { "\($0.id) \($0.name)" }),
    ]
  }

  /// A directory on a store of its own, as that of another process; the request of a number can cancel
  /// the task that makes it.
  private static func directory(
    _ folder: TemporaryFolder, _ fixture: CivicFixture, _ cancelAt: Lock<Int?>
  ) -> CivicDirectory {
    let transport = StubTransport { stubs in
      stubs.on("civic.table") { request in
        let isNow = cancelAt.withLock { number in
          guard let left = number else { return false }
          number = left == 0 ? nil : left - 1
          return left == 0
        }
        if isNow { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        return try await fixture.server.send(request)
      }
    }
    return self.directory(folder, fixture, transport: transport)
  }

  private static func directory(
    _ folder: TemporaryFolder, _ fixture: CivicFixture, transport: any Transport
  ) -> CivicDirectory {
    CivicDirectory(
      source: CivicServer(
        CivicService(baseURL: fixture.server.baseURL, project: fixture.server.project),
        transport: transport),
      repository: FileStore(unsharedPath: folder.url.appending(path: "civic.store").path),
      feeds: CityFeeds(storage: .inMemory, transport: fixture.server, feeds: []),
      pictures: AssetCache(storage: .inMemory, transport: fixture.server),
      clock: fixture.clock)
  }

  // 5.6-7 of Docs/old-apps.md
  @Test("a link deleted in the cursor's second is removed, and older ones stay")
  func sameSecond() async throws {
    let fixture = try CivicFixture(isFilled: false)
    func set(_ categories: String...) throws {
      try fixture.server.setLinks(
        "administrativeUnitInCategory", of: "u",
        to: categories.map { #"{"unitId":"u","categoryId":"\#($0)"}"# })
    }
    try set("c1", "c2", "c3")
    try await fixture.directory.refresh()
    try set("c2")
    try await fixture.directory.refresh()
    #expect(try await fixture.directory.view().memberships.map(\.categoryID) == ["c2"])
  }

  @Test("two processes both have everything if one has stored its sync during the other's")
  func overtaken() async throws {
    let folder = try TemporaryFolder()
    let fixture = try CivicFixture()
    let other = Self.directory(folder, fixture, transport: fixture.server)
    let isFirst = Lock(true)
    let transport = StubTransport { stubs in
      stubs.on("civic.table") { request in
        let isFirst = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        let answer = try await fixture.server.send(request)
        if isFirst {
          try fixture.server.put("administrativeUnit", #"{"unitId":"u1","name":"新的名字"}"#)
          try await other.refresh()
        }
        return answer
      }
    }
    let directory = Self.directory(folder, fixture, transport: transport)
    let steps = directory.refreshProgress()
    try await directory.refresh()
    #expect(try await directory.unit("u1")?.unit.name == "新的名字")
    #expect(try await directory.export() == (try await other.export()))
    guard case .finished? = await Self.ending(of: steps) else {
      Issue.record("the sync isn't done")
      return
    }
  }

  private static func ending(of steps: RefreshProgressUpdates) async -> RefreshProgress.Outcome? {
    for await step in steps where step.outcome != nil { return step.outcome }
    return nil
  }

  @Test("an unreadable store ends the progress, too, so that nobody waits for it")
  func brokenStore() async throws {
    let folder = try TemporaryFolder()
    try Data("this is no store, but a file of somebody else".utf8)
      .write(to: folder.url.appending(path: "civic.store"))
    let fixture = try CivicFixture(storage: .directory(folder.url))
    let steps = fixture.directory.refreshProgress()
    await #expect(throws: FieldError.self) { try await fixture.directory.refresh() }
    guard case .failed(let error)? = await Self.ending(of: steps) else {
      Issue.record("the sync hasn't failed")
      return
    }
    #expect(error.code.guidance.group == .device)
  }

  @Test("an error of a custom repository is a store failure, not a network failure")
  func ownFailure() async throws {
    let fixture = try CivicFixture()
    let directory = CivicDirectory(
      source: CivicServer(
        CivicService(baseURL: fixture.server.baseURL, project: fixture.server.project),
        transport: fixture.server),
      repository: FullRepository(),
      feeds: CityFeeds(storage: .inMemory, transport: fixture.server, feeds: []),
      pictures: AssetCache(storage: .inMemory, transport: fixture.server),
      clock: fixture.clock)
    let steps = directory.refreshProgress()
    let error = await #expect(throws: FieldError.self) { try await directory.refresh() }
    #expect(error?.code == .io)
    #expect(error?.underlying is FullRepository.IsFull)
    guard case .failed(let failure)? = await Self.ending(of: steps) else {
      Issue.record("the sync hasn't failed")
      return
    }
    #expect(failure.code.guidance.group == .device)
  }

  @Test("a hundred concurrent callers change a directory, and every change is kept")
  func manyWriters() async throws {
    let fixture = try CivicFixture(isFilled: false)
    let directory = fixture.directory
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask {
          try await directory.upsert(CivicUnit(id: .init(rawValue: "u\(number)"), name: "n"))
        }
        group.addTask { try await directory.searchHistory.add("t\(number)") }
        group.addTask {
          let isFirst = try await directory.claimFirstLaunch(of: .init(rawValue: "f\(number)"))
          #expect(isFirst)
        }
      }
      try await group.waitForAll()
    }
    #expect(try await directory.view().units.count == 100)
    #expect(try await directory.searchHistory.entries().count == 50)
  }
}

/// A repository that takes nothing in, and says so with an error of its own.
private struct FullRepository: RecordStore {
  struct IsFull: Error {}

  let store = InMemoryStore<CivicRecord>()

  func open() async throws -> OpeningReport { try await store.open() }
  func snapshot() async throws -> Snapshot<CivicRecord> { try await store.snapshot() }
  func commit(
    _ changes: Changes<CivicRecord>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision { throw IsFull() }
  func updates() -> SnapshotUpdates<CivicRecord> { store.updates() }
  func close() async throws { await store.close() }
}
