import FieldFakes
import Foundation
import MeteorKit
import TestSupport
import Testing

@Suite("Queries", .heavy)
struct QueryTests {
  private func view(_ meteorites: [Meteorite]) async throws -> MeteoriteView {
    let store = InMemoryStore<Meteorite>()
    try await store.commit(Changes(upserting: meteorites), checkpoint: nil, expecting: nil)
    return try await catalog(store).view()
  }

  private func catalog(_ store: any RecordStore<Meteorite>) -> MeteoriteCatalog {
    MeteoriteCatalog(
      source: FixedSource(rows: [Batch(records: [])]),
      repository: store)
  }

  @Test(
    "queries find what each condition selects",
    arguments: [
      (MeteoriteQuery(fall: .fell), ["1"]),
      (MeteoriteQuery(nameType: .relict), ["44852"]),
      (MeteoriteQuery(classes: ["Iron, IVB ", "L5"]), ["1", "11890"]),
      (MeteoriteQuery(groups: [.ordinaryChondrite]), ["1", "44852", "24500"]),
      (MeteoriteQuery(massInGrams: 21...), ["1", "11890"]),
      (MeteoriteQuery(massInGrams: ..<21.0), ["24500"]),
      (MeteoriteQuery(years: 1920...1998), ["11890", "44852"]),
      (MeteoriteQuery(years: 1920..<1998), ["11890"]),
      (MeteoriteQuery(years: ...1880), ["1"]),
      (MeteoriteQuery(text: "osterplana"), ["44852"]),
      (MeteoriteQuery(text: " ÖSTERPLANA 0"), ["44852"]),
      (MeteoriteQuery(text: "nothing"), []),
      (MeteoriteQuery(text: " "), ["1", "11890", "44852", "24500"]),
      (MeteoriteQuery(plausibleOnly: true), ["1", "11890", "44852"]),
      (MeteoriteQuery(limit: 2), ["1", "11890"]),
      (MeteoriteQuery(limit: 0), []),
      (MeteoriteQuery(limit: 2, offset: 3), ["24500"]),
      (MeteoriteQuery(offset: 9), []),
      (MeteoriteQuery(fall: .found, years: 1990..., order: .yearDescending), ["24500", "44852"]),
      (MeteoriteQuery(order: .name), ["1", "11890", "44852", "24500"]),
      (MeteoriteQuery(order: .id), ["1", "11890", "24500", "44852"]),
    ])
  func conditions(query: MeteoriteQuery, ids: [String]) async throws {
    let view = try await view(try Rows.meteorites(Rows.all))
    #expect(view.find(query).map(\.id.rawValue) == ids)
    if query.limit == nil && query.offset == 0 { #expect(view.count(query) == ids.count) }
  }

  @Test("queries find by box and circle, across the antimeridian and at the poles")
  func places() async throws {
    func stone(_ id: UInt64, _ latitude: Double, _ longitude: Double) throws -> Meteorite {
      Meteorite(
        id: Meteorite.ID(id), name: "Stone \(id)",
        coordinate: try Coordinate(latitude: latitude, longitude: longitude))
    }
    let view = try await view([
      try stone(1, 0.5, 179.5), try stone(2, 0.5, -179.5), try stone(3, 0, 0),
      try stone(4, -90, 12), try stone(5, -89.9, -170), Meteorite(id: 6, name: "nowhere"),
    ])
    let box = try GeoBox(south: -1, west: 179, north: 1, east: -179)
    #expect(view.find(MeteoriteQuery(box: box)).map(\.id) == [1, 2])
    let pole = try Coordinate(latitude: -90, longitude: 0)
    let circle = MeteoriteQuery.Circle(center: pole, radius: .kilometers(20))
    #expect(view.find(MeteoriteQuery(circle: circle)).map(\.id) == [4, 5])
    let here = try Coordinate(latitude: 0.5, longitude: 180)
    #expect(view.nearest(to: here, count: 3).map(\.id) == [1, 2, 5])
    #expect(view.nearest(to: here, count: 9).count == 4)
    #expect(view.nearest(to: here, count: 9, plausibleOnly: false).count == 5)
    #expect(view.nearest(to: here, count: 0).isEmpty)
  }

  @Test(
    "queries return the same results from indexes that were kept across changes",
    arguments: Sample.of([1, 2, 3], 1))
  func indexesSurviveChanges(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    func stone(_ id: Int) throws -> Meteorite {
      Meteorite(
        id: Meteorite.ID(UInt64(id)),
        name: ["Ölbach", "Talwald", "Nordsee"].randomElement(using: &generator)! + " \(id % 7)",
        coordinate: try Coordinate(
          latitude: Double.random(in: -90...90, using: &generator).rounded(),
          longitude: Double.random(in: -180...180, using: &generator).rounded()))
    }
    let store = InMemoryStore<Meteorite>()
    var model: [Meteorite] = try (1...400).map(stone)
    try await store.commit(Changes(upserting: model), checkpoint: nil, expecting: nil)
    let catalog = catalog(store)
    for round in 0..<30 {
      var changes = Changes<Meteorite>()
      for _ in 0..<4 {
        let position = Int.random(in: 0..<model.count, using: &generator)
        if round % 3 == 0 {
          changes.remove(model[position].id)
          model.remove(at: position)
        } else {
          let id =
            round % 3 == 1 ? Int(model[position].id.rawValue)! : 1_000 + round * 10 + position
          let stone = try stone(id)
          changes.upsert(stone)
          if let known = model.firstIndex(where: { $0.id == stone.id }) {
            model[known] = stone
          } else {
            model.append(stone)
          }
        }
      }
      try await store.commit(changes, checkpoint: nil, expecting: nil)
      let kept = try await catalog.view()
      let fresh = try await view(model)
      let box = try GeoBox(south: -40, west: 100, north: 60, east: -30)
      let here = try Coordinate(latitude: 89, longitude: 5)
      let circle = MeteoriteQuery.Circle(center: here, radius: .kilometers(3_000))
      for query in [
        MeteoriteQuery(text: "olbach"), MeteoriteQuery(box: box), MeteoriteQuery(circle: circle),
        MeteoriteQuery(text: "d", box: box),
      ] {
        #expect(kept.find(query) == fresh.find(query), "seed \(seed), round \(round)")
      }
      #expect(
        kept.nearest(to: here, count: 20) == fresh.nearest(to: here, count: 20),
        "seed \(seed), round \(round)")
    }
  }

  @Test("queries compute statistics: by group, by decade, by fall")
  func statistics() async throws {
    let statistics = try await view(try Rows.meteorites(Rows.all)).statistics()
    #expect(statistics.total.count == 4)
    #expect(statistics.total.withMass == 3)
    #expect(statistics.total.massInGrams == 60_000_021.5)
    #expect(statistics.total.heaviest == 11890)
    #expect(statistics.byGroup[.ordinaryChondrite]?.count == 3)
    #expect(statistics.byGroup[.iron]?.massInGrams == 60_000_000)
    #expect(statistics.byDecade.mapValues(\.count) == [1880: 1, 1920: 1, 1990: 1, 2000: 1])
    #expect(statistics.byFall[.fell]?.heaviestMassInGrams == 21)
  }

  @Test("queries count a heat map's cells, without the placeholders")
  func heatMap() async throws {
    let map = try await view(try Rows.meteorites(Rows.all)).heatMap(cellDegrees: 30)
    #expect(map.total == 3)
    #expect(map.cells.map(\.count) == [1, 2])
    #expect(map.greatestCount == 2)
    await #expect(throws: FieldError.self) {
      try await view([]).heatMap(cellDegrees: 0)
    }
  }
}

@Suite("A lookup in the view")
struct LookUpTests {
  @Test(
    "a lookup in the view returns the current records, after updates, removals, and with any ID")
  func afterChanges() async throws {
    let store = InMemoryStore<Meteorite>()
    func stone(_ id: Meteorite.ID, _ name: String) -> Meteorite { Meteorite(id: id, name: name) }
    try await store.commit(
      Changes(upserting: [
        stone(0, "zero"), stone(7, "seven"), stone("NWA", "text"),
        stone(Meteorite.ID(1 << 40), "far"),
      ]),
      checkpoint: nil, expecting: nil)
    let catalog = MeteoriteCatalog(
      source: FixedSource(rows: [Batch(records: [])]),
      repository: store)
    let before = try await catalog.view()
    #expect(before[0]?.name == "zero")
    #expect(before[7]?.name == "seven")
    #expect(before["NWA"]?.name == "text")
    #expect(before[Meteorite.ID(1 << 40)]?.name == "far")
    #expect(before[8] == nil)
    var changes = Changes<Meteorite>()
    changes.upsert(stone(7, "seven again"))
    changes.remove(0)
    changes.upsert(stone(8, "eight"))
    try await store.commit(changes, checkpoint: nil, expecting: nil)
    let after = try await catalog.view()
    #expect(after[7]?.name == "seven again")
    #expect(after[0] == nil)
    #expect(after[8]?.name == "eight")
    #expect(after["NWA"]?.name == "text")
    #expect(before[7]?.name == "seven")
    #expect(before[0]?.name == "zero")
  }
}
