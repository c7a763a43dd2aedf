import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing
import ZooKit

@Suite("A refresh of the zoo", .timeLimit(.minutes(60)))
struct RefreshTests {
  private let clock = ManualClock(now: Samples.noon)
  private let areas = [ZooArea(name: "鳥園區"), ZooArea(name: "昆蟲館")]

  private func zoo(_ source: ScriptedZoo, _ storage: Storage = .inMemory) -> Zoo {
    Zoo(sources: source.sources, storage: storage, clock: clock)
  }

  @Test("a refresh of the zoo is due once a day, and sends no request in between")
  func due() async throws {
    let source = ScriptedZoo(Samples.animals("大貓熊"), areas: areas)
    let zoo = zoo(source)
    #expect(try await zoo.nextRefreshDate == Samples.noon)
    let report = try await zoo.refresh()
    #expect((report.outcome, report.added, report.rows) == (.updated, 3, 3))
    #expect(source.calls == [.animals, .areas])
    clock.advance(by: .seconds(86_400))
    #expect(try await zoo.refresh().outcome == .notDue)
    #expect(source.calls.count == 2)
    clock.advance(by: .seconds(1))
    #expect(try await zoo.nextRefreshDate == clock.now)
    #expect(try await zoo.refresh().outcome == .unchanged)
    #expect(try await zoo.lastRefresh == clock.now)
    #expect(source.calls.count == 4)
  }

  @Test("a refresh with one failing table stores the others, keeps its data, and is due sooner")
  func partial() async throws {
    let source = ScriptedZoo(Samples.animals("大貓熊"), areas: areas)
    let zoo = zoo(source)
    try await zoo.refresh()
    let first = clock.now
    clock.advance(by: .seconds(100_000))
    source.fail(.areas)
    source.give(Batch<ZooRecord>(animals: Samples.animals("大貓熊", "無尾熊")))
    let report = try await zoo.refresh()
    #expect(report.added == 1)
    #expect(report.notices.map(\.code) == [.partFailed])
    #expect(try await zoo.areas() == areas)
    #expect(try await zoo.animals().map(\.name) == ["大貓熊", "無尾熊"])
    #expect(try await zoo.lastRefresh(of: .areas) == first)
    #expect(try await zoo.lastRefresh == clock.now)
    // The areas alone are asked for again, after the wait of the policy.
    #expect(try await zoo.refresh().outcome == .notDue)
    clock.advance(by: .seconds(61))
    source.give(Batch<ZooRecord>(areas: areas))
    #expect(try await zoo.refresh().notices.isEmpty)
    #expect(source.calls == [.animals, .areas, .animals, .areas, .areas])
  }

  @Test("a refresh shows what the guard refused to remove, and removes it once it is accepted")
  func refusedTable() async throws {
    let many = (1...20).map { ZooArea(name: "區\($0)") }
    let source = ScriptedZoo(Samples.animals("大貓熊"), areas: many)
    let zoo = zoo(source)
    try await zoo.refresh()
    source.give(Batch<ZooRecord>(areas: Array(many.prefix(5))))
    let report = try await zoo.refresh(.now)
    #expect(report.notices.map(\.code) == [.partFailed])
    let removal = try #require(report.notices[0].refusedRemoval)
    #expect((removal.count, removal.storedCount) == (15, 20))
    #expect(try await zoo.refresh(.acceptingRemovals(upTo: 14)).removed == 0)
    #expect(try await zoo.areas().count == 20)
    #expect(try await zoo.refresh(.acceptingRemovals(upTo: 15)).removed == 15)
    #expect(try await zoo.areas().count == 5)
  }

  @Test("a refresh that only changes the order has changed the list, and reports it")
  func order() async throws {
    let source = ScriptedZoo(Samples.animals("大貓熊", "無尾熊"))
    let zoo = zoo(source)
    try await zoo.refresh()
    source.give(Batch<ZooRecord>(animals: Samples.animals("無尾熊", "大貓熊")))
    let report = try await zoo.refresh(.now)
    #expect(report.outcome == .updated)
    #expect((report.updated, report.unchanged) == (0, 2))
    #expect(try await zoo.listing().lines == ["0 無尾熊", "1 大貓熊"])
  }

  @Test("a refresh of the animals that fails is an error, and the other tables are stored")
  func mainTable() async throws {
    let source = ScriptedZoo(Samples.animals("大貓熊"), areas: areas)
    source.fail(.animals, FieldError(.notData, "a web page"))
    let zoo = zoo(source)
    let error = await #expect(throws: FieldError.self) { try await zoo.refresh() }
    #expect(error?.code == .notData)
    #expect(error?.operation == "zoo.animals")
    #expect(try await zoo.areas() == areas)
    #expect(try await zoo.lastRefresh == nil)
    #expect(try await zoo.lastRefresh(of: .areas) == clock.now)
  }

  @Test("a refresh of the zoo reports all failures if every table failed")
  func everything() async throws {
    let source = ScriptedZoo([], areas: areas)
    source.fail(.animals)
    source.fail(.areas, FieldError(.datasetRetired, "moved away"))
    let error = await #expect(throws: FieldError.self) { try await zoo(source).refresh() }
    #expect(error?.code == .offline)
    #expect(error?.problems.count == 1)
    #expect(error?.problems.first?.contains("moved away") == true)
  }

  @Test(
    "a refresh of the zoo rejects one row instead of 313, none at all, and fewer than announced")
  func refusal() async throws {
    let animals = Samples.animals(count: 313)
    let source = ScriptedZoo(animals)
    let zoo = zoo(source)
    try await zoo.refresh()
    var short = Batch<ZooRecord>(animals: Array(animals.prefix(300)))
    short.facts.announcedCount = 313
    for delivery in [
      Batch<ZooRecord>(animals: [animals[0]]), Batch<ZooRecord>(animals: []), short,
      Batch<ZooRecord>(
        animals: Array(animals.prefix(200)),
        failures: (0..<100).map { RowFailure(index: $0, reason: "bad") }),
    ] {
      source.give(delivery)
      let error = await #expect(throws: FieldError.self) { try await zoo.refresh(.now) }
      #expect(error?.code == .snapshotRefused)
      #expect(try await zoo.animals() == animals)
    }
    source.give(Batch<ZooRecord>(animals: Array(animals.dropFirst(10))))
    #expect(try await zoo.refresh(.now).removed == 10)
  }

  @Test("a refresh of the zoo lets all events expire at once, but no other table's rows")
  func events() async throws {
    func events(_ month: String) throws -> Batch<ZooRecord> {
      Batch<ZooRecord>(
        events: try (1...20).map { day in
          ZooEvent(
            title: "餵食秀", start: try CalendarDay("\(month)-\(day < 10 ? "0" : "")\(day)"))
        })
    }
    let source = ScriptedZoo(Samples.animals(count: 20))
    source.give(try events("2026-05"))
    let zoo = zoo(source)
    try await zoo.refresh()
    source.give(try events("2026-09"))
    let report = try await zoo.refresh(.now)
    #expect((report.added, report.removed, report.unchanged) == (20, 20, 20))
    #expect(try await zoo.events(on: CalendarDay("2026-09-03")).count == 1)
    #expect(try await zoo.events(on: CalendarDay("2026-05-03")).isEmpty)
    source.give(Batch<ZooRecord>(events: []), of: .events)
    #expect(try await zoo.refresh(.now).notices.map(\.code) == [.partFailed])
    #expect(try await zoo.events().count == 20)
  }

  @Test("a refresh removes nothing while a row is unreadable, and uses the last row with an ID")
  func badRows() async throws {
    let source = ScriptedZoo(Samples.animals(count: 40))
    let zoo = zoo(source)
    try await zoo.refresh()
    source.give(
      Batch<ZooRecord>(
        animals: Samples.animals(count: 39), failures: [RowFailure(index: 39, reason: "bad")]))
    let report = try await zoo.refresh(.now)
    #expect((report.removed, report.failureCount) == (0, 1))
    #expect(report.notices.map(\.code) == [.removalSkipped])
    #expect(try await zoo.animals().count == 40)
    var twice = Samples.animals(count: 40)
    var last = twice[3]
    last.diet = "竹子"
    twice.append(last)
    source.give(Batch<ZooRecord>(animals: twice))
    #expect(try await zoo.refresh(.now).notices.map(\.code) == [.repeatedIDs])
    #expect(try await zoo.animals().count == 40)
    #expect(try await zoo.animals()[3].diet == "竹子")
  }

  @Test("a refresh of the zoo that is canceled leaves everything unchanged, and the next one works")
  func cancellation() async throws {
    let source = ScriptedZoo(Samples.animals("大貓熊"))
    let zoo = zoo(source)
    source.hold()
    var steps = zoo.refreshProgress().makeAsyncIterator()
    let task = Task { try await zoo.refresh() }
    try await eventually { !source.calls.isEmpty }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    var outcome: RefreshProgress.Outcome?
    while outcome == nil, let step = await steps.next() { outcome = step.outcome }
    guard case .cancelled? = outcome else {
      Issue.record("\(String(describing: outcome))")
      return
    }
    #expect(try await zoo.listing().isEmpty)
    source.release()
    #expect(try await zoo.refresh().added == 1, "a cancellation is no failure to wait after")
  }

  @Test("a refresh of the zoo that one caller leaves continues for the others")
  func oneLeaves() async throws {
    let source = ScriptedZoo(Samples.animals("大貓熊"))
    let zoo = zoo(source)
    source.hold()
    let leaving = Task { try await zoo.refresh(.now) }
    let staying = Task { try await zoo.refresh(.now) }
    try await eventually { !source.calls.isEmpty }
    leaving.cancel()
    await #expect(throws: CancellationError.self) { try await leaving.value }
    source.release()
    _ = try await staying.value
    #expect(try await zoo.animals().count == 1)
  }

  @Test("a refresh is kept across a restart, with each table's age and the order of the zoo")
  func restart() async throws {
    let folder = try TemporaryFolder()
    let source = ScriptedZoo(Samples.animals("乙", "甲"), areas: areas)
    let first = zoo(source, .directory(folder.url))
    var delivery = Batch<ZooRecord>(animals: Samples.animals("丙", "甲", "乙"))
    delivery.facts.sourceDate = Samples.noon.addingTimeInterval(-5)
    try await first.refresh()
    source.give(delivery)
    try await first.refresh(.now)
    try await first.close()
    let second = zoo(source, .directory(folder.url))
    #expect(try await second.animals().map(\.name) == ["丙", "甲", "乙"])
    #expect(try await second.lastRefresh(of: .areas) == clock.now)
    #expect(try await second.importDate(of: .animals) == delivery.facts.sourceDate)
    #expect(try await second.refresh().outcome == .notDue)
    try await second.eraseAll()
    #expect(try await second.listing().isEmpty)
    #expect(try await second.lastRefresh == nil)
    #expect(try await second.refresh().added == 5)
    try await second.close()
    await #expect(throws: FieldError.self) { try await second.listing() }
  }

  @Test("a refresh of the zoo replaces records of another version that this one can't read")
  func unreadableRecords() async throws {
    let record = ZooRecord(Samples.animals("大貓熊")[0])
    var writer = RecordWriter()
    try record.write(to: &writer)
    let bytes = Array(writer.bytes.dropLast(4))
    // The interned name of the table is the reader's business; it is given here.
    var reader = RecordReader(bytes, 0..<bytes.count, strings: ["animals"])
    let damaged = try ZooRecord(reading: &reader)
    #expect(damaged.id == record.id)
    #expect(damaged.content == .unreadable)
    let store = InMemoryStore<ZooRecord>()
    var changes = Changes<ZooRecord>()
    changes.upsert(damaged)
    try await store.commit(changes, checkpoint: nil, expecting: nil)
    let zoo = Zoo(
      sources: ScriptedZoo(Samples.animals("大貓熊")).sources, repository: store,
      sightings: InMemoryStore(), photos: InMemoryBlobStore(),
      pictures: AssetCache(storage: .inMemory, transport: StubbornTransport()), clock: clock)
    #expect(try await zoo.listing().isEmpty)
    #expect(try await zoo.refresh().updated == 1)
    #expect(try await zoo.listing().lines == ["0 大貓熊"])
  }
}
