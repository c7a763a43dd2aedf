import FieldKit
import FieldTesting
import Foundation
import TestSupport
import Testing

/// What the guides' models show after each kind of failure: the stored data, and the reason.
@Suite("The guides' models after a failure", .timeLimit(.minutes(60)))
@MainActor
struct GuideFailureTests {
  enum Kind: CaseIterable {
    case offline, page, timeout, serverError

    var response: StubTransport.Response {
      switch self {
      case .offline: .error(.offline)
      case .page: .text("<!DOCTYPE html><html><body>Sign in</body></html>")
      case .timeout: .error(.timeout)
      case .serverError: .status(500)
      }
    }

    var codes: Set<FieldError.Code> {
      switch self {
      case .offline: [.offline]
      case .page: [.notData, .malformed]
      case .timeout: [.timeout]
      case .serverError: [.status]
      }
    }
  }

  private static let service: CivicService = {
    let server = FakeCivicService()
    return CivicService(baseURL: server.baseURL, project: server.project)
  }()

  /// A city's server with one facility, and two feeds.
  private static func city() throws -> FakeCivicService {
    let server = FakeCivicService()
    let rows = [
      ("administrativeUnitCategory", #"{"categoryId":"c1","name":"廁所"}"#),
      ("keyword", #"{"keywordId":"k3","keyword":"市府設施","rank":3}"#),
      ("inKeyword", #"{"id":"c1","keywordId":"k3"}"#),
    ]
    for (table, row) in rows { try server.put(table, row) }
    return server
  }

  private static func transport(
    _ server: FakeCivicService, failing kind: Kind? = nil, tables: Bool = false, feeds: Bool = false
  ) -> StubTransport {
    StubTransport { stubs in
      if feeds, let kind {
        stubs.on("civic.feed", respond: kind.response)
      } else {
        stubs.on("civic.feed", respond: .text(FieldTests.feed))
      }
      if tables, let kind {
        stubs.onRequest(where: { _ in true }, respond: kind.response)
      } else {
        stubs.onRequest(where: { _ in true }, respond: .answering { try await server.send($0) })
      }
    }
  }

  private static func directory(_ storage: Storage, _ transport: StubTransport) -> CivicDirectory {
    CivicDirectory(
      service: service, storage: storage, transport: transport, clock: ImmediateClock())
  }

  /// Runs a model until its refresh has ended, and then cancels it, as a view's task is.
  private func run(
    _ body: @escaping @MainActor () async -> Void, until condition: () -> Bool
  ) async {
    let task = Task { await body() }
    while !condition() { await Task.yield() }
    task.cancel()
    await task.value
  }

  @Test(
    "the guides' models show the city's tables if the feeds fail on the first visit",
    arguments: Kind.allCases)
  func feedsDown(kind: Kind) async throws {
    let transport = Self.transport(try Self.city(), failing: kind, feeds: true)
    let model = CityModel(Self.directory(.inMemory, transport))
    await run(model.run) {
      !model.facilities.isEmpty && model.lastRefresh != nil && model.newsError != nil
    }
    #expect(model.facilities.map(\.name) == ["廁所"])
    #expect(model.error == nil && model.news.isEmpty)
    #expect(model.newsError.map { kind.codes.contains($0.code) } == true)
  }

  @Test(
    "the guides' models show the city's news if the tables fail on the first visit",
    arguments: Kind.allCases)
  func tablesDown(kind: Kind) async throws {
    let transport = Self.transport(try Self.city(), failing: kind, tables: true)
    let model = CityModel(Self.directory(.inMemory, transport))
    await run(model.run) { !model.news.isEmpty && model.error != nil }
    #expect(model.news.map(\.title) == ["活動"] && model.unreadCount == 1)
    #expect(model.newsError == nil && model.facilities.isEmpty && model.lastRefresh == nil)
  }

  @Test(
    "the guides' models show the city as it is stored, and why it isn't newer",
    arguments: Kind.allCases)
  func cityStored(kind: Kind) async throws {
    let storage = Storage.inMemory
    let server = try Self.city()
    try await Self.directory(storage, Self.transport(server)).refresh()
    let failing = Self.transport(server, failing: kind, tables: true, feeds: true)
    let model = CityModel(Self.directory(storage, failing))
    await run(model.run) {
      model.error != nil && model.newsError != nil && !model.news.isEmpty
        && !model.facilities.isEmpty && model.lastRefresh != nil
    }
    #expect(model.facilities.map(\.name) == ["廁所"])
    #expect(model.news.map(\.title) == ["活動"])
  }

  @Test(
    "the guides' models show the zoo and the meteorites as they are stored",
    arguments: Kind.allCases)
  func stored(kind: Kind) async throws {
    let storage = Storage.inMemory
    let good = StubTransport { FieldTests.sources(&$0) }
    let bad = StubTransport { $0.onRequest(where: { _ in true }, respond: kind.response) }
    let begin = Date.now - 200_000
    try await Zoo(storage: storage, transport: good, clock: ManualClock(now: begin)).refresh()
    try await MeteoriteCatalog(storage: storage, transport: good, clock: ManualClock(now: begin))
      .refresh()
    let clock = ImmediateClock(now: .now)
    let zoo = ZooModel(Zoo(storage: storage, transport: bad, clock: clock))
    await run(zoo.run) { zoo.error != nil && !zoo.entries.isEmpty }
    #expect(zoo.entries.map(\.name) == ["大貓熊"] && zoo.isStale)
    #expect(zoo.error.map { kind.codes.contains($0.code) } == true)
    let stones = MeteoriteModel(
      MeteoriteCatalog(storage: storage, transport: bad, clock: clock))
    await run(stones.run) { stones.error != nil && !stones.heaviest.isEmpty }
    #expect(stones.heaviest.map(\.name) == ["Aachen"] && stones.isStale)
    #expect(stones.error.map { kind.codes.contains($0.code) } == true)
  }

  @Test(
    "the guides' models show the stored board of the metro and the reason for its age",
    arguments: Kind.allCases)
  func board(kind: Kind) async throws {
    let storage = Storage.inMemory
    let good = StubTransport { FieldTests.sources(&$0) }
    try await Metro(storage: storage, transport: good).refresh()
    let bad = StubTransport { $0.onRequest(where: { _ in true }, respond: kind.response) }
    let model = MetroModel(Metro(storage: storage, transport: bad, clock: ImmediateClock()))
    await run({ await model.run(at: "台北車站") }) { model.error != nil }
    #expect(model.error.map { kind.codes.contains($0.code) } == true)
    #expect(!model.age.isEmpty)
  }

  @Test("the guides' models show the stored pets and walks while a diary's server is out of reach")
  func diary() async throws {
    let storage = Storage.inMemory
    let first = WalkDiary(
      storage: storage, transport: StubTransport { _ in }, rules: PetRules(required: []))
    try await first.register(PetRegistration(name: "mesh"))
    let source = DataSource(
      name: "Walks", chineseName: "散步", publisher: "me", page: URL(filePath: "/walks"),
      license: "mine", attribution: "me")
    let unreachable = WalkRefresh(from: source) {
      .now
    } lastSuccess: {
      nil
    } fetch: { _ in
      throw FieldError(.offline, "There is no network.")
    }
    let model = DiaryModel(
      WalkDiary(
        repository: storage.store("walks"), blobs: storage.blobStore("walks"),
        refresh: unreachable, storage: storage, transport: StubTransport { _ in }))
    await run(model.run) { model.error != nil && !model.pets.isEmpty }
    #expect(model.pets.map(\.name) == ["mesh"] && model.error?.code == .offline)
  }
}
