import FieldCore
import FieldFakes
import FieldURLSession
import Foundation
import TestSupport
import Testing
import ZooKit

@Suite("A zoo over the fake portal", .timeLimit(.minutes(60)))
struct FakePortalTests {
  private static func portal(
    _ animals: Int = 45, cap: Int = 1000,
    retired: [String: FakeTaipeiOpenData.Retirement] = [:]
  ) -> FakeTaipeiOpenData {
    FakeTaipeiOpenData(
      datasets: [Portal.animals(count: animals), Portal.areas(count: 3), Portal.plants],
      retired: retired, pictures: ["/animal 1.jpg": .init(bytes: [UInt8](Photos.jpeg(1)))],
      cap: cap)
  }

  private func rows(_ transport: any Transport, _ query: String) async throws -> TransportResponse {
    try await transport.send(
      TransportRequest(url: address("http://data.taipei\(query)"), operation: "test"))
  }

  @Test("a zoo over the fake portal returns 20 rows by default, and at most the cap, in both forms")
  func limits() async throws {
    let portal = Self.portal(1_200)
    let v1 = "/api/v1/dataset/\(Portal.animalID)?scope=resourceAquire"
    let old = "/opendata/datalist/apiAccess?scope=resourceAquire&rid=\(Portal.animalID)"
    for form in [v1, old] {
      for (query, count) in [
        ("", 20), ("&limit=5", 5), ("&limit=5000", 1000), ("&limit=1000&offset=1000", 200),
        ("&offset=5000", 0), ("&q=%E5%8B%95%E7%89%A91199", 1),
      ] {
        let body = String(
          decoding: try await rows(portal, form + query).body.bytes(), as: UTF8.self)
        #expect(body.components(separatedBy: "\"_id\":").count - 1 == count, "\(query)")
      }
    }
    let wrong = v1.replacing("resourceAquire", with: "resourceAcquire")
    #expect(try await rows(portal, wrong).status == 404)
  }

  @Test(
    "a zoo over the fake portal is read page by page, with equal data from both APIs and the file")
  func forms() async throws {
    let portal = Self.portal(45, cap: 20)
    var tables: [OpenDataTable] = []
    for form in [TaipeiOpenData.Form.v1, .retired] {
      let reader = TaipeiOpenData(transport: portal, form: form)
      tables.append(try await reader.table(of: .zooAnimals))
    }
    #expect(tables[0].rows == tables[1].rows)
    #expect(tables[0].rows.count == 45)
    #expect(tables[0].importedAt != nil)
    let found = try await TaipeiOpenData(transport: portal)
      .table(of: .zooAnimals, matching: "動物7")
    #expect(found.rows.map { $0["a_name_ch"] } == ["動物7"])
    #expect(found.rows[0]["_full_count"] == "1")
    let file = "/api/dataset/x/resource/\(Portal.animalID)/download"
    let page = try await rows(portal, file).body.bytes()
    #expect(page.starts(with: Array("<!DOCTYPE".utf8)), "no browser has asked")
    let csv = try await portal.send(
      TransportRequest(
        url: address("http://data.taipei\(file)"),
        fields: ["User-Agent": TaipeiOpenData.defaultUserAgent], operation: "test"))
    #expect(try csv.body.bytes().starts(with: [0xEF, 0xBB, 0xBF]))
  }

  @Test(
    "a zoo finds the data under yesterday's ID if today's is retired, and reports if all are",
    arguments: FakeTaipeiOpenData.Retirement.allCases)
  func retired(retirement: FakeTaipeiOpenData.Retirement) async throws {
    let old = TaipeiDataset.zooAnimals.resources[1].rawValue
    let portal = FakeTaipeiOpenData(
      datasets: [
        FakeTaipeiOpenData.Dataset(old, rows: [["A_Name_Ch": "大貓熊"]]), Portal.areas(count: 1),
        Portal.plants,
      ], retired: [Portal.animalID: retirement])
    let zoo = Zoo(sources: TaipeiZoo(transport: portal).sources, storage: .inMemory)
    try await zoo.refresh()
    #expect(try await zoo.animals().map(\.name) == ["大貓熊"])
    portal.retire(old, as: retirement)
    let error = await #expect(throws: FieldError.self) { try await zoo.refresh(.now) }
    #expect(error?.code == .datasetRetired)
    #expect(try await zoo.animals().map(\.name) == ["大貓熊"])
  }

  @Test("a zoo includes the events if their URL is given, and requests none without it")
  func events() async throws {
    let portal = FakeTaipeiOpenData(
      datasets: [
        Portal.animals(count: 3), Portal.areas(count: 3), Portal.plants,
        FakeTaipeiOpenData.Dataset(
          "events", rows: [["D_Title": "無尾熊的外觀", "D_StartDate": "2026/5/20"]]),
      ])
    let file = address("http://data.taipei/api/dataset/x/resource/events/download")
    let zoo = Zoo(storage: .inMemory, transport: portal, events: file)
    #expect(try await zoo.refresh().added == 8)
    #expect(try await zoo.events(on: CalendarDay("2026-05-20")).map(\.title) == ["無尾熊的外觀"])
    let count = portal.requests.count
    let plain = Zoo(storage: .inMemory, transport: portal)
    #expect(try await plain.refresh().notices.isEmpty)
    #expect(portal.requests.count == count * 2 - 1)
  }

  @Test("a table that changes between two pages never leaves half of each")
  func changesBetweenPages() async throws {
    let portal = Self.portal(45, cap: 20)
    let zoo = Zoo(sources: TaipeiZoo(transport: portal).sources, storage: .inMemory)
    try await zoo.refresh()
    let before = try await zoo.animals()
    portal.publish(Portal.animals(count: 30), afterPages: 1)
    // Fewer rows than the first page announced: either all of the new ones or an error.
    do {
      try await zoo.refresh(.now)
      #expect(try await zoo.animals().count == 30)
    } catch let error as FieldError {
      #expect([.datasetIncomplete, .snapshotRefused].contains(error.code))
      #expect(try await zoo.animals() == before)
    }
    try await zoo.refresh(.now)
    #expect(try await zoo.animals().count == 30)
  }

  @Test("a zoo over the fake portal is read over real HTTP, data and pictures")
  func overHTTP() async throws {
    let portal = Self.portal()
    let server = try LoopbackServer(serving: portal)
    let folder = try TemporaryFolder()
    let transport = Rehosting(WithoutTimeout(URLSessionTransport()), to: server.url)
    let zoo = Zoo(storage: .directory(folder.url), transport: transport)
    let report = try await zoo.refresh()
    #expect(report.added == 49)
    let entry = try await zoo.listing()[1]
    #expect(entry.name == "動物1")
    #expect(try await zoo.image(for: entry).data == Photos.jpeg(1))
    #expect(try await zoo.areas().count == 3)
    #expect(try await zoo.plants().map(\.name) == ["九芎"])
    await server.stop()
    try await zoo.close()
  }

  @Test(
    "a fake portal serves the capture of 2026 unchanged, and the zoo reads it like the file",
    .enabled(if: SharedData.isThere, "the captures of ../shared are not here"))
  func capture() async throws {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: SharedData.url("zoo").path
    ).filter { $0.hasSuffix(".json") }.sorted()
    try #require(!names.isEmpty)
    var served = 0
    for name in names {
      let url = SharedData.url("zoo/\(name)")
      guard let file = try? await ZooFile(finding: [url]), file.tables == [.animals],
        let dataset = try? FakeTaipeiOpenData.Dataset(
          Portal.animalID, capture: SharedData.bytes("zoo/\(name)"))
      else { continue }
      let portal = FakeTaipeiOpenData(datasets: [dataset], cap: 60)
      var source = TaipeiZoo(transport: portal)
      (source.areas, source.plants) = (nil, nil)
      let zoo = Zoo(sources: source.sources, storage: .inMemory)
      try await zoo.refresh()
      #expect(try await zoo.animals() == file.read(.animals).animals, "\(name)")
      served += 1
    }
    #expect(served > 0)
  }
}

/// Sends everything to one server, whatever host was meant.
struct Rehosting: Transport {
  let base: any Transport
  let server: URL

  init(_ base: any Transport, to server: URL) {
    self.base = base
    self.server = server
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    var request = request
    let query = request.url.query(percentEncoded: true).map { "?\($0)" } ?? ""
    request.url = address(server.absoluteString + request.url.path(percentEncoded: true) + query)
    return try await base.send(request)
  }
}
