import FieldKit
import FieldTesting
import Foundation
import Observation
import Testing

// What the kits' pages show of models for SwiftUI, at work: each slice is a part of a page.

// snippet.zoo
@MainActor @Observable
final class ZooModel {
  private(set) var entries: [ZooEntry] = []
  private(set) var lastRefresh: Date?
  private(set) var error: FieldError?
  private let zoo: Zoo

  init(_ zoo: Zoo) { self.zoo = zoo }

  var isStale: Bool { RefreshPolicy.daily.isDue(lastSuccess: lastRefresh, now: .now) }

  func run() async {
    async let refreshed: Void = refresh()
    do {
      for try await listing in zoo.listingUpdates() {
        (entries, lastRefresh) = (listing.entries, listing.lastRefresh)
      }
    } catch {
      self.error = error as? FieldError
    }
    await refreshed
  }

  func refresh(_ when: RefreshTrigger = .ifDue) async {
    do {
      try await zoo.refresh(when)
      error = nil
    } catch {
      self.error = error as? FieldError  // nil if the view has gone; the old data is still there
    }
  }
}
// snippet.end

// snippet.metro
@MainActor @Observable
final class MetroModel {
  private(set) var arrivals: [Arrival] = []
  private(set) var age = ""
  private(set) var error: FieldError?
  private let metro: Metro

  init(_ metro: Metro) { self.metro = metro }

  func run(at station: String) async {
    for await board in metro.boards(every: .seconds(20)) {
      arrivals = board.arrivals(at: station, freshOnly: true)
      age = MetroTexts.age(of: board).string()
      error = board.lastFailure
    }
  }
}
// snippet.end

// snippet.meteorites
@MainActor @Observable
final class MeteoriteModel {
  private(set) var heaviest: [Meteorite] = []
  private(set) var lastRefresh: Date?
  private(set) var error: FieldError?
  private let catalog: MeteoriteCatalog

  init(_ catalog: MeteoriteCatalog) { self.catalog = catalog }

  var isStale: Bool { RefreshPolicy.daily.isDue(lastSuccess: lastRefresh, now: .now) }

  func run() async {
    async let refreshed: Void = refresh()
    do {
      for try await view in catalog.updates() {
        heaviest = view.find(MeteoriteQuery(order: .massDescending, limit: 100))
        lastRefresh = try await catalog.lastRefresh
      }
    } catch {
      self.error = error as? FieldError
    }
    await refreshed
  }

  func refresh(_ when: RefreshTrigger = .ifDue) async {
    do {
      try await catalog.refresh(when)
      error = nil
    } catch {
      self.error = error as? FieldError  // nil if the view has gone; the old data is still there
    }
  }
}
// snippet.end

// snippet.walks
@MainActor @Observable
final class DiaryModel {
  private(set) var pets: [Pet] = []
  private(set) var history: [WalkHistoryRow] = []
  private(set) var lastRefresh: Date?  // nil if the diary has no server
  private(set) var message: String?
  private let diary: WalkDiary

  init(_ diary: WalkDiary) { self.diary = diary }

  func run() async {
    do {
      try await diary.refresh()
      for try await _ in diary.updates() {
        pets = try await diary.pets()
        history = try await diary.walks().rows
        lastRefresh = try await diary.lastRefresh
        message = nil
      }
    } catch {
      message = (error as? FieldError).map { WalkTexts.message(for: $0).string(in: .korean) }
    }
  }
}
// snippet.end

// snippet.city
@MainActor @Observable
final class CityModel {
  private(set) var facilities: [UnitCategory] = []
  private(set) var news: [NewsItem] = []
  private(set) var lastRefresh: Date?
  private(set) var error: FieldError?
  private let city: CivicDirectory

  init(_ city: CivicDirectory) { self.city = city }

  var isStale: Bool { RefreshPolicy.daily.isDue(lastSuccess: lastRefresh, now: .now) }

  func run() async {
    async let refreshed: Void = refresh()
    do {
      for try await view in city.updates() { facilities = view.categories(of: .facility) }
    } catch {
      self.error = error as? FieldError
    }
    await refreshed
  }

  func refresh(_ when: RefreshTrigger = .ifDue) async {
    do {
      let page = try await city.news()  // what is stored, if the feed can't be read
      (news, error) = (page.items, page.failure)
      try await city.refresh(when)
      lastRefresh = try await city.lastRefresh
    } catch {
      self.error = error as? FieldError
    }
  }
}
// snippet.end

@Suite("The guide to observable models", .timeLimit(.minutes(10)))
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

  @Test("shows the zoo, even offline")
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

  @Test("shows the metro, or why there is none")
  func metro() async {
    let model = MetroModel(Metro(storage: .inMemory, transport: transport))
    await run({ await model.run(at: "台北車站") }) { !model.age.isEmpty }
    #expect(model.arrivals.isEmpty && model.error == nil)  // its only train is long gone
    let failing = MetroModel(Metro(storage: .inMemory, transport: offline, clock: ImmediateClock()))
    await run({ await failing.run(at: "台北車站") }) { failing.error != nil }
    #expect(failing.error?.code == .offline)
  }

  @Test("shows the meteorites, or why there are none")
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

  @Test("shows pets as they arrive, and errors in the owner's words")
  func walks() async throws {
    let diary = WalkDiary(
      storage: .inMemory, transport: transport, rules: PetRules(required: []))
    let model = DiaryModel(diary)
    let task = Task { await model.run() }
    try await diary.register(PetRegistration(name: "mesh"))
    while model.pets.isEmpty { await Task.yield() }
    #expect(model.pets.map(\.name) == ["mesh"])
    #expect(model.lastRefresh == nil && model.message == nil)
    task.cancel()
    await task.value
    try await diary.close()
    await model.run()
    #expect(model.message?.isEmpty == false)
  }

  @Test("shows the city's news, or why there are none")
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
