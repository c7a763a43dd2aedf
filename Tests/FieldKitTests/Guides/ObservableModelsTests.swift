import FieldKit
import FieldTesting
import Foundation
import Testing

@Suite("The guide to observable models", .timeLimit(.minutes(60)))
@MainActor
struct ObservableModels {
  private let transport = StubTransport { FieldTests.sources(&$0) }
  private let offline = StubTransport { stubs in
    stubs.onRequest(where: { _ in true }, respond: .error(.offline))
  }

  /// Runs a model until something is so, and then cancels it, as a view's task is when it goes.
  private func run(
    _ body: @escaping @MainActor () async -> Void, until condition: () -> Bool
  ) async {
    let task = Task { await body() }
    while !condition() { await Task.yield() }
    task.cancel()
    await task.value
  }

  @Test("an observable model shows the zoo, even offline")
  func zoo() async {
    let storage = Storage.inMemory
    let model = ZooModel(Zoo(storage: storage, transport: transport))
    #expect(model.isStale)
    await run(model.run) { !model.entries.isEmpty }
    #expect(model.entries.map(\.name) == ["大貓熊"])
    #expect(model.error == nil && !model.isStale)
    let later = ZooModel(
      Zoo(storage: storage, transport: offline, clock: ImmediateClock(now: .now + 100_000)))
    await run(later.run) { later.error != nil && !later.entries.isEmpty }
    #expect(later.error?.code == .offline)
    await later.refresh()
    #expect(later.error == nil)  // nothing is due right after a failure
  }

  @Test("an observable model shows the metro, or why there is none")
  func metro() async {
    let model = MetroModel(Metro(storage: .inMemory, transport: transport))
    await run({ await model.run(at: "台北車站") }) { !model.age.isEmpty }
    #expect(model.arrivals.isEmpty && model.error == nil)  // its only train is long gone
    let failing = MetroModel(Metro(storage: .inMemory, transport: offline, clock: ImmediateClock()))
    await run({ await failing.run(at: "台北車站") }) { failing.error != nil }
    #expect(failing.error?.code == .offline)
  }

  @Test("an observable model shows the meteorites, or why there are none")
  func meteorites() async {
    let model = MeteoriteModel(MeteoriteCatalog(storage: .inMemory, transport: transport))
    await run(model.run) { !model.heaviest.isEmpty && model.lastRefresh != nil }
    #expect(model.heaviest.map(\.name) == ["Aachen"])
    #expect(model.error == nil && !model.isStale)
    let failing = MeteoriteModel(
      MeteoriteCatalog(storage: .inMemory, transport: offline, clock: ImmediateClock()))
    await run(failing.run) { failing.error != nil }
    #expect(failing.error?.code == .offline && failing.isStale)
  }

  @Test("an observable model shows pets as they arrive, and why there are no more")
  func walks() async throws {
    let diary = WalkDiary(
      storage: .inMemory, transport: transport, rules: PetRules(required: []))
    let model = DiaryModel(diary)
    let task = Task { await model.run() }
    try await diary.register(PetRegistration(name: "mesh"))
    while model.pets.isEmpty { await Task.yield() }
    #expect(model.pets.map(\.name) == ["mesh"])
    #expect(model.lastRefresh == nil && model.error == nil)
    task.cancel()
    await task.value
    try await diary.close()
    await model.run()
    #expect(model.error?.code == .closed)
  }

  @Test("an observable model shows the city's news, or why there are none")
  func city() async {
    let model = CityModel(CivicDirectory(storage: .inMemory, transport: transport))
    await run(model.run) { model.lastRefresh != nil }
    #expect(model.news.map(\.title) == ["活動"])
    #expect(model.error == nil && !model.isStale)
    let failing = CityModel(
      CivicDirectory(storage: .inMemory, transport: offline, clock: ImmediateClock()))
    await run(failing.run) { failing.error != nil }
    #expect(failing.news.isEmpty && failing.isStale)
  }
}
