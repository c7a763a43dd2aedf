import FieldCore
import MeteorKit
import TestSupport
import Testing

@Suite("The stored form of a meteorite")
struct MeteoriteStorageTests {
  @Test("the stored form of a meteorite is checked for the ID as strictly as it is read")
  func checking() throws {
    let meteorites = [
      Meteorite(id: 1, name: "Aachen"),
      Meteorite(
        id: "NWA 1", name: "Österplana 石", classification: "L/LL6", massInGrams: 21.5, fall: .fell,
        nameType: .relict, year: 1880,
        coordinate: try Coordinate(latitude: 50.775, longitude: 6.08333)),
      Meteorite(
        id: 18_446_744_073_709_551_615, name: "", massInGrams: 0, fall: .init(rawValue: "Seen"),
        nameType: .init(rawValue: "?"), year: .init(-2501),
        unreadable: ["mass (g)": "viel", "year": "1880?"]),
    ]
    let rounds = Sample.rounds(100_000, 2000, inDebug: 500)
    #expect(try StoredBytes.misjudged(meteorites, rounds: rounds, seed: Sample.seed()) == [])
  }

  @Test("a meteorite is found by number however often the view is asked")
  func numbers() async throws {
    let store = InMemoryStore(
      (1...2000).map { Meteorite(id: .init(UInt64($0 * 3)), name: "\($0)") })
    let catalog = MeteoriteCatalog(source: FixedSource(rows: []), repository: store)
    let view = try await catalog.view()
    for _ in 0..<3 {
      for number in 1...2000 {
        #expect(view[.init(UInt64(number * 3))]?.name == "\(number)")
        #expect(view[.init(UInt64(number * 3 + 1))] == nil)
      }
    }
    try await store.commit(
      Changes(upserting: [Meteorite(id: 3, name: "new")]), checkpoint: nil, expecting: nil)
    let later = try await catalog.view()
    #expect(later[3]?.name == "new" && later[6]?.name == "2" && view[3]?.name == "1")
  }
}
