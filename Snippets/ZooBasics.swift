//! The shortest way to use the zoo.

// snippet.hide
import FieldKit
import Foundation

func zooBasics(folder: URL, jpeg: Data) async throws {
  // snippet.show
  // snippet.zoo
  let zoo = Zoo(storage: .directory(folder), transport: URLSessionTransport())
  try await zoo.refresh()
  try await zoo.addSighting(name: "石虎", photo: jpeg)
  for entry in try await zoo.listing() {
    print(entry.sequence, entry.name, entry.picture as Any)
  }
  // snippet.end

  // snippet.asking
  let pandas = try await zoo.animals(AnimalQuery(text: "熊貓"))
  let threatened = try await zoo.animals(
    AnimalQuery(statuses: [.criticallyEndangered, .endangered], order: .mostThreatened))
  let gate = try Coordinate(latitude: 24.9985, longitude: 121.5806)
  for near in try await zoo.nearest(to: gate, count: 5) {
    print(near.animal.name, near.distance)
  }
  // snippet.end

  // snippet.view
  let view = try await zoo.view()
  for area in view.areas {
    print(area.name, view.animals(in: area.id).map(\.name))
  }
  // snippet.end
  // snippet.hide
  _ = (pandas, threatened)
}
