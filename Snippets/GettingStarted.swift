//! A complete program: refresh once, and query with or without a network.
// swift-format-ignore-file: NeverForceUnwrap

// snippet.program
import FieldCore
import FieldURLSession
import Foundation

struct Landing: CatalogRecord {
  let id: Int
  let name: String
  let mass: Double?
  let coordinate: Coordinate?

  enum CodingKeys: String, CodingKey {
    case id, name, coordinate
    case mass = "mass (g)"
  }
  static let indexes: [RecordIndex<Landing>] = [.text(\.name), .order(\.mass)]
}

let landings = Catalog<Landing>(
  "landings",
  at: URL(
    string: "https://data.nasa.gov/docs/legacy/meteorite_landings/Meteorite_Landings.csv")!,
  storage: .directory(URL(filePath: "data")), transport: URLSessionTransport())

do {
  print(try await landings.refresh())
} catch let error as FieldError {
  print("The landings weren't refreshed: \(error.message)")
}

let view = try await landings.view()
let bratislava = try Coordinate(latitude: 48.15, longitude: 17.11)
for near in view.nearest(to: bratislava, count: 5) { print(near.record.name, near.distance) }
for heavy in view.find(\.mass, order: .descending, limit: 3) { print(heavy.name, heavy.mass ?? 0) }
print(view.search("yamato").count, "from the Yamato Mountains")
// snippet.end
