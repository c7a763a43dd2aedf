import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport
import Testing

@testable import ZooKit

@Suite("The zoo's golden files", .timeLimit(.minutes(60)))
struct ZooGoldenTests {
  private static let golden = Golden("zoo")
  private static let exchange = Golden("zoo-exchange")
  private static let first = Date(timeIntervalSince1970: 1_767_225_600)
  private static let second = first + 90_000

  // MARK: Writing

  /// Two refreshes with a picture fetched, and sightings that were added, edited, and removed.
  private static func write(to folder: URL) async throws {
    let clock = ManualClock(now: first)
    let portal = portal(clock)
    let zoo = zoo(folder, portal, clock)
    try await zoo.refresh()
    let panda = try #require(try await zoo.animals(AnimalQuery(text: "大貓熊")).first)
    #expect(try await zoo.image(for: panda).data == Photos.jpeg(5))
    try await zoo.addSighting(
      name: "石虎", photo: Photos.jpeg(1), date: first - 3600,
      place: Coordinate(latitude: 24.9971, longitude: 121.5832))
    let leopard = try await zoo.addSighting(name: "雲豹", photo: Photos.jpeg(2))
    let bear = try await zoo.addSighting(name: "黑熊", photo: Photos.jpeg(3))
    clock.advance(by: .seconds(90_000))
    try await zoo.editSighting(bear.id, name: "臺灣黑熊", photo: Photos.jpeg(4))
    try await zoo.removeSighting(leopard.id)
    portal.publish(animals(named: "大貓熊", "臺灣黑熊", "穿山甲"))
    let report = try await zoo.refresh()
    #expect((report.added, report.removed) == (1, 1))
    try await zoo.close()
  }

  private static func zoo(
    _ folder: URL, _ transport: some Transport, _ clock: ManualClock
  ) -> Zoo {
    let chance = Lock(SeededGenerator(seed: 7))
    let events = StubTransport {
      $0.on("zoo.events.file", respond: .text(ZooFixture.events))
      $0.onRequest(where: { _ in true }, respond: .answering { try await transport.send($0) })
    }
    return Zoo(
      sources: TaipeiZoo(transport: events, events: address("https://zoo.example/events.csv"))
        .sources,
      storage: .directory(folder, clock: clock), transport: events, clock: clock,
      random: { chance.withLock { $0.next() } })
  }

  private static func portal(_ clock: ManualClock) -> FakeTaipeiOpenData {
    FakeTaipeiOpenData(
      datasets: [
        animals(named: "大貓熊", "石虎", "穿山甲"), Portal.areas(count: 2), Portal.plants,
      ], pictures: ["/大貓熊 1.jpg": .init(bytes: [UInt8](Photos.jpeg(5)))], clock: clock)
  }

  private static func animals(named names: String...) -> FakeTaipeiOpenData.Dataset {
    FakeTaipeiOpenData.Dataset(
      Portal.animalID,
      rows: names.map { name in
        [
          "a_name_ch": name, "a_name_en": "Animal of the zoo", "a_class": "哺乳綱",
          "a_alsoknown": "貓熊、熊貓", "a_conservation": "易危(VU)", "a_update": "2017/9/29",
          "a_location": "大貓熊館", "a_pic01_alt": "圖",
          "a_pic01_url": "http://www.zoo.gov.tw/\(name) 1.jpg",
          "a_geo": "MULTIPOINT ((121.5832 24.9971), (121.5801 24.9951))",
          "a_interpretation": "a\nb",
        ]
      }, importedAt: Samples.noon)
  }

  @Test("the zoo's golden files are written", Golden.writing)
  func writing() async throws {
    try await Self.golden.replace { try await Self.write(to: $0) }
    try await Self.exchange.replace { try await Self.export(to: $0) }
  }

  @Test("the zoo's golden files are identical today", Golden.reading)
  func sameBytes() async throws {
    try await Self.golden.expectSame { try await Self.write(to: $0) }
    try await Self.exchange.expectSame { try await Self.export(to: $0) }
  }

  // MARK: Reading

  /// The zoo of a copy, without a network.
  private func opened(
    _ folder: TemporaryFolder, clock: ManualClock = ManualClock(now: second),
    transport: any Transport = StubTransport { _ in }
  ) async throws -> Zoo {
    let zoo = Zoo(
      storage: .directory(folder.url, clock: clock), transport: transport, clock: clock,
      events: address("https://zoo.example/events.csv"))
    let report = try await zoo.open()
    #expect(report.cuts.isEmpty && report.setAside.isEmpty)
    return zoo
  }

  @Test(
    "the zoo's golden files have the animals, areas, plants, and events, in order", Golden.reading)
  func tables() async throws {
    let folder = try Self.golden.copy()
    let zoo = try await opened(folder)
    let view = try await zoo.view()
    #expect(view.animals.map(\.name) == ["大貓熊", "臺灣黑熊", "穿山甲"])
    let panda = view.animals[0]
    #expect(panda.englishName == "Animal of the zoo" && panda.animalClass == .mammals)
    #expect(panda.conservation == .vulnerable && panda.interpretation == "a\nb")
    #expect(panda.places.map(\.longitude) == [121.5832, 121.5801])
    #expect(panda.updated == (try CalendarDay("2017-09-29")))
    #expect(view.areas.map(\.name) == ["館區0", "館區1"])
    #expect(view.plants.map(\.latinName) == ["Lagerstroemia subcostata"])
    #expect(view.events.map(\.title) == ["無尾熊的外觀", "大貓熊動物訓練"])
    #expect(try await zoo.animals(AnimalQuery(text: "熊貓")).count == 3)
    try await zoo.close()
  }

  @Test(
    "the zoo's golden files have the time at which each table was read and is due", Golden.reading)
  func dates() async throws {
    let folder = try Self.golden.copy()
    let zoo = try await opened(folder)
    #expect(try await zoo.lastRefresh == Self.second)
    for table in [ZooTable.animals, .areas, .plants, .events] {
      #expect(try await zoo.lastRefresh(of: table) == Self.second)
    }
    let imported = try #require(try await zoo.importDate(of: .animals))
    #expect(abs(imported.timeIntervalSince(Samples.noon)) < 1)
    #expect(try await zoo.importDate(of: .plants) == nil)
    let next = try #require(try await zoo.nextRefreshDate)
    #expect(abs(next.timeIntervalSince(Self.second) - 86_400) < 0.001)
    #expect(try await zoo.refresh().outcome == .notDue)
    try await zoo.close()
  }

  /// Data that another reader stored is due. If the columns change, so does the fingerprint, and this test.
  @Test(
    "the zoo's golden files are stored by a reader whose version is new if its columns are",
    arguments: [
      (ZooTable.animals, "d08bc0de"), (.areas, "49b4aeb"), (.plants, "981a0bb8"),
      (.events, "70e475da"),
    ])
  func readerVersion(_ table: ZooTable, _ checksum: String) {
    #expect(ZooRecord.fingerprint("zoo/2", columns: table.columns) == "zoo/2 \(checksum)")
    #expect(table.fingerprint == "zoo/2")
  }

  @Test(
    "the zoo's golden files have the sightings with their photos, and the next number",
    Golden.reading)
  func sightings() async throws {
    let folder = try Self.golden.copy()
    let zoo = try await opened(folder)
    let listing = try await zoo.listing()
    #expect(listing.map(\.name) == ["臺灣黑熊", "石虎", "大貓熊", "臺灣黑熊", "穿山甲"])
    #expect(listing.allSatisfy { $0.problem == nil })
    let sightings = try await zoo.sightings()
    #expect(sightings.map(\.number) == [2, 0])
    #expect(sightings.map(\.date) == [Self.first, Self.first - 3600])
    #expect(sightings[1].place == (try Coordinate(latitude: 24.9971, longitude: 121.5832)))
    #expect(try await zoo.image(for: sightings[0]).data == Photos.jpeg(4))
    #expect(try await zoo.image(for: sightings[1]).data == Photos.jpeg(1))
    #expect(try await zoo.addSighting(name: "獼猴", photo: Photos.jpeg(9)).number == 3)
    try await zoo.close()
  }

  @Test(
    "the zoo's golden files have the picture, and its validators for the next request",
    Golden.reading)
  func picture() async throws {
    let folder = try Self.golden.copy()
    let zoo = try await opened(folder)
    let panda = try #require(try await zoo.view().animals.first)
    let picture = try await zoo.image(for: panda)
    #expect(picture.data == Photos.jpeg(5))
    #expect(picture.origin == .disk && picture.contentType == "image/jpeg")
    #expect(picture.fetchedAt == Self.first && picture.confirmedAt == Self.first)
    try await zoo.close()
    let transport = StubTransport { $0.onRequest(where: { _ in true }, respond: .status(304)) }
    let later = ManualClock(now: Self.second + 8 * 86_400)
    let other = try await opened(folder, clock: later, transport: transport)
    let confirmed = try await other.image(for: panda)
    #expect(confirmed.data == Photos.jpeg(5) && confirmed.confirmedAt == later.now)
    let tag = BlobID(of: [UInt8](Photos.jpeg(5))).hexadecimal.prefix(16)
    #expect(transport.requests.map { $0.fields["If-None-Match"] } == ["\"\(tag)\""])
    try await other.close()
  }

  @Test("the zoo's golden files have the rows that the source still contains", Golden.reading)
  func sameRows() async throws {
    let folder = try Self.golden.copy()
    let clock = ManualClock(now: Self.second + 100)
    let portal = Self.portal(clock)
    portal.publish(Self.animals(named: "大貓熊", "臺灣黑熊", "穿山甲"))
    let zoo = Self.zoo(folder.url, portal, clock)
    let report = try await zoo.refresh(.now)
    #expect(report.outcome == .unchanged && report.unchanged == 8)
    #expect(try await zoo.lastRefresh == clock.now)
    try await zoo.close()
  }

  // MARK: Exchange

  /// Values that a user may store as JSON.
  private struct Values: Codable, Equatable {
    var animals: [Animal]
    var areas: [ZooArea]
    var plants: [Plant]
    var events: [ZooEvent]
    var sightings: [Sighting]
  }

  private static func values(of zoo: Zoo) async throws -> Values {
    let view = try await zoo.view()
    return Values(
      animals: view.animals, areas: view.areas, plants: view.plants, events: view.events,
      sightings: try await zoo.sightings())
  }

  private static func export(to folder: URL) async throws {
    let source = try TemporaryFolder()
    try await write(to: source.url)
    let zoo = zoo(source.url, StubTransport { _ in }, ManualClock(now: second))
    try await zoo.view().animals.geoJSON().write(to: folder.appending(path: "animals.geojson"))
    try Golden.json(try await values(of: zoo)).write(to: folder.appending(path: "values.json"))
    try await zoo.close()
  }

  @Test("the zoo's golden files in JSON are the values that the store has", Golden.reading)
  func values() async throws {
    let folder = try Self.golden.copy()
    let zoo = try await opened(folder)
    let read = try JSONDecoder().decode(Values.self, from: Self.exchange.bytes("values.json"))
    #expect(read == (try await Self.values(of: zoo)))
    #expect(
      try Self.exchange.bytes("animals.geojson") == (try await zoo.view().animals.geoJSON()))
    try await zoo.close()
  }
}
