import FieldCore
import FieldTesting
import Foundation
import TestSupport
import Testing

@testable import ZooKit

@Suite("The sources of a zoo's tables", .timeLimit(.minutes(60)))
struct ZooSourcesTests {
  /// A source that returns the same rows always, and says so if it is asked for changes.
  private struct Fixed: RecordSource {
    let batch: Batch<ZooRecord>
    var dataSource: DataSource? { .taipeiZoo }

    init(_ batch: Batch<ZooRecord>) { self.batch = batch }

    func fetch(_ request: RecordRequest) async throws -> Batch<ZooRecord> {
      let isKnown = !request.validators.isEmpty && request.validators == batch.facts.validators
      return isKnown ? .notModified(validators: request.validators) : batch
    }
  }

  private static let events = address("https://zoo.example/events.csv")

  private let clock = ManualClock(now: Samples.noon)
  private let storage = Storage.inMemory

  private func zoo(_ sources: ZooSources) -> Zoo {
    Zoo(sources: sources, storage: storage, clock: clock)
  }

  /// The sources of one animal, and of the file of events.
  private func sources(_ transport: StubTransport) -> ZooSources {
    [
      .animals: [Fixed(Batch(animals: Samples.animals("大貓熊")))],
      .events: TaipeiZoo(transport: transport, events: Self.events).sources[.events] ?? [],
    ]
  }

  @Test("a zoo's sources are tried in turn until one returns rows that the guard accepts")
  func inTurn() async throws {
    let animals = Samples.animals(count: 20)
    let (first, second) = (ScriptedZoo(animals), ScriptedZoo(animals))
    var sources = first.sources
    sources[.animals]? += second.sources[.animals] ?? []
    let zoo = zoo(sources)
    #expect(zoo.dataSources == [.taipeiZoo])
    #expect(try await zoo.refresh().added == 20)
    #expect(second.calls.isEmpty)
    first.fail(.animals, FieldError(.datasetRetired, "moved away"))
    #expect(try await zoo.refresh(.now).unchanged == 20)
    first.give(Batch(animals: [animals[0]]))
    second.give(Batch(animals: Samples.animals(count: 21)))
    let report = try await zoo.refresh(.now)
    #expect((report.added, report.removed) == (1, 0))
    second.fail(.animals)
    let error = await #expect(throws: FieldError.self) { try await zoo.refresh(.now) }
    #expect(error?.code == .offline)
    #expect(try await zoo.animals().count == 21)
  }

  @Test("a zoo's sources fail if they return another table's records, and the next one is asked")
  func otherTable() async throws {
    let areas = Fixed(Batch(areas: [ZooArea(name: "鳥園區")]))
    let wrong = zoo([.animals: [areas]])
    let error = await #expect(throws: FieldError.self) { try await wrong.refresh() }
    #expect(error?.code == .invalidInput)
    #expect(error?.message.contains("rows of the animals") == true)
    let zoo = self.zoo([
      .animals: [areas, Fixed(Batch(animals: Samples.animals("石虎")))], .areas: [],
    ])
    #expect(try await zoo.refresh().added == 1)
    #expect(try await zoo.listing().lines == ["0 石虎"])
    #expect(try await zoo.areas().isEmpty)
  }

  @Test("a zoo's sources confirm a table, which keeps its rows, their order, and their date")
  func confirmed() async throws {
    var areas = Batch<ZooRecord>(areas: [ZooArea(name: "鳥園區"), ZooArea(name: "昆蟲館")])
    areas.facts.sourceDate = Samples.noon - 100
    areas.facts.validators = ["a": HTTPValidators(entityTag: "\"1\"")]
    let animals = Fixed(Batch(animals: Samples.animals("大貓熊")))
    let zoo = zoo([.animals: [animals], .areas: [Fixed(areas)]])
    #expect(try await zoo.refresh().added == 3)
    clock.advance(by: .seconds(100))
    let report = try await zoo.refresh(.now)
    #expect((report.rows, report.unchanged, report.removed) == (1, 3, 0))
    #expect(try await zoo.areas().map(\.name) == ["鳥園區", "昆蟲館"])
    #expect(try await zoo.lastRefresh(of: .areas) == clock.now)
    #expect(try await zoo.importDate(of: .areas) == Samples.noon - 100)
  }

  @Test("a zoo's sources ask for the events only if they have changed, in the next process, too")
  func conditional() async throws {
    let folder = try TemporaryFolder()
    let transport = StubTransport {
      $0.on(
        "zoo.events.file",
        respond: .sequence(
          .text(ZooFixture.events, fields: ["ETag": "\"1\""]), .status(304),
          .text(ZooFixture.events, fields: ["ETag": "\"2\""]), .text(ZooFixture.events),
          .text(ZooFixture.events)))
    }
    for tag in [nil, "\"1\"", "\"1\"", "\"2\"", nil] {
      let zoo = Zoo(sources: sources(transport), storage: .directory(folder.url), clock: clock)
      try await zoo.refresh(.now)
      #expect(transport.requests.last?.fields["If-None-Match"] == tag)
      #expect(try await zoo.view().events.map(\.title) == ["無尾熊的外觀", "大貓熊動物訓練"])
      #expect(try await zoo.lastRefresh(of: .events) == clock.now)
      try await zoo.close()
      clock.advance(by: .seconds(60))
    }
  }

  /// What may make the stored rows differ from those that the validators describe.
  enum Difference: CaseIterable { case reader, unreadableRow, unreadableOrder, noRows }

  @Test(
    "a zoo's sources are asked for all rows if the stored ones aren't theirs",
    arguments: Difference.allCases)
  func notTheirs(_ difference: Difference) async throws {
    let transport = StubTransport {
      $0.on(
        "zoo.events.file",
        respond: .answering { request in
          request.fields["If-None-Match"] == nil
            ? TransportResponse(
              status: 200, fields: ["ETag": "\"1\""], body: .text(ZooFixture.events))
            : TransportResponse(status: 304)
        })
    }
    let zoo = zoo(sources(transport))
    try await zoo.refresh()
    let store = storage.store("zoo", of: ZooRecord.self)
    let snapshot = try await store.snapshot()
    var checkpoint = try #require(snapshot.checkpoint)
    var changes = Changes<ZooRecord>()
    switch difference {
    case .reader: checkpoint[table: "zoo.events"].fingerprint = "zoo/1"
    case .unreadableRow, .unreadableOrder:
      let record = try #require(
        snapshot.first {
          $0.id.table == .events && ($0.id.key == nil) == (difference == .unreadableOrder)
        })
      var writer = RecordWriter()
      try record.write(to: &writer)
      let bytes = Array(writer.bytes.dropLast(4))
      var reader = RecordReader(bytes, 0..<bytes.count, strings: ["events"])
      changes.upsert(try ZooRecord(reading: &reader))
    case .noRows:
      for record in snapshot where record.id.table == .events { changes.remove(record.id) }
    }
    try await store.commit(changes, checkpoint: checkpoint, expecting: nil)
    let report = try await zoo.refresh(.now)
    #expect(transport.requests.map { $0.fields["If-None-Match"] } == [nil, nil])
    #expect(try await zoo.view().events.count == 2)
    #expect(report.notices.map(\.code) == (difference == .reader ? [.startedAnew] : []))
    try await zoo.refresh(.now)
    #expect(transport.requests.last?.fields["If-None-Match"] == "\"1\"")
  }
}
