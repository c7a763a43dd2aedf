import FieldCore
import Foundation
import MeteorKit
import TestSupport
import Testing

@Suite("The meteorites' models")
struct MeteorModelJSONTests {
  @Test("the meteorites' models have JSON that other programs can read")
  func models() throws {
    let place = try Coordinate(latitude: 50.775, longitude: 6.08333)
    let aachen = Meteorite(
      id: 1, name: "Aachen", classification: "L5", massInGrams: 21.5, fall: .fell, year: 1880,
      coordinate: place)
    let hoba = Meteorite(
      id: 2, name: "Hoba", classification: "Iron, IVB", massInGrams: 60_000_000, fall: .found,
      year: 1920)
    // Batches are like those of any other record now: see `core-models`.
    try Golden("meteorites-models").expectModels(
      [
        "heatMap": try MeteoriteHeatMap(cellDegrees: 5, of: [place]),
        "nearby": NearbyMeteorite(aachen, distance: .meters(12.5)),
        "pin": try aachen.mapPin(),
        "query": MeteoriteQuery(fall: .fell, groups: [.iron, .achondrite], years: 2011...),
        "statistics": MeteoriteStatistics(of: [aachen, hoba]),
      ], retired: ["batch", "soql"])
  }
}
