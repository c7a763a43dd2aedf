import FieldKit
import Foundation
import Testing

@testable import FieldApp

/// The models over the data of the previews; `ObservableModels` in FieldKit's tests checks their errors.
@Suite("The data of the previews", .timeLimit(.minutes(60)))
@MainActor
struct PreviewTests {
  /// Runs a model until something is so, and then cancels it, as a view does with its task.
  private func run(
    _ body: @escaping @MainActor () async -> Void, until condition: () -> Bool
  ) async {
    let task = Task { await body() }
    while !condition() { await Task.yield() }
    task.cancel()
    await task.value
  }

  @Test("The zoo shows its animals")
  func zoo() async throws {
    let model = ZooModel(try Field.preview().zoo)
    await run(model.run) { model.entries.count == 2 && !model.isStale }
    #expect(model.entries.map(\.name) == ["大貓熊", "石虎"])
    #expect(model.error == nil)
  }

  @Test("The metro shows two fresh trains")
  func metro() async throws {
    let model = MetroModel(try Field.preview().metro)
    await run({ await model.run(at: "台北車站") }) { !model.age.isEmpty }
    #expect(model.arrivals.map(\.destinationName) == ["淡水站", "象山站"])
  }

  @Test("The heaviest meteorite comes first")
  func meteorites() async throws {
    let model = MeteoriteModel(try Field.preview().meteorites)
    await run(model.run) { !model.heaviest.isEmpty }
    #expect(model.heaviest.map(\.name) == ["Hoba", "Aachen"])
  }

  @Test("The diary shows a pet that is registered later")
  func walks() async throws {
    let field = try Field.preview()
    let model = DiaryModel(field.walks)
    let task = Task { await model.run() }
    try await field.walks.register(PetRegistration(name: "Mesh"))
    while model.pets.isEmpty { await Task.yield() }
    #expect(model.pets.map(\.name) == ["Mesh"])
    task.cancel()
    await task.value
  }

  @Test("The city shows a facility and its news")
  func city() async throws {
    let model = CityModel(try Field.preview().civic)
    await run(model.run) { !model.facilities.isEmpty && model.lastRefresh != nil }
    #expect(model.facilities.map(\.name) == ["停車場"])
    #expect(model.news.map(\.title).contains("花燈"))
  }

  @Test("The trees follow a search and one of them, as the views ask")
  func trees() async throws {
    let catalog = Catalog<Tree>.preview()
    let tallest = Live(catalog) { $0.find(\.height, order: .descending, limit: 50) }
    let one = Live(catalog) { $0["1"] }
    await tallest.refresh()
    while tallest.value?.count != 2 || one.value == nil { await Task.yield() }
    #expect(tallest.value?.map(\.id) == ["2", "1"])
    #expect(one.value??.species == "Ginkgo biloba")
    tallest.follow(catalog) { $0.search("ginkgo", limit: 50) }
    while tallest.value?.count != 1 { await Task.yield() }
    let place = try Coordinate(latitude: 37.76, longitude: -122.41)
    #expect(try await catalog.view().nearest(to: place, count: 1).map(\.record.id) == ["2"])
  }
}
