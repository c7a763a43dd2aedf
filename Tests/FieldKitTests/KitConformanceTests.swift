import FieldKit
import FieldTesting
import FieldTransit
import Foundation
import Testing

@Suite("Every kit satisfies the contract of a kit", .timeLimit(.minutes(60)))
struct KitConformanceTests {
  /// Answers the requests of all kits, each with one row or item.
  private static func respond(_ request: TransportRequest) throws -> TransportResponse {
    let text =
      switch request.operation {
      case "zoo.animals.page": FieldTests.table(#"{"_id":1,"a_name_ch":"大貓熊"}"#)
      case "zoo.areas.page": FieldTests.table(#"{"e_no":"1","e_name":"鳥園區"}"#)
      case "zoo.plants.page": FieldTests.table(#"{"_id":1,"f_name_ch":"九芎"}"#)
      case "metro.arrivals": FieldTests.arrivals
      case "meteorites.snapshot": FieldTests.rows
      case "civic.feed": FieldTests.feed
      default: ""
      }
    return TransportResponse(status: text.isEmpty ? 404 : 200, body: .text(text))
  }

  @Test("Zoo satisfies the contract of a kit")
  func zoo() async throws {
    // Tables come page by page, without entity tags.
    try await KitConformance.run(excluding: [.conditionalRequests]) { bench in
      Zoo(storage: bench.storage, transport: bench.transport, clock: bench.clock)
    } responding: {
      try Self.respond($0)
    } damage: {
      try await $0.view().damage
    } following: {
      $0.updates { $0.animals.map(\.name) + $0.areas.map(\.name) }
    } content: { zoo in
      try await zoo.view().animals.map(\.name) + zoo.areas().map(\.name)
    }
  }

  @Test("Metro satisfies the contract of a kit")
  func metro() async throws {
    try await KitConformance.run { bench in
      Metro(storage: bench.storage, transport: bench.transport, clock: bench.clock)
    } responding: {
      try Self.respond($0)
    } damage: {
      try await $0.board().damage
    } following: {
      $0.updates { $0.arrivals.map(\.stationName) }
    } content: { metro in
      try await metro.board().arrivals.map(\.stationName)
    }
  }

  @Test("Metro with alerts and a timetable satisfies the contract of a kit")
  func metroTimetable() async throws {
    let board = #"""
      [{"RouteID":"BL-1","LineID":"BL","StationID":"BL12","Direction":0,"DestinationStaionID":"BL13",
        "ServiceDay":{"Monday":true},"Timetables":[{"Sequence":1,"DepartureTime":"06:00"}]}]
      """#
    try await KitConformance.run { bench in
      let token = TDXToken(
        clientID: "client", secret: "secret", transport: bench.transport, clock: bench.clock)
      return Metro(
        alerts: TDXAlerts(token: token, transport: bench.transport),
        timetable: TDXTimetable(token: token, transport: bench.transport), storage: bench.storage,
        transport: bench.transport, clock: bench.clock)
    } responding: { request in
      switch request.operation {
      case "metro.tdx.token":
        TransportResponse(
          status: 200, body: .text(#"{"access_token":"abc","expires_in":86400}"#))
      case "metro.tdx.timetable":
        TransportResponse(status: 200, body: .text(board))
      case "metro.tdx.alerts":
        TransportResponse(status: 200, body: .text(#"{"Alerts":[]}"#))
      default: try Self.respond(request)
      }
    } damage: {
      try await $0.board().damage
    } following: { metro in
      metro.updates { @Sendable board in board.summary }
    } content: { metro in
      try await metro.board().summary
    }
  }

  @Test("MeteoriteCatalog satisfies the contract of a kit")
  func meteorites() async throws {
    func row(_ id: Int, _ name: String) -> String {
      #"{"name":"\#(name)","id":"\#(id)","recclass":"L5","mass":"21","fall":"Fell"}"#
    }
    let (aachen, aarhus, abee) = (row(1, "Aachen"), row(2, "Aarhus"), row(6, "Abee"))
    @Sendable func answer(_ rows: String...) -> TransportResponse {
      TransportResponse(status: 200, body: .text("[\(rows.joined(separator: ","))]"))
    }
    try await KitConformance.run { bench in
      MeteoriteCatalog(storage: bench.storage, transport: bench.transport, clock: bench.clock)
    } responding: { _ in
      answer(aachen, aarhus, abee)
    } later: { _ in
      answer(aachen, aachen, #"{"id":"2"}"#)
    } lacking: { _ in
      answer(aarhus)
    } damage: {
      try await $0.view().damage
    } following: {
      $0.updates { $0.find().map(\.name) }
    } content: { catalog in
      try await catalog.find().map(\.name)
    }
  }

  @Test("MeteoriteCatalog of a portal, which is read page by page, satisfies the contract of a kit")
  func portal() async throws {
    let portal = FakeSODAServer(
      dataset: "gh4g-9sfh", columns: ["id", "name", "recclass", .init("mass", .number)], key: "id",
      rows: (1...25).map {
        ["id": .text("\($0)"), "name": .text("Stone \($0)"), "recclass": "L6", "mass": 21]
      })
    try await KitConformance.run(excluding: [.conditionalRequests]) { bench in
      MeteoriteCatalog(
        source: SODAMeteorites(
          SODAClient(
            try SODADataset("gh4g-9sfh", at: "data.example.org"), transport: bench.transport,
            clock: bench.clock),
          deletion: .byKeys, options: SyncOptions(pageSize: 10, smallestPage: 10)),
        storage: bench.storage, clock: bench.clock)
    } responding: {
      try await portal.send($0)
    } content: { catalog in
      try await catalog.find().map(\.name)
    }
  }

  @Test("WalkDiary satisfies the contract of a kit")
  func walks() async throws {
    try await KitConformance.run { bench in
      WalkDiary(
        storage: bench.storage, transport: bench.transport, clock: bench.clock,
        rules: PetRules(required: []))
    } responding: {
      try Self.respond($0)
    } filling: { diary in
      try await diary.register(
        PetRegistration(
          name: "mesh", breed: .welshCorgi, gender: .male, birth: CalendarDay("2020-01-01"),
          weight: .kilograms(10)))
    } damage: {
      try await $0.damage
    } following: {
      $0.updates { try await $0.pets().map(\.name) }
    } content: { diary in
      try await diary.pets().map(\.name)
    }
  }

  @Test("CivicDirectory satisfies the contract of a kit")
  func civic() async throws {
    try await KitConformance.run { bench in
      CivicDirectory(storage: bench.storage, transport: bench.transport, clock: bench.clock)
    } responding: {
      try Self.respond($0)
    } damage: {
      try await $0.view().damage
    } content: { civic in
      try await civic.searchEverything("活動").news.map(\.title)
    }
  }

  @Test(
    "CivicDirectory with a server satisfies the contract of a kit",
    arguments: [RefreshPolicy.always, .daily])
  func civicServer(policy: RefreshPolicy) async throws {
    let server = FakeCivicService()
    for (table, row) in [
      ("administrativeUnit", #""unitId":"u1","name":"社會局""#),
      ("keyword", #""keywordId":"k1","keyword":"市府設施","rank":3"#),
    ] {
      try server.put(table, "{\(row),\"lastUpdateTime\":1480000000}")
    }
    try await KitConformance.run { bench in
      CivicDirectory(
        service: CivicService(baseURL: server.baseURL, project: server.project),
        storage: bench.storage, transport: bench.transport, clock: bench.clock,
        options: CivicOptions(policy: policy))
    } responding: { request in
      request.operation == "civic.feed"
        ? try Self.respond(request) : try await server.send(request)
    } damage: {
      try await $0.view().damage
    } content: { civic in
      let view = try await civic.view()
      return try await view.units.map(\.name) + view.keywords.map(\.text)
        + civic.searchEverything("活動").news.map(\.title)
    }
  }

  @Test("CivicDirectory without feeds, whose views are followed, satisfies the contract of a kit")
  func civicViews() async throws {
    let server = FakeCivicService()
    try server.put(
      "administrativeUnit", #"{"unitId":"u1","name":"社會局","lastUpdateTime":1480000000}"#)
    // The service is queried for what has changed since a time.
    try await KitConformance.run(excluding: [.conditionalRequests]) { bench in
      CivicDirectory(
        service: CivicService(baseURL: server.baseURL, project: server.project), feeds: [],
        storage: bench.storage, transport: bench.transport, clock: bench.clock)
    } responding: {
      try await server.send($0)
    } following: {
      $0.updates { $0.units.map(\.name) }
    } content: {
      try await $0.view().units.map(\.name)
    }
  }

  @Test("A field opens, refreshes, erases, and closes the kits that were added")
  func added() async throws {
    let storage = Storage.inMemory
    let transport = StubTransport {
      FieldTests.sources(&$0)
      $0.on("towns.rows", respond: .json(text: #"[{"id":"1","name":"臺北"}]"#))
    }
    let url = try #require(URL(string: "https://example.org/towns.json"))
    let towns = Catalog<Town>(
      "towns", at: url, storage: storage, transport: transport, clock: ManualClock())
    let field = Field(
      storage: storage, transport: transport, clock: ManualClock(), adding: [towns])
    try await field.open()
    var finished: Set<String> = []
    for await step in field.refreshAll() where step.outcome != nil { finished.insert(step.kit) }
    #expect(finished == ["zoo", "metro", "meteorites", "civic", "towns"])
    #expect(try await towns.view().search("台北").map(\.id) == ["1"])
    try await field.eraseAll()
    #expect(try await towns.view().count == 0)
    try await field.close()
    await #expect(throws: FieldError.self) { try await towns.refresh() }
  }

  private struct Town: CatalogRecord, RowReadable {
    static let columns = [RowColumn("id"), RowColumn("name")]
    let id: String
    let name: String
    var searchText: String { name }

    init(row: borrowing SourceRow) throws(RowProblem) {
      guard let id = row.id(0) else { throw RowProblem("The row has no ID.") }
      self.id = id
      name = row.text(1) ?? ""
    }
  }
}

extension ArrivalBoard {
  /// The arrivals, and the number of the timetable's trains.
  fileprivate var summary: [String] {
    arrivals.map(\.stationName) + ["\(timetable?.report.tripCount ?? 0)"]
  }
}
